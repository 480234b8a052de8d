import AlbumModel
import Glibc

/// This machine's clocks.
struct SystemClock: Sendable {
    /// Goes on while the machine sleeps, so that a lid that was closed counts as silence.
    var now: MonotonicInstant { MonotonicInstant(nanoseconds: read(CLOCK_BOOTTIME)) }

    /// Microseconds since 1970.
    var wall: UInt64 { read(CLOCK_REALTIME) / 1000 }

    private func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
