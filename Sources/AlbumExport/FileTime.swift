import AlbumModel
import Glibc

/// A time that files carry: what the clock said, and the instant that this was.
struct FileTime: Hashable, Sendable {
    /// Milliseconds from 1970-01-01T00:00:00 to what the clock showed.
    var localMilliseconds: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    var milliseconds: Int64

    /// In the stated offset, else in this laptop's zone, which is a guess, and the best one for a date on disk.
    init(_ reading: ExportEntry.Reading) {
        localMilliseconds = reading.localMilliseconds
        if let offset = reading.offsetMinutes {
            milliseconds = reading.localMilliseconds - Int64(offset) * 60_000
        } else {
            let (seconds, rest) = reading.localMilliseconds.flooringDivided(by: 1000)
            var clock = Self.clock(seconds)
            clock.tm_isdst = -1
            milliseconds = Int64(mktime(&clock)) * 1000 + rest
        }
    }

    /// An instant as this laptop's clock shows it.
    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
        let (seconds, rest) = milliseconds.flooringDivided(by: 1000)
        var time = time_t(seconds)
        var clock = tm()
        localtime_r(&time, &clock)
        localMilliseconds = Int64(timegm(&clock)) * 1000 + rest
    }

    /// As system calls take it.
    var specification: timespec {
        let (seconds, rest) = milliseconds.flooringDivided(by: 1000)
        return timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000_000)
    }

    /// What a calendar and a clock show; months count from 0, years from 1900.
    var clock: tm { Self.clock(localMilliseconds.flooringDivided(by: 1000).quotient) }

    private static func clock(_ localSeconds: Int64) -> tm {
        var time = time_t(localSeconds)
        var clock = tm()
        gmtime_r(&time, &clock)
        return clock
    }
}

extension Int32 {
    /// With leading zeros.
    func padded(to digitCount: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, digitCount - digits.count)) + digits
    }
}

extension tm {
    /// `2026-07-04`.
    var dateText: String { "\((tm_year + 1900).padded(to: 4))-\((tm_mon + 1).padded(to: 2))-\(tm_mday.padded(to: 2))" }

    /// `14.03.22`: a colon may stand in no file name of Windows.
    var clockText: String { "\(tm_hour.padded(to: 2)).\(tm_min.padded(to: 2)).\(tm_sec.padded(to: 2))" }
}
