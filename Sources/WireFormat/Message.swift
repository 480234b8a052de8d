public import AlbumModel

/// What one device tells another over an admitted connection.
public enum Message: Hashable, Sendable {
    case hello(Hello)
    case vector(VersionVector)
    case batches(BatchPage)
    /// Points of a replica's chain, newest first, asked for when neither side knows the other's head.
    case chainSample(ReplicaID, points: [Head])
    /// Everything that the sender holds; replaces what it said before.
    case presence(Presence)
    /// Blobs that the sender has come to hold since.
    case held([BlobID])
    case request(PieceRequest)
    /// The request with this number is not answered: the sender does not hold the blob.
    case refused(number: UInt32)
    /// The sender no longer wants the piece of this request.
    case cancelled(number: UInt32)
    case pieceListRequest(BlobID)
    /// `nil` says that the sender does not hold the blob.
    case pieceList(BlobID, PieceList?)
    case ping(UInt64)
    case pong(UInt64)
    /// The folded state, to be compared when vectors are equal.
    case digests([AlbumDigest], vectorHash: [UInt8])
    /// The page with this number is durable.
    case acknowledged(page: UInt64)
}

/// The first message of either side.
public struct Hello: Hashable, Sendable {
    /// The protocol's version.
    public var version: UInt32
    /// 16 bytes, drawn when the agent started: tells a restarted agent from a second connection.
    public var run: [UInt8]
    /// Where the sender listens; 0 if it does not.
    public var port: UInt16
    /// ``Catalog/level`` of the sender.
    public var foldLevel: UInt32

    public init(version: UInt32, run: [UInt8], port: UInt16, foldLevel: UInt32) {
        self.version = version
        self.run = run
        self.port = port
        self.foldLevel = foldLevel
    }
}

/// Some batches in an order in which they can be applied, and piece lists of the photos that they add.
public struct BatchPage: Hashable, Sendable {
    public var batches: [SignedBatch]
    public var pieceLists: [BlobID: PieceList]
    /// Not 0: the receiver is to acknowledge this number once the batches are durable.
    public var page: UInt64

    public init(batches: [SignedBatch], pieceLists: [BlobID: PieceList] = [:], page: UInt64) {
        self.batches = batches
        self.pieceLists = pieceLists
        self.page = page
    }
}

/// Which originals a device holds, as runs of the numbers of the changes that added them.
///
/// Inside a run every live add is of a held blob; numbers of other changes may lie in it too.
public struct Presence: Hashable, Sendable {
    /// Of each replica that did not fork: sorted, disjoint runs.
    public var runs: [ReplicaID: [ClosedRange<UInt64>]]
    /// Blobs that runs cannot name: those of replicas that forked.
    public var others: Set<BlobID>

    public init(runs: [ReplicaID: [ClosedRange<UInt64>]] = [:], others: Set<BlobID> = []) {
        self.runs = runs
        self.others = others
    }
}

/// Whether a blob is an original or derived from one.
public enum BlobClass: UInt32, Hashable, Comparable, Sendable {
    case thumbnail = 0
    case original = 1

    public static func < (left: BlobClass, right: BlobClass) -> Bool { left.rawValue < right.rawValue }
}

/// Asks for one piece of a blob.
public struct PieceRequest: Hashable, Sendable {
    /// Names the request on its connection; never used again there.
    public var number: UInt32
    public var blob: BlobID
    public var piece: Int
    /// How long the piece is, as the sender believes from what a contributor signed.
    public var byteCount: Int
    public var blobClass: BlobClass

    public init(number: UInt32, blob: BlobID, piece: Int, byteCount: Int, blobClass: BlobClass) {
        self.number = number
        self.blob = blob
        self.piece = piece
        self.byteCount = byteCount
        self.blobClass = blobClass
    }
}

public struct AlbumDigest: Hashable, Sendable {
    public var album: AlbumID
    /// ``Album/digest``.
    public var digest: [UInt8]

    public init(album: AlbumID, digest: [UInt8]) {
        self.album = album
        self.digest = digest
    }
}
