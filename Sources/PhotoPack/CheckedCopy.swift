import AlbumModel
import Crypto

/// Hashes bytes on their way into a file.
struct CheckedCopy {
    private var hasher = SHA256()
    private(set) var byteCount: UInt64 = 0

    mutating func pass(_ bytes: UnsafeRawBufferPointer, to file: NewFile) throws {
        hasher.update(bufferPointer: bytes)
        byteCount += UInt64(bytes.count)
        try file.write(bytes)
    }

    var blob: BlobID { BlobID(digest: hasher.finalize()) }
}
