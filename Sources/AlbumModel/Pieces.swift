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

/// What each piece of a blob longer than one piece is verified by, of either of two kinds.
///
/// - A *chained* list has, for each piece but the last, SHA-256's eight words after it, and for the last the blob's name.
///   A piece is right where the words before it and its bytes give those after it; if all are, the whole is.
/// - A list of *piece hashes* has the SHA-256 of each piece, and says nothing of the whole. Earlier versions made them.
public struct PieceList: Hashable, Sendable {
    /// One for each piece, in order.
    public var hashes: [BlobID]

    public init(hashes: [BlobID]) {
        self.hashes = hashes
    }

    /// Whether it is a chained list of this blob: no other has its name at the end, since no piece has the whole's hash.
    public func isChained(of blob: BlobID) -> Bool { hashes.last == blob }

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
