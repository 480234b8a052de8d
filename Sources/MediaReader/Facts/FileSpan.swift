import Glibc

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
            let position = off_t(exactly: offset)
        else { return nil }
        let wanted = Int(count)
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, done in
            while done < wanted {
                let result = pread(descriptor, buffer.baseAddress! + done, wanted - done, position + off_t(done))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { return }
                done += result
            }
        }
        return bytes.count == wanted ? bytes : nil
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
