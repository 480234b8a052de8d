/// One edit, as its author signed it. What it means is decided by ``Catalog`` alone.
public indirect enum Change: Hashable, Sendable {
    /// Creates the album if it is new, else renames it.
    case albumNamed(AlbumID, name: String, replaces: [Dot])
    case photoAdded(PhotoAddition)
    /// Withdraws the named adds; the photo leaves the album when none remains.
    case photoRemoved(AlbumID, BlobID, adds: [Dot])
    case photoNamed(AlbumID, BlobID, name: String, replaces: [Dot])
    /// Sets the name of the signing device.
    case deviceNamed(String)
    case gatheringNamed(String, replaces: [Dot])
    /// What a reader found in the photo's bytes.
    case photoRead(AlbumID, BlobID, PhotoFacts)
    /// An empty caption is none.
    case photoCaptioned(AlbumID, BlobID, String, replaces: [Dot])
    /// Tags are compared by ``TagName/key(_:)``.
    case photoTagged(AlbumID, BlobID, String)
    /// Withdraws the named adds, which are those of the tag.
    case photoUntagged(AlbumID, BlobID, String, adds: [Dot])
    /// The signing device's person likes the photo, or a guest at its door. Versions that know no guests take either for
    /// the device's person.
    case photoFavoured(AlbumID, BlobID, guest: GuestID? = nil)
    /// Withdraws favours of guests, or those of devices' own people.
    case photoUnfavoured(AlbumID, BlobID, adds: [Dot], guest: GuestID? = nil)
    /// `nil` leaves the choice to whoever shows the album.
    case coverChosen(AlbumID, BlobID?, replaces: [Dot])
    /// So many seconds are to be added to what the camera's clock showed.
    case cameraClockSet(AlbumID, CameraKey, seconds: Int64, replaces: [Dot])
    /// The second photo takes the place of the first: the same bytes in another album, or an edit of them.
    case photoReplaced(PhotoKey, by: PhotoKey)
    /// Written by a guest, or by the signing device's person. Its dot names the comment.
    case photoCommented(AlbumID, BlobID, String, guest: GuestID?)
    case photoUncommented(AlbumID, BlobID, comments: [Dot])
    /// Of several names the latest counts.
    case guestNamed(GuestID, name: String)
    /// Ends what a guest may do at all doors, for good.
    case guestRevoked(GuestID)
    /// Links of earlier epochs open no door any longer; the greatest epoch counts.
    case guestEpochRaised(UInt64)
    /// At which TCP port the signing device lets guests in; 0 while it lets none in.
    case guestDoorMoved(port: UInt16)
    /// A kind that this version does not know: kept and forwarded, without effect.
    case unknown(kind: UInt32, payload: [UInt8])
}

/// A photo that joins an album.
public struct PhotoAddition: Hashable, Sendable {
    public var album: AlbumID
    public var blob: BlobID
    public var byteCount: UInt64
    /// SHA-256 over the hashes of all pieces; `nil` for a blob of at most one piece.
    public var pieceListHash: BlobID?
    /// The file's name where it was dropped.
    public var name: String
    /// By content, such as `image/jpeg`; empty where it is not known.
    public var mediaType: String
    /// The file's modification time in nanoseconds since 1970, UTC.
    public var modified: Int64
    /// Who brought it to the signing device's door; `nil` where its own person added it. Versions that know no guests
    /// leave it out of account.
    public var guest: GuestID?

    public init(
        album: AlbumID, blob: BlobID, byteCount: UInt64, pieceListHash: BlobID?, name: String, mediaType: String,
        modified: Int64, guest: GuestID? = nil
    ) {
        self.album = album
        self.blob = blob
        self.byteCount = byteCount
        self.pieceListHash = pieceListHash
        self.name = name
        self.mediaType = mediaType
        self.modified = modified
        self.guest = guest
    }
}

/// A run of consecutive changes of one replica, before it is encoded and signed.
public struct Batch: Hashable, Sendable {
    public var replica: ReplicaID
    /// The number of the first change.
    public var firstSequence: UInt64
    /// The batch before this one; `nil` for a replica's first.
    public var previous: BatchID?
    public var clock: ClockReading
    public var changes: [Change]
    /// Present in a replica's first batch, absent in all others.
    public var proof: ReplicaProof?

    public init(
        replica: ReplicaID, firstSequence: UInt64, previous: BatchID?, clock: ClockReading, changes: [Change],
        proof: ReplicaProof?
    ) {
        self.replica = replica
        self.firstSequence = firstSequence
        self.previous = previous
        self.clock = clock
        self.changes = changes
        self.proof = proof
    }

    public var lastSequence: UInt64 { firstSequence + UInt64(changes.count) - 1 }
}

/// A batch as it is stored and gossiped: the bytes that were signed, never encoded anew.
public struct SignedBatch: Hashable, Sendable {
    public var content: [UInt8]
    public var signature: [UInt8]

    public init(content: [UInt8], signature: [UInt8]) {
        self.content = content
        self.signature = signature
    }
}

/// Binds a replica to its device's key and to the gathering.
public struct ReplicaProof: Hashable, Sendable {
    /// The device's public key, DER (SubjectPublicKeyInfo).
    public var publicKey: [UInt8]
    /// 16 bytes, drawn when the replica began.
    public var nonce: [UInt8]
    /// HMAC-SHA-256 of key and nonce under the epoch's membership key.
    public var membershipCode: [UInt8]
    /// Under which epoch's key the code is; `nil` is the first epoch.
    public var epoch: EpochPrefix?
    /// Where the device goes on from another one: a copied home does, on its new laptop.
    public var succession: Succession?

    public init(
        publicKey: [UInt8], nonce: [UInt8], membershipCode: [UInt8], epoch: EpochPrefix? = nil,
        succession: Succession? = nil
    ) {
        self.publicKey = publicKey
        self.nonce = nonce
        self.membershipCode = membershipCode
        self.epoch = epoch
        self.succession = succession
    }
}

/// A hybrid logical clock's reading, in microseconds since 1970 as the author's wall clock had it.
public struct ClockReading: Hashable, Comparable, Sendable {
    public var microseconds: UInt64

    public init(microseconds: UInt64) {
        self.microseconds = microseconds
    }

    public static let zero = ClockReading(microseconds: 0)

    public static func < (left: ClockReading, right: ClockReading) -> Bool { left.microseconds < right.microseconds }
}

/// Orders this device's changes after those it has seen.
public struct HybridClock: Hashable, Sendable {
    /// Readings further ahead of the wall clock than this do not pull the own clock along (10 minutes).
    public static let leadMax: UInt64 = 10 * 60 * 1_000_000

    public private(set) var last = ClockReading(microseconds: 0)
    private var seen = ClockReading(microseconds: 0)

    public init() {}

    /// Takes note of a reading that another device signed.
    public mutating func observe(_ reading: ClockReading, wall: UInt64) {
        let isFarAhead = reading.microseconds > wall &+ Self.leadMax
        if !isFarAhead || PlantedFault.isPlanted(.clockFollowsFarAhead) { seen = max(seen, reading) }
    }

    /// Takes note of a reading that this device signed earlier, however far ahead it is.
    public mutating func resume(from own: ClockReading) { last = max(last, own) }

    /// The reading for the next batch; `wall` is the wall clock in microseconds since 1970.
    public mutating func next(wall: UInt64) -> ClockReading {
        let latest = max(last.microseconds, wall, seen.microseconds)
        // The last reading of all only a home that somebody prepared has: it stays the last.
        last = ClockReading(microseconds: latest == .max ? latest : latest + 1)
        return last
    }
}
