/// Text from people and other devices as parts of a page: nothing that they write means anything there.
public enum HTMLText {
    /// For text between tags, and for the values of attributes in double quotes.
    public static func escaped(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe.append(contentsOf: "&amp;".unicodeScalars)
            case "<": safe.append(contentsOf: "&lt;".unicodeScalars)
            case ">": safe.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": safe.append(contentsOf: "&quot;".unicodeScalars)
            case "'": safe.append(contentsOf: "&#39;".unicodeScalars)
            default: safe.append(isShown(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return String(safe)
    }

    /// Control characters would be errors in HTML; marks of direction could make a name look like another.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n" || scalar == "\t"
        case .format: !scalar.properties.isBidiControl
        case .surrogate, .unassigned: false
        default: true
        }
    }

    /// A path below the page, as an address: every byte that could mean something else is written as `%` and digits.
    public static func address(_ path: String) -> String {
        var safe = ""
        for byte in path.utf8 {
            if isPlain(byte) {
                safe.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                safe += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return safe
    }

    /// RFC 3986's unreserved characters, and the slash between the parts of a path.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~/".utf8.contains(byte)
        }
    }
}
