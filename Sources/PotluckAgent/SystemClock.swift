import AlbumModel
import FoundationEssentials
import SharedFolder

/// This machine's clocks.
struct SystemClock: Sendable {
    /// Goes on while the machine sleeps.
    var now: MonotonicInstant { .now }

    /// Microseconds since 1970.
    var wall: UInt64 { UInt64(max(0, Date.now.timeIntervalSince1970 * 1_000_000)) }
}
