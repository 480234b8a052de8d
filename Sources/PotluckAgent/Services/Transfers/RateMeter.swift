import AlbumModel

/// How many bytes of photos arrive a second, over the last few seconds.
struct RateMeter {
    private static let seconds: UInt64 = 4
    /// Bytes by the second in which they came.
    private var buckets: [UInt64: UInt64] = [:]
    private var lastReport = MonotonicInstant(nanoseconds: 0)

    mutating func count(_ byteCount: Int, now: MonotonicInstant) {
        let second = now.nanoseconds / 1_000_000_000
        buckets[second, default: 0] += UInt64(byteCount)
        buckets = buckets.filter { $0.key + Self.seconds >= second }
    }

    func rate(now: MonotonicInstant) -> UInt64 {
        let second = now.nanoseconds / 1_000_000_000
        return buckets.filter { $0.key + Self.seconds > second }.values.reduce(0, +) / Self.seconds
    }

    /// Once a second.
    mutating func isReportDue(now: MonotonicInstant) -> Bool {
        guard now >= lastReport + 1 else { return false }
        lastReport = now
        return true
    }
}
