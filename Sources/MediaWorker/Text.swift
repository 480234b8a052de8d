/// Words out of files.
enum Text {
    /// Without control characters and without spaces around them. What is no UTF-8 is taken for Latin-1, which cameras
    /// of old wrote.
    static func clean(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let text =
            String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
        let kept = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return trimmed(String(String.UnicodeScalarView(kept)))
    }

    static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// As ExifTool prints a number: whole ones without a point, at most so many digits behind it else.
    static func number(_ value: Double, digits: Int = 9) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let whole = (abs(value) * scale).rounded()
        guard whole < 9e18 else { return "\(value)" }
        let (above, below) = Int64(whole).quotientAndRemainder(dividingBy: Int64(scale))
        var behind = String(below)
        behind = String(repeating: "0", count: digits - behind.count) + behind
        while behind.last == "0" { behind.removeLast() }
        return (value < 0 ? "-" : "") + String(above) + (behind.isEmpty ? "" : "." + behind)
    }
}

extension Text {
    /// The lines that are not empty, trimmed.
    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { trimmed(String($0)) }.filter { !$0.isEmpty }
    }
}
