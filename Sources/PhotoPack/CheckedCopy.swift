import AlbumModel
import Crypto
import DiskIO

/// Hashes bytes on their way into a file.
struct CheckedCopy {
    private var hasher = SHA256()

    mutating func pass(_ bytes: UnsafeRawBufferPointer, to file: TemporaryFile) throws {
        hasher.update(bufferPointer: bytes)
        try file.append(bytes)
    }

    var blob: BlobID { BlobID(digest: hasher.finalize()) }
}

extension OpenFile {
    /// The name that its bytes have as a blob.
    func blobID() throws -> BlobID {
        var hasher = SHA256()
        try forEachChunk { bytes, _ in hasher.update(bufferPointer: bytes) }
        return BlobID(digest: hasher.finalize())
    }
}
