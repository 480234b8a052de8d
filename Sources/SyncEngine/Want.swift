public import AlbumModel
import WireFormat

/// Names one admitted connection in this run of the agent.
public struct LinkID: Hashable, Comparable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }

    public static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}

/// What a contributor says of a blob's size and pieces.
public struct BlobClaim: Hashable, Sendable {
    public var byteCount: UInt64
    public var pieceListHash: BlobID?
}

/// A blob that this device lacks, and how far it has come.
struct Want: Sendable {
    /// Transitions: waiting → needsList → opening → receiving → committing, skipping needsList for blobs of one piece;
    /// each but committing may go back to waiting, or to paused until a moment; rejected until another claim arrives.
    enum Stage: Hashable, Sendable {
        case waiting
        case needsList(asked: ListRequest?)
        case opening
        case receiving
        case committing
        case paused(until: MonotonicInstant, reason: String)
        case rejected
    }

    struct ListRequest: Hashable, Sendable {
        var link: LinkID
        var since: MonotonicInstant
    }

    let blob: BlobID
    let blobClass: BlobClass
    /// Readings are compared by the second, so that of one age the small go first.
    let age: UInt64
    /// Distinct claims of the contributors, the one to be tried first first.
    var claims: [BlobClaim]
    var stage = Stage.waiting
    var list: PieceList?
    var isPieceHeld: [Bool] = []
    var heldPieceCount = 0
    /// Links whose peers hold the blob, as far as they said; ordered.
    var holders: [LinkID] = []
    /// Requests on their way, by piece.
    var asked: [Int: [UInt32]] = [:]
    /// No piece below this is neither held nor asked.
    var firstOpenPiece = 0
    /// Peers that sent wrong pieces of this blob, or no list.
    var condemned: Set<DeviceID> = []
    var condemnedClaims: Set<BlobClaim> = []

    var claim: BlobClaim? { claims.first { !condemnedClaims.contains($0) } }

    var byteCount: UInt64 { (claim ?? claims[0]).byteCount }

    var pieceCount: Int { Pieces.count(blobByteCount: byteCount) }

    var priority: WantPriority { WantPriority(blobClass: blobClass, age: age, byteCount: byteCount, blob: blob) }

    func byteCount(of piece: Int) -> Int { Pieces.range(of: piece, blobByteCount: byteCount).count }

    var heldByteCount: UInt64 {
        isPieceHeld.indices.reduce(0) { isPieceHeld[$1] ? $0 + UInt64(byteCount(of: $1)) : $0 }
    }

    mutating func begin(held: [Bool]) {
        isPieceHeld = held
        heldPieceCount = held.count { $0 }
        firstOpenPiece = 0
        stage = .receiving
    }

    /// The first piece that is neither here nor on its way.
    mutating func nextOpenPiece() -> Int? {
        while firstOpenPiece < isPieceHeld.count, isPieceHeld[firstOpenPiece] || asked[firstOpenPiece] != nil {
            firstOpenPiece += 1
        }
        return firstOpenPiece < isPieceHeld.count ? firstOpenPiece : nil
    }

    /// A request ended without its piece.
    mutating func reopen(_ piece: Int, request: UInt32) {
        asked[piece]?.removeAll { $0 == request }
        if asked[piece]?.isEmpty == true {
            asked[piece] = nil
            firstOpenPiece = min(firstOpenPiece, piece)
        }
    }
}

/// Thumbnails before originals, the newest first, within one age the small before the huge.
struct WantPriority: Hashable, Comparable, Sendable {
    var blobClass: BlobClass
    var age: UInt64
    var byteCount: UInt64
    var blob: BlobID

    /// Less is more urgent.
    static func < (left: WantPriority, right: WantPriority) -> Bool {
        (left.blobClass, right.age, left.byteCount, left.blob)
            < (right.blobClass, left.age, right.byteCount, right.blob)
    }
}

/// Why a photo is not here yet.
public enum MissingReason: Hashable, Sendable {
    case queued
    case asking([DeviceID])
    case nobodyConnected
    case paused(String)
    /// Every contributor's description of the file turned out wrong.
    case rejected
}
