import AlbumModel

/// What a clock on the wall showed, in no time zone, to the millisecond.
///
/// It is compared as it is: photos are told apart by what the clock showed where they were taken.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// From 1970-01-01T00:00:00 of that clock.
    public var milliseconds: Int64

    private static let dayMilliseconds: Int64 = 86_400_000

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: LocalTime, right: LocalTime) -> Bool { left.milliseconds < right.milliseconds }

    /// `2026-11-21T13:44:29`; parts of a second are left out.
    public var text: String {
        let (day, clock) = milliseconds.flooringDivided(by: Self.dayMilliseconds)
        return "\(CivilDate(daysSince1970: day).text)T\(DayClock.text(seconds: clock / 1000))"
    }

    /// Reads a year, a month, a day, a minute or a second, such as `2026`, `2026-11`, `2026-11-21`, `2026-11-21T13:44`
    /// or `2026-11-21 13:44:29`, and gives its beginning; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        let halves = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard (1...2).contains(halves.count), let date = Self.numbers(halves[0], "-", digitCounts: [4, 2, 2]),
            (1...9999).contains(date[0])
        else { return nil }
        let (month, day) = (date.count > 1 ? date[1] : 1, date.count > 2 ? date[2] : 1)
        let days = CivilDate(year: date[0], month: month, day: day).daysSince1970
        // A day that its month does not have comes back as another one.
        guard (1...12).contains(month), CivilDate(daysSince1970: days).day == day else { return nil }
        var seconds: Int64 = 0
        if halves.count == 2 {
            guard date.count == 3, let clock = Self.numbers(halves[1], ":", digitCounts: [2, 2, 2]), clock.count >= 2,
                clock[0] < 24, clock.dropFirst().allSatisfy({ $0 < 60 })
            else { return nil }
            seconds = clock[0] * 3600 + clock[1] * 60 + (clock.count > 2 ? clock[2] : 0)
        }
        milliseconds = days * Self.dayMilliseconds + seconds * 1000
    }

    /// As many numbers as there are, each of exactly its count of digits.
    private static func numbers(
        _ text: some StringProtocol, _ separator: Character, digitCounts: [Int]
    ) -> [Int64]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= digitCounts.count else { return nil }
        var numbers: [Int64] = []
        for (part, digitCount) in zip(parts, digitCounts) {
            guard part.utf8.count == digitCount, part.allSatisfy(\.isWholeNumber), let number = Int64(part) else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }
}

extension LocalTime: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = LocalTime(parsing: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a local time")
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
