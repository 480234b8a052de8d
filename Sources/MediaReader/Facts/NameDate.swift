/// When a photo was taken, as its file's name tells.
struct NameDate: Hashable, Sendable {
    /// From 1970-01-01T00:00:00; the beginning of the day where the name has only that.
    var milliseconds: Int64
    /// 0 where the name is known to be in UTC; no name says any other offset.
    var offsetMinutes: Int32?

    /// Digital cameras, and names that are dates, are not older.
    private static let earliest = CivilTime(year: 1990, month: 1, day: 1)!.milliseconds
    private static let latest = CivilTime(year: 2099, month: 12, day: 31)!.milliseconds

    init?(_ name: String) {
        let bytes = Array(name.utf8.prefix(1024)).map(\.lowercased)
        let stem = bytes.lastIndex(of: UInt8(ascii: ".")).map { Array(bytes[..<$0]) } ?? bytes
        guard let found = Self.instant(stem) ?? Self.date(stem),
            (Self.earliest...Self.latest).contains(found.milliseconds)
        else { return nil }
        self = found
    }

    private init(milliseconds: Int64, offsetMinutes: Int32?) {
        self.milliseconds = milliseconds
        self.offsetMinutes = offsetMinutes
    }

    private static func instant(_ stem: [UInt8]) -> NameDate? {
        for (beginning, digitCount) in NamePattern.instants where stem.starts(with: beginning.utf8) {
            let digits = stem.dropFirst(beginning.utf8.count).prefix(while: \.isDigit)
            guard digits.count == digitCount else { continue }
            let number = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            return NameDate(milliseconds: digitCount == 10 ? number * 1000 : number, offsetMinutes: 0)
        }
        return nil
    }

    private static func date(_ stem: [UInt8]) -> NameDate? {
        for pattern in NamePattern.all {
            guard stem.starts(with: pattern.beginning.utf8),
                stem.reversed().starts(with: pattern.ending.utf8.reversed())
            else { continue }
            let first = pattern.beginning.utf8.count
            // Behind a given beginning the date follows at once.
            let last = pattern.beginning.isEmpty ? stem.count : first
            for start in first...last where !isInsideNumber(stem, start) {
                guard let found = NameMatch(pattern, in: stem[start...])?.civil else { continue }
                return NameDate(milliseconds: found.milliseconds, offsetMinutes: pattern.clock == .utc ? 0 : nil)
            }
        }
        return nil
    }

    private static func isInsideNumber(_ stem: [UInt8], _ index: Int) -> Bool {
        index > 0 && index < stem.count && stem[index].isDigit && stem[index - 1].isDigit
    }
}

/// A pattern's date, laid over a part of a name.
private struct NameMatch {
    private var fields: [UInt8: Int] = [:]
    private var milliseconds = 0

    init?(_ pattern: NamePattern, in text: ArraySlice<UInt8>) {
        var rest = text
        for symbol in pattern.date.utf8 {
            guard take(symbol, from: &rest) else { return nil }
        }
        guard rest.starts(with: pattern.then.utf8) else { return nil }
        let digits = rest.prefix(while: \.isDigit)
        // Three more digits are the milliseconds; any other number is none of a date's.
        guard digits.isEmpty || (digits.count == 3 && fields[UInt8(ascii: "s")] != nil) else { return nil }
        milliseconds = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        applyHalfOfDay(rest.dropFirst(digits.count))
    }

    var civil: CivilTime? {
        func field(_ symbol: Unicode.Scalar) -> Int { fields[UInt8(ascii: symbol)] ?? 0 }
        return CivilTime(
            year: field("Y"), month: field("M"), day: field("D"), hour: field("h"), minute: field("m"),
            second: field("s"), milliseconds: milliseconds)
    }

    private mutating func take(_ symbol: UInt8, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard let next = rest.first else { return false }
        switch symbol {
        case UInt8(ascii: "Y"), UInt8(ascii: "M"), UInt8(ascii: "D"), UInt8(ascii: "h"), UInt8(ascii: "m"),
            UInt8(ascii: "s"):
            guard next.isDigit else { return false }
            fields[symbol, default: 0] = fields[symbol, default: 0] * 10 + Int(next - UInt8(ascii: "0"))
            rest = rest.dropFirst()
        case UInt8(ascii: "-"):
            guard "-_. :".utf8.contains(next) else { return false }
            rest = rest.dropFirst()
        case UInt8(ascii: "~"):
            let blank = UInt8(ascii: " ")
            let word = rest.dropFirst().prefix(8).prefix { $0 != blank && !$0.isDigit }
            guard next == blank, !word.isEmpty, rest.dropFirst(1 + word.count).first == blank else { return false }
            rest = rest.dropFirst(2 + word.count)
        default:
            guard next == symbol.lowercased else { return false }
            rest = rest.dropFirst()
        }
        return true
    }

    /// " PM" behind the time, with a plain or a narrow no-break blank, as American Macs write it.
    private mutating func applyHalfOfDay(_ rest: ArraySlice<UInt8>) {
        let hour = UInt8(ascii: "h")
        guard let value = fields[hour], (1...12).contains(value) else { return }
        for blank in [" ", "\u{202F}"] {
            if rest.starts(with: "\(blank)pm".utf8) { fields[hour] = value % 12 + 12 }
            if rest.starts(with: "\(blank)am".utf8) { fields[hour] = value % 12 }
        }
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
