import Glibc
import PotluckAPI

/// What a clock on this laptop's wall shows, and when that is.
enum WallClock {
    /// Of two moments that the clock shows alike in autumn, the one that the C library takes.
    static func instant(of time: LocalTime) -> Instant {
        let (seconds, rest) = (time.milliseconds / 1000, time.milliseconds % 1000)
        var (number, clock) = (time_t(seconds), tm())
        gmtime_r(&number, &clock)
        clock.tm_isdst = -1
        return Instant(millisecondsSince1970: Int64(mktime(&clock)) * 1000 + rest)
    }
}
