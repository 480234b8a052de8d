/// The checksum of ZIP archives: CRC-32 of ISO 3309, reflected, as zlib computes it.
///
/// Eight bytes a step, after Kounavis and Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC
/// Generation" (2008).
public struct CRC32: Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    public init() {}

    /// Of all bytes so far.
    public var value: UInt32 { ~state }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var crc = state
        Self.tables.withUnsafeBufferPointer { table in
            var offset = 0
            while bytes.count - offset >= 8 {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let low = crc ^ UInt32(truncatingIfNeeded: word)
                let high = UInt32(truncatingIfNeeded: word >> 32)
                crc = table[7 << 8 | Int(low & 255)] ^ table[6 << 8 | Int(low >> 8 & 255)]
                crc ^= table[5 << 8 | Int(low >> 16 & 255)] ^ table[4 << 8 | Int(low >> 24)]
                crc ^= table[3 << 8 | Int(high & 255)] ^ table[2 << 8 | Int(high >> 8 & 255)]
                crc ^= table[1 << 8 | Int(high >> 16 & 255)] ^ table[Int(high >> 24)]
                offset += 8
            }
            for byte in bytes[offset...] { crc = table[Int((crc ^ UInt32(byte)) & 255)] ^ crc >> 8 }
        }
        state = crc
    }

    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Eight tables of 256: what a byte becomes when so many zero bytes follow it.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = tables[Int(before & 255)] ^ before >> 8
        }
        return tables
    }()
}
