import AlbumModel

/// What the clock showed when a photo was taken, in no time zone, to the millisecond.
///
/// One number of 59 bits whose order is that of time: an album of 50,000 photos is sorted without calendar arithmetic.
public struct GridTime: Hashable, Comparable, Sendable {
    private static let dayShift: Int64 = 27
    private static let monthShift: Int64 = 32

    /// Year (14 bits), month (4), day (5), millisecond of the day (27).
    private let packed: Int64

    /// `nil` for what no clock shows; years are 1 to 9999.
    public init?(year: Int, month: Int, day: Int, millisecondOfDay: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (0..<86_400_000).contains(millisecondOfDay),
            (1...CivilDate.dayCount(year: year, month: month)).contains(day)
        else { return nil }
        packed =
            Int64(year * 16 + month) << Self.monthShift | Int64(day) << Self.dayShift | Int64(millisecondOfDay)
    }

    /// Reads `2026-08-14T18:40:07`, with or without a fraction and an offset, which says nothing about the clock.
    public init?(parsing text: some StringProtocol) {
        var digits = DigitReader(text.utf8)
        guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2), digits.skip("-"),
            let day = digits.number(2), digits.skip("T"), let hour = digits.number(2), digits.skip(":"),
            let minute = digits.number(2), digits.skip(":"), let second = digits.number(2), hour < 24, minute < 60,
            second < 60, let milliseconds = digits.fraction(), digits.isAtOffset
        else { return nil }
        self.init(
            year: year, month: month, day: day,
            millisecondOfDay: ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds)
    }

    public var month: GridMonth { GridMonth(number: Int32(packed >> Self.monthShift)) }
    /// Counts from 1.
    public var day: Int { Int(packed >> Self.dayShift) & 31 }
    public var millisecondOfDay: Int { Int(packed & (1 << Self.dayShift - 1)) }

    public static func < (left: GridTime, right: GridTime) -> Bool { left.packed < right.packed }
}

/// Takes a text of digits and marks apart, from left to right.
private struct DigitReader<Units: Collection<UInt8>> {
    private var rest: Units.SubSequence

    init(_ units: Units) {
        rest = units[...]
    }

    /// `nil` unless that many digits come next.
    mutating func number(_ digitCount: Int) -> Int? {
        var value = 0
        for _ in 0..<digitCount {
            guard let unit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) else { return nil }
            value = value * 10 + Int(unit - UInt8(ascii: "0"))
            rest.removeFirst()
        }
        return value
    }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// Milliseconds of a fraction of up to nine digits; 0 without one, `nil` for a dot without digits.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        var (value, digitCount) = (0, 0)
        while let digit = number(1) {
            if digitCount < 3 { value = value * 10 + digit }
            digitCount += 1
        }
        guard (1...9).contains(digitCount) else { return nil }
        while digitCount < 3 {
            value *= 10
            digitCount += 1
        }
        return value
    }

    /// Whether nothing is left, or what can only be an offset.
    var isAtOffset: Bool {
        guard let mark = rest.first else { return true }
        return mark == UInt8(ascii: "Z") ? rest.count == 1 : "+-".utf8.contains(mark) && rest.count == 6
    }
}
