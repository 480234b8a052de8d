import AlbumExport
import Glibc
import PotluckAPI

/// When a photo was taken, as listings tell it: `2026-07-04T14:03:22`, with an offset such as `+02:00` where one is
/// known, and with `Z` where nobody knows which clocks were meant. What people read, and what names of exported files
/// say, comes from here, so that it is the same.
enum TakenText {
    /// `2026-08-01 14:30`: what clocks showed there, to the minute.
    static func shown(_ text: String) -> String {
        let clock = reading(text).map { LocalTime(milliseconds: $0.localMilliseconds).text } ?? text
        return String(clock.prefix(16).map { $0 == "T" ? " " : $0 })
    }

    /// What the clock showed; this laptop's for an instant of which no place is known.
    static func reading(_ text: String) -> ExportEntry.Reading? {
        let (clock, rest) = parts(text)
        guard let local = Instant(parsing: clock + "Z")?.millisecondsSince1970 else { return nil }
        if rest == "Z" {
            let offset = laptopOffset(at: local)
            return ExportEntry.Reading(localMilliseconds: local + Int64(offset) * 60_000, offsetMinutes: offset)
        }
        guard rest.isEmpty || offset(rest) != nil else { return nil }
        return ExportEntry.Reading(localMilliseconds: local, offsetMinutes: offset(rest))
    }

    /// The clock's text, and what follows it.
    private static func parts(_ text: String) -> (clock: String, rest: String) {
        guard let t = text.utf8.firstIndex(of: UInt8(ascii: "T")) else { return (text, "") }
        let end = text.utf8[t...].firstIndex { "Z+-".utf8.contains($0) } ?? text.endIndex
        return (String(text[..<end]), String(text[end...]))
    }

    /// Minutes of `+02:00`; `nil` for anything else.
    private static func offset(_ text: String) -> Int32? {
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
        guard let sign = text.first, "+-".contains(sign), parts.count == 2, let hours = parts[0],
            let minutes = parts[1],
            (0...14).contains(hours), (0..<60).contains(minutes)
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func laptopOffset(at milliseconds: Int64) -> Int32 {
        var time = time_t(milliseconds / 1000)
        var clock = tm()
        localtime_r(&time, &clock)
        return Int32(clock.tm_gmtoff / 60)
    }
}
