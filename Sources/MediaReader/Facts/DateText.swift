/// A date as metadata writes it: EXIF's `2024:07:01 12:30:05`, ISO 8601, and what lies between, with a fraction of a
/// second and an offset where they stand.
struct DateText: Hashable, Sendable {
    /// By the clock that the text shows.
    var milliseconds: Int64
    /// Minutes east of UTC, if the text says so.
    var offsetMinutes: Int32?

    /// `nil` for zeros, blanks and everything else that is no date. A date without time of day begins it.
    init?(_ text: String) {
        var scanner = DigitScanner(text)
        scanner.skip(" ")
        guard let year = scanner.number(4...4) else { return nil }
        let month = scanner.skipOne(of: ":-/.") ? scanner.number(1...2) : 1
        let day = scanner.skipOne(of: ":-/.") ? scanner.number(1...2) : 1
        guard let month, let day, scanner.isAtEnd || scanner.skipOne(of: " T") else { return nil }
        var time = (hour: 0, minute: 0, second: 0, milliseconds: 0)
        // EXIF writes blanks for what is not known.
        if !scanner.isBlank {
            guard let hour = scanner.number(1...2), scanner.skipOne(of: ":"), let minute = scanner.number(1...2)
            else { return nil }
            time = (hour, minute, 0, 0)
            if scanner.skipOne(of: ":") {
                guard let second = scanner.number(1...2) else { return nil }
                time.second = second
                time.milliseconds = scanner.skipOne(of: ".,") ? Self.milliseconds(fraction: scanner.digits()) : 0
            }
        }
        guard
            let civil = CivilTime(
                year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second,
                milliseconds: time.milliseconds)
        else { return nil }
        milliseconds = civil.milliseconds
        offsetMinutes = Self.offset(scanner.rest)
    }

    /// `+02:00`, `-0330`, `+02` or `Z`; `nil` for everything else, and for what no place on Earth has.
    static func offset(_ text: String) -> Int32? {
        var scanner = DigitScanner(text)
        scanner.skip(" ")
        if scanner.skipOne(of: "Zz") { return scanner.isBlank ? 0 : nil }
        let isWest = scanner.peek == UInt8(ascii: "-")
        guard scanner.skipOne(of: "+-"), let hours = scanner.number(2...2) else { return nil }
        let hasColon = scanner.skipOne(of: ":")
        let minutes = hasColon || !scanner.isBlank ? scanner.number(2...2) : 0
        guard let minutes, scanner.isBlank, minutes < 60, hours * 60 + minutes <= 14 * 60 else { return nil }
        return Int32(hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    /// Thousandths of what stands behind a decimal point: `25` is 250, `0532` is 53. 0 for what are no digits.
    static func milliseconds(fraction: String) -> Int {
        let digits = fraction.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(3)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return [0, 100, 10, 1][digits.count] * value
    }
}
