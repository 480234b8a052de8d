/// Writes numbers and texts, lowest byte first, each text after its length in 16 bits.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Leaves out what ``ByteReader/readText(byteCountMax:)`` would refuse: control characters, and what is too long.
    mutating func write(_ text: String, byteCountMax: Int) {
        var cut: [UInt8] = []
        for scalar in text.unicodeScalars where scalar.properties.generalCategory != .control {
            let encoded = UTF8.encode(scalar)!
            guard cut.count + encoded.count <= byteCountMax else { break }
            cut += encoded
        }
        write(UInt16(cut.count))
        bytes += cut
    }

    mutating func write(_ block: [UInt8]) {
        write(UInt32(block.count))
        bytes += block
    }
}

/// Reads what ``ByteWriter`` wrote; `nil` from the first thing on that is not so.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func read<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type = Value.self) -> Value? {
        guard let bytes = take(Value.bitWidth / 8) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Value($1) }
    }

    /// A text of at most so many bytes, which must be UTF-8 without control characters.
    mutating func readText(byteCountMax: Int) -> String? {
        guard let count = read(UInt16.self), count <= byteCountMax, let bytes = take(Int(count)) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : text
    }

    mutating func readBlock(byteCountMax: Int) -> [UInt8]? {
        guard let count = read(UInt32.self), count <= byteCountMax else { return nil }
        return take(Int(count)).map(Array.init)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
