/// Writes JSON as bytes, without values in between: the grid's months are written anew for every page that opens.
///
/// It does not check what belongs where; its callers put brackets and commas by ``raw(_:)``.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init(reservingCapacity byteCount: Int = 0) {
        bytes.reserveCapacity(byteCount)
    }

    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func integer(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// A number of thousandths as a decimal fraction, without zeros at its end.
    mutating func thousandths(_ value: Int) {
        integer(value / 1000)
        var rest = value % 1000
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var unit = 100
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / unit))
            (rest, unit) = (rest % unit, unit / 10)
        }
    }

    /// In quotes; controls and what a script element could take for its end are escaped.
    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for unit in text.utf8 {
            switch unit {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(unit)
            case 0..<0x20, UInt8(ascii: "<"), 0x7F:
                raw("\\u00")
                bytes.append(Self.digit(unit >> 4))
                bytes.append(Self.digit(unit & 15))
            default: bytes.append(unit)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The first bytes of an identifier in base64url and in quotes.
    mutating func base64url(_ source: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        Base64URL.append(source, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
