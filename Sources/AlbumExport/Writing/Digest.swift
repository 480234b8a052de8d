import AlbumModel
import Crypto
import OutputFormats

/// What was written: enough to check it by, and to list it.
struct Written: Hashable, Sendable {
    /// SHA-256 of the bytes.
    var digest: BlobID
    var byteCount: UInt64
}

/// Computes what is told of bytes while they pass.
struct StreamDigest {
    private var hash = SHA256()
    /// Archives need it; elsewhere it is not computed.
    private var crc: CRC32?
    private(set) var byteCount: UInt64 = 0

    init(withCRC: Bool = false) {
        crc = withCRC ? CRC32() : nil
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        crc?.update(bytes)
        byteCount += UInt64(bytes.count)
    }

    var crcValue: UInt32 { crc?.value ?? 0 }

    var written: Written {
        guard let digest = BlobID(bytes: Array(hash.finalize())) else { preconditionFailure("SHA-256 has 32 bytes") }
        return Written(digest: digest, byteCount: byteCount)
    }
}
