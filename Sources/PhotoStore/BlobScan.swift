import AlbumModel
import Crypto
import DiskIO

/// Hashes a file as a whole, and makes its chained ``PieceList``, in one pass with one piece in memory.
enum BlobScan {
    private static let firstByteCountMax = 4096

    /// Reads from the start to the end. `each` gets every piece while its bytes are in the cache.
    ///
    /// - Parameter turns: in which each piece is hashed and handed to `each`, after it was read; none for `nil`.
    static func run(
        descriptor: Int32, path: String, turns: ProcessorTurns? = nil,
        each: (_ piece: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void
    ) throws -> IngestedBlob {
        try withPieceBuffer { buffer in
            var hasher = ResumableSHA256()
            var states: [BlobID] = []
            var byteCount: UInt64 = 0
            var firstBytes: [UInt8] = []
            func take(_ piece: UnsafeRawBufferPointer) throws {
                if byteCount == 0 {
                    firstBytes = Array(piece.prefix(firstByteCountMax))
                } else {
                    states.append(hasher.state)
                }
                hasher.update(piece)
                try each(piece, byteCount)
            }
            while true {
                let count = try Descriptor.read(descriptor, path: path, at: byteCount, into: buffer)
                if count == 0, byteCount > 0 { break }
                let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                if let turns { try turns.perform { try take(piece) } } else { try take(piece) }
                byteCount += UInt64(count)
                if count < buffer.count { break }
            }
            let id = hasher.finalize()
            return IngestedBlob(
                id: id, byteCount: byteCount, pieceList: states.isEmpty ? nil : PieceList(hashes: states + [id]),
                firstBytes: firstBytes)
        }
    }

    /// Lends room for one piece. Aligned to pages, it would be the kernel's anew each time, page by page.
    static func withPieceBuffer<Value>(_ body: (UnsafeMutableRawBufferPointer) throws -> Value) rethrows -> Value {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(Pieces.byteCount), alignment: 16)
        defer { buffer.deallocate() }
        return try body(buffer)
    }
}

extension BlobID {
    /// The SHA-256 of these bytes.
    init(piece: UnsafeRawBufferPointer) {
        var hasher = SHA256()
        hasher.update(bufferPointer: piece)
        self.init(digest: hasher.finalize())
    }
}
