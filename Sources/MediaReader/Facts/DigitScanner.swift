/// Walks over a text that is mostly digits.
struct DigitScanner {
    private var bytes: ArraySlice<UInt8>

    init(_ text: String) { bytes = Array(text.utf8)[...] }

    var isAtEnd: Bool { bytes.isEmpty }
    /// Whether nothing follows but blanks, and the colons between them.
    var isBlank: Bool { bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") } }
    var rest: String { String(decoding: bytes, as: UTF8.self) }
    var peek: UInt8? { bytes.first }

    /// A number of so many digits; `nil`, and nothing is skipped, if there are fewer.
    mutating func number(_ count: ClosedRange<Int>) -> Int? {
        let digits = bytes.prefix(count.upperBound).prefix(while: \.isDigit)
        guard digits.count >= count.lowerBound else { return nil }
        bytes = bytes.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// All digits that follow.
    mutating func digits() -> String {
        let digits = bytes.prefix(while: \.isDigit)
        bytes = bytes.dropFirst(digits.count)
        return String(decoding: digits, as: UTF8.self)
    }

    mutating func skip(_ character: Unicode.Scalar) {
        bytes = bytes.drop { $0 == UInt8(ascii: character) }
    }

    /// Skips one character if it is one of these.
    mutating func skipOne(of characters: String) -> Bool {
        guard let next = bytes.first, characters.utf8.contains(next) else { return false }
        bytes = bytes.dropFirst()
        return true
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
