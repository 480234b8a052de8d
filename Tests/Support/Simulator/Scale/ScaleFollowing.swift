import AlbumModel
import SyncEngine

/// How one batch comes to everybody.
struct ScaleFollowing {
    let start: MonotonicInstant
    let source: Int
    /// Over how many links it came to each device; -1 where it did not come yet.
    private(set) var hops: [Int]
    private(set) var isKnown: [Bool]
    private(set) var knownCount = 0
    /// When the last of those who know it learned of it.
    private(set) var last: MonotonicInstant

    init(source: Int, deviceCount: Int, at start: MonotonicInstant) {
        self.source = source
        self.start = start
        last = start
        hops = .init(repeating: -1, count: deviceCount)
        hops[source] = 0
        isKnown = .init(repeating: false, count: deviceCount)
    }

    mutating func came(to device: Int, from other: Int) {
        if hops[device] < 0 { hops[device] = hops[other] + 1 }
    }

    mutating func learned(by device: Int, at now: MonotonicInstant) {
        guard !isKnown[device] else { return }
        isKnown[device] = true
        knownCount += 1
        last = now
    }

    var seconds: Double { last.seconds(since: start) }

    var hopMax: Int { hops.max() ?? 0 }

    /// Of the devices that are there, how many know it.
    func knownCount(among present: [Bool]) -> Int { isKnown.indices.count { isKnown[$0] && present[$0] } }
}
