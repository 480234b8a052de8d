/// Base64 with the alphabet for addresses and without padding, by RFC 4648, section 5.
public enum Base64URL {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        Array(bytes).withUnsafeBytes { append($0, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` for what ``text(_:)`` would not have written: other characters, padding, bits beyond the last byte.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let units = text.utf8
        guard units.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(units.count * 3 / 4)
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        for unit in units {
            guard let value = value(unit) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            bits &= 1 << bitCount - 1
        }
        return bits == 0 ? bytes : nil
    }

    static func append(_ source: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        let alphabet = alphabet.utf8Start
        let count = (source.count * 8 + 5) / 6
        // Written at once: an array asks for room with every single element.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { characters in
            var end = 0
            for start in stride(from: 0, to: source.count, by: 3) {
                var bits = Int(source[start]) << 16
                if start + 1 < source.count { bits |= Int(source[start + 1]) << 8 }
                if start + 2 < source.count { bits |= Int(source[start + 2]) }
                for shift in stride(from: 18, through: 0, by: -6) where end < count {
                    characters[end] = alphabet[bits >> shift & 63]
                    end += 1
                }
            }
            text.append(contentsOf: UnsafeBufferPointer(characters))
        }
    }

    private static func value(_ unit: UInt8) -> UInt32? {
        switch unit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(unit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(unit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(unit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
