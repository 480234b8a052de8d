public import Crypto

/// The unit in which blobs are verified and resumed.
public enum Pieces {
    /// 1 MiB: one piece is small beside a slow link's patience and large beside its own hash.
    public static let byteCount: UInt64 = 1 << 20

    /// How many pieces a blob has; an empty blob has one, of no bytes.
    public static func count(blobByteCount: UInt64) -> Int {
        max(1, Int((blobByteCount + byteCount - 1) / byteCount))
    }

    /// The bytes of a blob that a piece holds. `piece` counts from 0 and must be below ``count(blobByteCount:)``.
    public static func range(of piece: Int, blobByteCount: UInt64) -> Range<UInt64> {
        let start = UInt64(piece) * byteCount
        return start..<min(start + byteCount, max(start, blobByteCount))
    }
}

/// The SHA-256 of each piece of a blob longer than one piece.
public struct PieceList: Hashable, Sendable {
    /// One hash a piece, in order.
    public var hashes: [BlobID]

    public init(hashes: [BlobID]) {
        self.hashes = hashes
    }

    /// SHA-256 over all hashes, one after the other: what a ``PhotoAddition`` carries.
    public var listHash: BlobID {
        var hasher = SHA256()
        for hash in hashes { hasher.update(data: hash.bytes) }
        return BlobID(digest: hasher.finalize())
    }
}

extension ByteIdentifier {
    /// The identifier that a SHA-256 gives: its first ``byteCount`` bytes.
    public init(digest: SHA256Digest) {
        let identifier = digest.withUnsafeBytes { Self(bytes: $0.prefix(Self.byteCount)) }
        self = identifier!
    }
}
