/// A moment on a clock that never goes back; its zero means nothing.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
    public var nanoseconds: UInt64

    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    public static func + (instant: MonotonicInstant, seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: instant.nanoseconds &+ UInt64(max(0, seconds) * 1e9))
    }

    public static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: instant.nanoseconds &+ duration.clampedNanoseconds)
    }

    /// Not before the clock's zero.
    public static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: instant.nanoseconds - min(duration.clampedNanoseconds, instant.nanoseconds))
    }

    /// Seconds since an earlier moment; 0 if it is not earlier.
    public func seconds(since earlier: MonotonicInstant) -> Double {
        earlier < self ? Double(nanoseconds - earlier.nanoseconds) / 1e9 : 0
    }
}

extension Duration {
    /// A negative one counts as none.
    fileprivate var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
