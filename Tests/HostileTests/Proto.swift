/// Protobuf by hand: for what no encoder would write, and for what is so long that one built without optimisation would
/// take its time.
enum Proto {
    static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value
        var bytes: [UInt8] = []
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }

    static func fixed(_ field: UInt64, _ value: UInt64) -> [UInt8] {
        varint(field << 3 | 1) + withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func bytes(_ field: UInt64, _ payload: [UInt8]) -> [UInt8] {
        varint(field << 3 | 2) + varint(UInt64(payload.count)) + payload
    }

    /// The same bytes again and again, `byteCount` in all at most.
    static func repeated(_ element: [UInt8], byteCount: Int) -> [UInt8] {
        var bytes = element
        while bytes.count * 2 <= byteCount { bytes += bytes }
        return bytes + bytes.prefix((byteCount - bytes.count) / element.count * element.count)
    }
}
