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
    /// Drops a photo every five seconds and watches each for a minute.
    public mutating func churn(photos count: Int = 24) -> ScaleChurnFigures {
        var figures = ScaleChurnFigures()
        var watched: [Watched] = []
        let start = world.now
        let before = world.counts
        var samples = 0
        while samples < 10 * (5 * count + 60) {
            if samples % 50 == 0, watched.count < count {
                watched.append(Watched(batch: dropSmall()))
                progress("\(watched.count) of \(count) photos, \(world.presentCount) devices are there")
            }
            samples += 1
            let at = start + 0.1 * Double(samples)
            if world.now < at { world.advance(until: at) }
            figures.presentMean += Double(world.presentCount)
            for index in watched.indices { look(at: &watched[index]) }
        }
        figures.presentMean /= Double(samples)
        figures.messages = world.counts.since(before)
        figures.photos = watched.map(\.photo)
        return figures
    }

    private struct Watched {
        var batch: BatchID
        var photo = ScaleChurnFigures.Photo()
    }

    private func look(at watched: inout Watched) {
        let following = world.followed[watched.batch]!
        let age = world.now.seconds(since: following.start)
        let looks = watched.photo.parts.count
        let isDue = looks < ScaleChurnFigures.ages.count && ScaleChurnFigures.ages[looks] <= age
        guard isDue || watched.photo.secondsToAll == nil, age < 60 else { return }
        let known = following.knownCount(without: world.isAway)
        if isDue { watched.photo.parts.append(Double(known) / Double(world.presentCount)) }
        if watched.photo.secondsToAll == nil, known == world.presentCount { watched.photo.secondsToAll = age }
    }
}
