import AlbumModel
import Glibc

/// A date of HTTP, by RFC 9110, section 5.6.7: whole seconds, in Greenwich.
public struct HTTPTimestamp: Hashable, Comparable, Sendable {
    public var secondsSince1970: Int64

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Reads the form of today and both obsolete ones: `Sun, 06 Nov 1994 08:49:37 GMT`,
    /// `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. The day of the week is not checked.
    /// Years of two digits are those of 1970 to 2069: no file of ours is older, and nobody sends these forms any more.
    public init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        var (day, month, year, clock): (Substring?, Substring?, Int?, Substring?) = (nil, nil, nil, nil)
        switch parts.count {
        case 6 where parts[0].hasSuffix(",") && parts[5] == "GMT":
            (day, month, clock) = (Substring(parts[1]), Substring(parts[2]), Substring(parts[4]))
            year = Self.number(parts[3], 4)
        case 4 where parts[0].hasSuffix(",") && parts[3] == "GMT":
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, let short = Self.number(date[2], 2) else { return nil }
            (day, month, clock) = (Substring(date[0]), Substring(date[1]), Substring(parts[2]))
            year = short < 70 ? 2000 + short : 1900 + short
        case 5:
            (day, month, clock) = (Substring(parts[2]), Substring(parts[1]), Substring(parts[3]))
            year = Self.number(parts[4], 4)
        default: return nil
        }
        guard let day = day.flatMap({ Self.number($0, $0.utf8.count) }), let year,
            let month = month.flatMap({ name in Self.months.firstIndex { $0 == name } }),
            let clock = clock?.split(separator: ":", omittingEmptySubsequences: false), clock.count == 3,
            let hour = Self.number(clock[0], 2), let minute = Self.number(clock[1], 2),
            let second = Self.number(clock[2], 2), hour < 24, minute < 60, second <= 60, year >= 1,
            (1...CivilDate.dayCount(year: year, month: month + 1)).contains(day)
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
        secondsSince1970 = Int64(timegm(&fields))
    }

    private static func number(_ text: some StringProtocol, _ digitCount: Int) -> Int? {
        guard text.utf8.count == digitCount, (1...4).contains(digitCount),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }

    /// In the form of today.
    public var text: String {
        var (seconds, fields) = (time_t(secondsSince1970), tm())
        gmtime_r(&seconds, &fields)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [fields.tm_hour, fields.tm_min, fields.tm_sec].map(two).joined(separator: ":")
        let year = String(Int(fields.tm_year) + 1900)
        let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
        let date = "\(two(fields.tm_mday)) \(Self.months[Int(fields.tm_mon)]) \(padded)"
        return "\(Self.days[Int(fields.tm_wday)]), \(date) \(clock) GMT"
    }

    public static func < (left: HTTPTimestamp, right: HTTPTimestamp) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}
