/// Degrees, minutes and seconds, or a time of day, as text.
///
/// Commas are ambiguous: XMP separates by them, and computers of half of Europe write them for the decimal point. What
/// can be read in two ways is not read: no place is better than one a hundred kilometres off.
struct WrittenTriple {
    /// Three, those that are not written being zero.
    let parts: [Double]

    /// Reads `52,50,34.0118`, `52 50 34.01`, `52/1,50/1,3401/100`, `52° 50' 34"`, `52.8427`, and with decimal commas
    /// `52,00000,50,00000,34,01180`.
    ///
    /// - Parameter allowsPair: Whether `52,50` is two numbers, as XMP has it; else it is not read.
    init?(_ text: some StringProtocol, allowsPair: Bool = false) {
        let numbers = text.split { !($0.isASCII && $0.isNumber || $0 == "." || $0 == "/") }
        guard (1...6).contains(numbers.count), !text.contains("-") else { return nil }
        let isWhole = !text.contains(".") && !text.contains("/")
        let values: [Double?]
        switch numbers.count {
        case 6 where isWhole && text.filter({ $0 == "," }).count == 5:
            values = stride(from: 0, to: 6, by: 2).map { Double("\(numbers[$0]).\(numbers[$0 + 1])") }
        case 2 where isWhole && text.contains(",") && !allowsPair: return nil
        case 1...3: values = numbers.map { Self.value($0) }
        default: return nil
        }
        let parts = values.compactMap { $0 }
        guard parts.count == values.count, parts.dropFirst().allSatisfy({ $0 <= 60 }) else { return nil }
        self.parts = parts + Array(repeating: 0, count: 3 - parts.count)
    }

    private static func value(_ number: some StringProtocol) -> Double? {
        let halves = number.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        guard let above = halves[0] else { return nil }
        guard halves.count > 1 else { return above }
        guard halves.count == 2, let below = halves[1], below > 0 else { return nil }
        return above / below
    }
}
