import AlbumModel
import SyncEngine

/// How photos became known while devices came and went.
public struct ScaleChurnFigures: Sendable {
    /// Seconds after a drop at which it is looked who knows.
    public static let ages = [0.2, 0.5, 1.0, 2.0, 5.0, 10.0]

    public struct Photo: Sendable {
        /// The part of those who are there that knows, at each of ``ages``.
        public var parts: [Double] = []
        /// Until all who were there at that moment knew; `nil` if that did not come about within a minute.
        public var secondsToAll: Double?
    }

    public var photos: [Photo] = []
    /// Messages that it took to tell everyone, repairs and those who came back included.
    public var messages = ScaleMessageCounts()
    /// Devices that were there, on average.
    public var presentMean = 0.0
}

extension ScaleStudy {
    /// Drops a photo every five seconds and watches each for a minute, while devices leave and come back.
    public mutating func churn(photos count: Int = 24) throws(SimulationFailure) -> ScaleChurnFigures {
        var figures = ScaleChurnFigures()
        var watched: [Watched] = []
        let (start, before) = (world.now, measures.messages)
        var nextLeave = start
        var samples = 0
        while samples < 10 * (5 * count + 60) {
            if samples % 50 == 0, watched.count < count {
                watched.append(Watched(batch: try dropSmall()))
                progress("\(watched.count) of \(count) photos, \(presentCount) devices are there")
            }
            samples += 1
            let at = start + 0.1 * Double(samples)
            while nextLeave < at, options.churn > 0 {
                try world.advance(until: max(world.now, nextLeave))
                leave()
                nextLeave = nextLeave + 60 / (options.churn * Double(options.deviceCount))
            }
            if world.now < at { try world.advance(until: at) }
            let awake = world.awake
            figures.presentMean += Double(awake.count { $0 })
            for index in watched.indices { look(at: &watched[index], awake) }
        }
        figures.presentMean /= Double(samples)
        figures.messages = measures.messages.since(before)
        figures.photos = watched.map(\.photo)
        return figures
    }

    private struct Watched {
        var batch: BatchID
        var photo = ScaleChurnFigures.Photo()
    }

    /// Somebody goes away, and says so half of the time.
    private mutating func leave() {
        let isTold = Bool.random(using: &world.peopleRandom)
        world.sleep(randomDevice(), for: Double.random(in: 5...25, using: &world.peopleRandom), isTold: isTold)
    }

    private func look(at watched: inout Watched, _ awake: [Bool]) {
        let following = measures.followed[watched.batch]!
        let age = world.now.seconds(since: following.start)
        let looks = watched.photo.parts.count
        let isDue = looks < ScaleChurnFigures.ages.count && ScaleChurnFigures.ages[looks] <= age
        guard isDue || watched.photo.secondsToAll == nil, age < 60 else { return }
        let (known, present) = (following.knownCount(among: awake), awake.count { $0 })
        if isDue { watched.photo.parts.append(Double(known) / Double(present)) }
        if watched.photo.secondsToAll == nil, known == present { watched.photo.secondsToAll = age }
    }
}
