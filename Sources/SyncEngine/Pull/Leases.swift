import AlbumModel

/// What is known to be of no use for now: each time that it turns out so again, it is left alone for twice as long.
///
/// Nothing that was learned of a peer's or a claim's failure is true for ever: disks come back, errors pass.
struct Leases<Key: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var end: MonotonicInstant
        var count: Int
    }

    private var entries: [Key: Entry] = [:]

    /// - Parameter seconds: of the first time, and of the longest.
    mutating func extend(_ key: Key, by seconds: ClosedRange<Double>, now: MonotonicInstant) {
        let count = min((entries[key]?.count ?? 0) + 1, 30)
        let length = min(seconds.lowerBound * Double(1 << (count - 1)), seconds.upperBound)
        entries[key] = Entry(end: now + length, count: count)
    }

    mutating func end(_ key: Key) { entries[key] = nil }

    func holds(_ key: Key, now: MonotonicInstant) -> Bool { entries[key].map { now < $0.end } ?? false }

    /// When a lease that still runs ends; `nil` for none.
    func deadline(of key: Key, now: MonotonicInstant) -> MonotonicInstant? {
        entries[key].flatMap { now < $0.end ? $0.end : nil }
    }
}
