import NIOCore

/// How much bulk may wait inside NIO: much where the network takes it at once, one frame where it is slow, so that a
/// control frame never waits long behind what was already handed over.
struct BulkWindow: Sendable {
    /// A flush that takes longer than this to leave shrinks the window.
    private static let slow = TimeAmount.milliseconds(20)
    /// A flush that is gone within this widens the window.
    private static let quick = TimeAmount.milliseconds(10)

    private let range: ClosedRange<Int>
    private(set) var byteCount: Int

    init(limits: TransportLimits) {
        range = limits.bulkInFlightByteCountMin...limits.bulkInFlightByteCountMax
        byteCount = min(max(128 << 10, range.lowerBound), range.upperBound)
    }

    /// Takes note of how long a flush took from being written to being the kernel's.
    mutating func flushed(after time: TimeAmount) {
        if time > Self.slow {
            byteCount = max(range.lowerBound, byteCount / 2)
        } else if time < Self.quick {
            byteCount = min(range.upperBound, byteCount * 2)
        }
    }
}
