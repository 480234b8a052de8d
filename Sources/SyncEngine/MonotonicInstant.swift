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

    /// Seconds since an earlier moment; 0 if it is not earlier.
    public func seconds(since earlier: MonotonicInstant) -> Double {
        earlier < self ? Double(nanoseconds - earlier.nanoseconds) / 1e9 : 0
    }
}
