import AlbumModel

/// A point in time as reports show it: RFC 3339 in UTC, to the millisecond.
///
/// Integers only, so that a value that is written, read and written again stays the same text.
public struct Instant: Hashable, Comparable, Sendable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds.
    public var millisecondsSince1970: Int64

    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    public init(microsecondsSince1970: UInt64) {
        millisecondsSince1970 = Int64(microsecondsSince1970 / 1000)
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }
}

extension Instant {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// `2026-11-21T13:44:29.250Z`.
    public var text: String {
        let (day, clock) = millisecondsSince1970.flooringDivided(by: Self.dayMilliseconds)
        let date = CivilDate(daysSince1970: day)
        return "\(date.text)T\(DayClock.text(seconds: clock / 1000)).\(Digits.padded(clock % 1000, to: 3))Z"
    }

    /// `2026-11-21`, in UTC.
    public var dateText: String {
        CivilDate(daysSince1970: millisecondsSince1970.flooringDivided(by: Self.dayMilliseconds).quotient).text
    }

    /// Reads what ``text`` writes; the fraction may be missing. `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        // Bytes, since finding the characters takes most of a long listing's time.
        let bytes = Array(text.utf8)
        guard bytes.last == UInt8(ascii: "Z") else { return nil }
        let halves = Self.parts(bytes.dropLast(), separator: "T")
        guard halves.count == 2 else { return nil }
        let date = Self.parts(halves[0], separator: "-").map { Int64(Self.string($0)) }
        let clock = Self.parts(halves[1], separator: ".")
        let time = Self.parts(clock[0], separator: ":").map { Int64(Self.string($0)) }
        guard date.count == 3, time.count == 3, clock.count <= 2,
            let year = date[0], let month = date[1], let day = date[2], (1...12).contains(month),
            (1...31).contains(day), (1...9999).contains(year),
            let hour = time[0], let minute = time[1], let second = time[2],
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        var milliseconds: Int64 = 0
        if clock.count == 2 {
            guard clock[1].count == 3, let fraction = UInt16(Self.string(clock[1])) else { return nil }
            milliseconds = Int64(fraction)
        }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        let seconds = (hour * 60 + minute) * 60 + second
        self.init(millisecondsSince1970: days * Self.dayMilliseconds + seconds * 1000 + milliseconds)
    }

    private static func parts(_ bytes: ArraySlice<UInt8>, separator: Unicode.Scalar) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let instant = Instant(parsing: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 instant in UTC")
        }
        self = instant
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
