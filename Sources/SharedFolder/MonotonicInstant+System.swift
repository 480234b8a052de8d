package import AlbumModel
import Glibc

extension MonotonicInstant {
    /// Of this machine, in nanoseconds since it was switched on: goes on while the machine sleeps, so that a lid that was
    /// closed counts as silence.
    package static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}
