import DiskIO

/// Reads a few bytes here and there in a file, or in a part of one. Blocks.
struct FileSpan {
    /// What is read at once is headers; whoever asks for more is misled by the file.
    private static let readByteCountMax: UInt64 = 1 << 17

    let descriptor: Int32
    /// In the file. What is read outside is `nil`.
    let range: Range<UInt64>

    /// `count` bytes at an offset from the file's beginning.
    func bytes(at offset: UInt64, count: UInt64) -> [UInt8]? {
        guard count <= Self.readByteCountMax, range.contains(offset), range.upperBound - offset >= count,
            offset <= UInt64(Int64.max),
            let bytes = try? Descriptor.bytes(descriptor, path: "a file", at: offset, atMost: Int(count)),
            bytes.count == Int(count)
        else { return nil }
        return bytes
    }

    /// The part that lies in both.
    func part(_ part: Range<UInt64>) -> FileSpan {
        FileSpan(descriptor: descriptor, range: range.clamped(to: part))
    }
}

extension RandomAccessCollection<UInt8> {
    /// The whole as one number, the highest byte first. At most eight bytes.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
    /// The whole as one number, the lowest byte first. At most eight bytes.
    var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
