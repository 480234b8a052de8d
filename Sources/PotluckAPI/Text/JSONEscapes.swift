import AlbumModel
import FoundationEssentials

/// Escapes in JSON what must not reach a terminal or a log as it is; a parser reads the same texts.
enum JSONEscapes {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Outside of its texts JSON is ASCII: whatever is not stands in a text, and may be written as an escape.
    static func escaped(_ json: Data) -> Data {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var text = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar.isUnsafeToShow {
                text += escape(scalar)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return Data(text.utf8)
    }

    /// Such as `\u202e`; two of them, which form a surrogate pair, for a character beyond the first 65,536.
    static func escape(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.reduce(into: "") { text, unit in
            let nibbles = [unit >> 12, unit >> 8, unit >> 4, unit].map { digits[Int($0 & 0xF)] }
            text += "\\u" + String(decoding: nibbles, as: UTF8.self)
        }
    }
}
