public import Crypto
public import DiskIO

extension OpenFile {
    /// The SHA-256 of its bytes. Blocks.
    ///
    /// - Parameter each: Is handed all bytes in order, a mebibyte at a time.
    /// - Throws: as ``forEachChunk(_:)`` does.
    public func sha256(each: (UnsafeRawBufferPointer) throws -> Void = { _ in }) throws -> SHA256Digest {
        var hasher = SHA256()
        try forEachChunk { bytes, _ in
            hasher.update(bufferPointer: bytes)
            try each(bytes)
        }
        return hasher.finalize()
    }
}
