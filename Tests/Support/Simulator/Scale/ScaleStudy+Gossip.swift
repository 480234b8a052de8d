import AlbumModel
import SyncEngine

/// How photos became known to all.
public struct ScaleGossipFigures: Sendable {
    public struct Photo: Sendable {
        /// Over so many links it came to whoever it took most.
        public var hops: Int
        /// Until the last device had it in its journal.
        public var seconds: Double
        /// Messages that telling it took, of all devices.
        public var messages: ScaleMessageCounts
        public var knownCount: Int
    }

    public var photos: [Photo] = []
    public var deviceCount: Int
    public var linkMean: Double
    public var roundSeconds: Double

    public func sorted<Value: Comparable>(_ value: (Photo) -> Value) -> (median: Value, worst: Value) {
        let values = photos.map(value).sorted()
        return (values[values.count / 2], values[values.count - 1])
    }

    public func messagesPerDevice(_ photo: Photo) -> Double { Double(photo.messages.gossip) / Double(deviceCount) }
}

extension ScaleStudy {
    /// Drops photos on random devices, one after the other, when each has become known to all.
    ///
    /// - Parameter warmUp: photos before, along which the tree is formed.
    public mutating func gossip(warmUp: Int = 10, photos: Int = 20) throws(SimulationFailure) -> ScaleGossipFigures {
        for _ in 0..<warmUp { _ = try follow() }
        var figures = ScaleGossipFigures(
            deviceCount: options.deviceCount, linkMean: graph.mean, roundSeconds: options.roundSeconds)
        for number in 1...photos {
            figures.photos.append(try follow())
            if number % 5 == 0 { progress("\(number) of \(photos) photos, \(world.eventCount) events") }
        }
        return figures
    }

    /// Until everybody knows it and the lazy links have had their word, too.
    private mutating func follow() throws(SimulationFailure) -> ScaleGossipFigures.Photo {
        let before = measures.messages
        let batch = try dropSmall()
        let end = world.now + 30
        while measures.followed[batch]!.knownCount < options.deviceCount, world.now < end { try advance(by: 0.01) }
        try advance(by: 1)
        let following = measures.followed[batch]!
        return .init(
            hops: following.hopMax, seconds: following.seconds, messages: measures.messages.since(before),
            knownCount: following.knownCount)
    }
}
