import AlbumModel
import Glibc

extension MonotonicInstant {
    /// Goes on while the machine sleeps. Microseconds at most.
    static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}
