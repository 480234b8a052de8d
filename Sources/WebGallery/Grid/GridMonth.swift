/// A month of the grid, or the place of photos without a date.
///
/// Ordered as the grid shows them: the newest first, what has no date at the end.
public struct GridMonth: Hashable, Comparable, Sendable {
    public static let undated = GridMonth(number: 0)
    private static let undatedText = "undated"

    /// Sixteen times the year, and the month; 0 without a date.
    let number: Int32

    init(number: Int32) {
        self.number = number
    }

    /// `nil` for a month that no calendar of four digits has.
    public init?(year: Int, month: Int) {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        number = Int32(year * 16 + month)
    }

    /// Reads `2026-08` and `undated`.
    public init?(parsing text: some StringProtocol) {
        if text == Self.undatedText {
            self = .undated
            return
        }
        let units = Array(text.utf8)
        guard units.count == 7, units[4] == UInt8(ascii: "-"),
            (units[..<4] + units[5...]).allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let year = Int(text.prefix(4)), let month = Int(text.suffix(2))
        else { return nil }
        self.init(year: year, month: month)
    }

    /// `nil` for ``undated``.
    public var year: Int? { number == 0 ? nil : Int(number >> 4) }
    /// Counts from 1; `nil` for ``undated``.
    public var month: Int? { number == 0 ? nil : Int(number & 15) }

    public var text: String {
        guard let year, let month else { return Self.undatedText }
        let digits = String(year)
        return "\(String(repeating: "0", count: 4 - digits.count))\(digits)-\(month < 10 ? "0" : "")\(month)"
    }

    public static func < (left: GridMonth, right: GridMonth) -> Bool { left.number > right.number }
}
