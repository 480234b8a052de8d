import NIOCore

/// Where the bytes of an answer are read from.
public protocol PieceSource: Sendable {
    /// Reads up to `target.count` bytes from `offset` on and says how many; 0 only at the end. May block: it is called on
    /// the blocking pool, one call at a time per answer.
    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Which of the two bulk queues an answer waits in; thumbnails go first.
public enum BulkClass: Int, Hashable, Sendable, CaseIterable {
    case thumbnail
    case original
}

/// One task of the blocking pool: read a part of an answer as ready-made frames.
struct ReadOrder: Sendable {
    let ticket: UInt64
    let bulkClass: BulkClass
    let number: UInt32
    let source: any PieceSource
    /// Where the part begins in the source and in the answer.
    let sourceOffset: UInt64
    let offset: Int
    let byteCount: Int
    let isLast: Bool
    let precedence: UInt64

    /// Blocks. The frames lie one after the other, all but the last of full length; an empty answer is one empty frame.
    func read(allocator: ByteBufferAllocator) throws -> ByteBuffer {
        let frameCount = max(1, (byteCount + BulkHeader.dataByteCountMax - 1) / BulkHeader.dataByteCountMax)
        var frames = allocator.buffer(capacity: byteCount + frameCount * BulkHeader.byteCount)
        var done = 0
        repeat {
            let count = min(BulkHeader.dataByteCountMax, byteCount - done)
            frames.writeBulkHeader(number: number, offset: offset + done, byteCount: count)
            try frames.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
                try fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), from: sourceOffset + UInt64(done))
                return count
            }
            done += count
        } while done < byteCount
        return frames
    }

    private func fill(_ memory: UnsafeMutableRawBufferPointer, from offset: UInt64) throws {
        var filled = 0
        while filled < memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            let count = try source.read(at: offset + UInt64(filled), into: rest)
            guard count > 0 else { throw SourceEnded() }
            filled += count
        }
    }

    /// The source is shorter than the answer ought to be.
    struct SourceEnded: Error {}
}
