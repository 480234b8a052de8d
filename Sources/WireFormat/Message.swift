public import AlbumModel

/// What one device tells another over an admitted connection.
public enum Message: Hashable, Sendable {
    case hello(Hello)
    /// Everything that the sender knows; asks for a ``vectorReply(_:)`` and for the batches that it lacks.
    case vector(VersionVector)
    /// The same, told as what changed since a vector that both have.
    case vectorDifference(VectorDifference)
    /// The heads of those replicas in which the sender lacks something or went apart; none where it has nothing.
    case vectorReply([ReplicaID: [Head]])
    case batches(BatchPage)
    /// Ends of chains whose batches are stored here and come to the receiver along the tree, or for the asking.
    case announced([ReplicaID: [Head]])
    /// New batches are to be pushed over this link from now on.
    case graft
    /// New batches are only to be announced over this link: they come another way.
    case prune
    /// Points of a replica's chain, newest first, asked for when neither side knows the other's head.
    case chainSample(ReplicaID, points: [Head])
    /// Everything that the sender holds; replaces what it said before.
    case presence(Presence, counter: UInt64)
    case presenceChanged(PresenceChange)
    case partHeld(PartHeld)
    case request(PieceRequest)
    /// The request with this number is not answered: the sender does not hold the blob, or, where that is passing, holds
    /// it and cannot read it at the moment.
    case refused(number: UInt32, isPassing: Bool)
    /// The sender no longer wants the piece of this request.
    case cancelled(number: UInt32)
    case pieceListRequest(BlobID)
    /// `nil` says that the sender does not hold the blob.
    case pieceList(BlobID, PieceList?)
    case ping(UInt64)
    case pong(UInt64)
    /// A hash over the digests of all albums, to be compared when vectors are equal.
    case catalogDigest(root: [UInt8], vectorHash: [UInt8])
    /// The folded state album by album: the answer to another root.
    case digests([AlbumDigest], vectorHash: [UInt8])
    /// The page with this number is durable.
    case acknowledged(page: UInt64)
    /// Where devices can be reached: encoded ``AddressStatement``s. Those without a signature are of devices on the
    /// receiver's machine.
    case addresses([SignedStatement])
    /// What devices hold: encoded ``PresenceSummary``s.
    case summaries([SignedStatement])
    /// The same for a receiver that has older ones.
    case summaryDifferences([SummaryDifference])
    /// Asks for newer summaries than these numbers; by ``DeviceID/prefix``.
    case summaryVersions(SummaryVersions)
    /// What the sender does not pull, whatever it lacks; replaces what it said before.
    case fetching(FetchingNotice)
    /// The sender ends the connection in peace.
    case farewell(FarewellReason)
    /// Encoded ``Ruling``s; each comes after those that it follows.
    /// `held` and `isLast`: on a link for catching up alone.
    case rulings([SignedStatement], held: [RulingID] = [], isLast: Bool = false)
    /// Seeds of epochs, by the rulings that begin them.
    case seeds([RulingID: Seed])
    /// A kind that this version does not know: without effect.
    case unknown
}

/// The first message of either side.
public struct Hello: Hashable, Sendable {
    /// The oldest and the newest version of the protocol that the sender speaks.
    public var versions: ClosedRange<UInt32>
    /// 16 bytes, drawn when the agent started: tells a restarted agent from a second connection.
    public var run: [UInt8]
    /// Where the sender listens; 0 if it does not.
    public var port: UInt16
    /// ``Catalog/level`` of the sender.
    public var foldLevel: UInt32
    /// The sender has no other link: it is to be taken even where links are full.
    public var needsLink: Bool
    /// How far the sender knows the receiver's presence from an earlier connection.
    public var known: PresencePosition?
    /// The name of the vector that the two last exchanged, as the sender remembers it: the first 16 bytes of SHA-256
    /// over its encoding.
    public var vectorBase: [UInt8]?
    /// The sender understands ``Message/summaryDifferences(_:)``.
    public var takesDifferences: Bool
    /// ``AddressStatement/number`` of the receiver's addresses that the sender has.
    public var addressesNumber: UInt64?
    /// No ``PresenceSummary/number`` of an earlier run of the sender is greater: what it says over this connection is newer
    /// than its summaries up to this number. 0 from an earlier version.
    public var summaryNumber: UInt64
    /// Of all rulings that the sender has: the first 16 bytes of SHA-256 over their IDs in order. `nil` from a version that
    /// knows no rulings.
    public var rulings: [UInt8]?

    public init(
        versions: ClosedRange<UInt32>, run: [UInt8], port: UInt16, foldLevel: UInt32, needsLink: Bool = false,
        known: PresencePosition? = nil, vectorBase: [UInt8]? = nil, takesDifferences: Bool = false,
        addressesNumber: UInt64? = nil, summaryNumber: UInt64 = 0, rulings: [UInt8]? = nil
    ) {
        self.versions = versions
        self.run = run
        self.port = port
        self.foldLevel = foldLevel
        self.needsLink = needsLink
        self.known = known
        self.vectorBase = vectorBase
        self.takesDifferences = takesDifferences
        self.addressesNumber = addressesNumber
        self.summaryNumber = summaryNumber
        self.rulings = rulings
    }
}

/// A vector as it differs from another one.
public struct VectorDifference: Hashable, Sendable {
    /// The name of the other one, as in ``Hello/vectorBase``.
    public var base: [UInt8]
    /// Replicas whose heads are others than there; none where a replica is not known any more.
    public var changed: [ReplicaID: [Head]]

    public init(base: [UInt8], changed: [ReplicaID: [Head]]) {
        self.base = base
        self.changed = changed
    }
}

/// A moment in what a device told of its presence.
public struct PresencePosition: Hashable, Sendable {
    /// ``Hello/run`` of the device that told.
    public var run: [UInt8]
    /// Counts the changes of presence in that run.
    public var counter: UInt64

    public init(run: [UInt8], counter: UInt64) {
        self.run = run
        self.counter = counter
    }
}

/// Blobs that came and went, since what the sender told before.
public struct PresenceChange: Hashable, Sendable {
    public var held: [BlobID]
    public var lost: [BlobID]
    /// The sender's count after these.
    public var counter: UInt64

    public init(held: [BlobID], lost: [BlobID], counter: UInt64) {
        self.held = held
        self.lost = lost
        self.counter = counter
    }
}

/// Which summaries a device has.
public struct SummaryVersions: Hashable, Sendable {
    /// The number of the newest one of each device, by the first eight bytes of its ID.
    public var numbers: [UInt64: UInt64]
    /// Summaries of devices that are not listed are wanted too.
    public var isWhole: Bool

    public init(numbers: [UInt64: UInt64], isWhole: Bool) {
        self.numbers = numbers
        self.isWhole = isWhole
    }
}

/// How far a device has come with a blob.
public struct PartHeld: Hashable, Sendable {
    public var blob: BlobID
    /// What it can serve already, one flag a piece; none if it no longer can.
    public var pieces: [Bool]
    /// What it has asked somebody for, likewise: whoever waits a moment may have it from this device.
    public var coming: [Bool]

    public init(blob: BlobID, pieces: [Bool], coming: [Bool] = []) {
        self.blob = blob
        self.pieces = pieces
        self.coming = coming
    }
}

/// Why a connection is ended although nothing is wrong.
public enum FarewellReason: UInt32, Hashable, Sendable {
    /// The sender has as many links as it keeps.
    case full = 1
}

/// What a device says, as others pass it on: the bytes that were signed, never encoded anew.
public struct SignedStatement: Hashable, Sendable {
    public var content: [UInt8]
    public var signature: [UInt8]

    public init(content: [UInt8], signature: [UInt8]) {
        self.content = content
        self.signature = signature
    }
}

/// Where a device can be reached, as it says itself.
public struct AddressStatement: Hashable, Sendable {
    public struct Address: Hashable, Sendable {
        public var host: String
        public var port: UInt16

        public init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    public var device: DeviceID
    /// Microseconds since 1970 by the device's clock; the greatest number counts.
    public var number: UInt64
    public var addresses: [Address]

    public init(device: DeviceID, number: UInt64, addresses: [Address]) {
        self.device = device
        self.number = number
        self.addresses = addresses
    }
}

/// What a device holds, as it says itself.
public struct PresenceSummary: Hashable, Sendable {
    public var device: DeviceID
    /// Microseconds since 1970 by the device's clock; the greatest number counts.
    public var number: UInt64
    public var presence: Presence
    /// The changes of presence that it takes in; `nil` from an earlier version.
    public var position: PresencePosition?

    public init(device: DeviceID, number: UInt64, presence: Presence, position: PresencePosition? = nil) {
        self.device = device
        self.number = number
        self.presence = presence
        self.position = position
    }
}

/// A device's summary as its bytes differ from those of an older one. The signature is over all of them.
public struct SummaryDifference: Hashable, Sendable {
    /// Bytes of the older content, and bytes that follow them.
    public struct Piece: Hashable, Sendable {
        public var copied: Range<Int>
        public var added: [UInt8]

        public init(copied: Range<Int>, added: [UInt8]) {
            self.copied = copied
            self.added = added
        }
    }

    /// ``DeviceID/prefix``.
    public var device: UInt64
    /// The number of the older summary.
    public var base: UInt64
    public var number: UInt64
    /// One after the other they make the content.
    public var pieces: [Piece]
    public var signature: [UInt8]

    public init(device: UInt64, base: UInt64, number: UInt64, pieces: [Piece], signature: [UInt8]) {
        self.device = device
        self.base = base
        self.number = number
        self.pieces = pieces
        self.signature = signature
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

/// Which photos and thumbnails a device holds, as runs of the numbers of the changes that name them.
///
/// A run holds for changes at or before its branch's head. Every add in it, withdrawn or not, is of a held blob; numbers
/// of other changes may lie in it too.
public struct Presence: Hashable, Sendable {
    /// What is held of one branch of a replica.
    public struct Branch: Hashable, Comparable, Sendable {
        public var replica: ReplicaID
        /// The branch's end, as far as the sender knew it; `nil` from an earlier version, whose runs prove nothing.
        public var head: Head?
        /// Sorted and disjoint.
        public var runs: [ClosedRange<UInt64>]

        public init(replica: ReplicaID, head: Head?, runs: [ClosedRange<UInt64>]) {
            self.replica = replica
            self.head = head
            self.runs = runs
        }

        public static func < (left: Branch, right: Branch) -> Bool {
            (left.replica, left.head?.sequence ?? 0, left.head?.branch ?? 0)
                < (right.replica, right.head?.sequence ?? 0, right.head?.branch ?? 0)
        }
    }

    /// One for each head of a replica; a branch of which nothing is held may be left out.
    public var branches: [Branch]
    /// Blobs that are named one by one.
    public var others: Set<BlobID>

    public init(branches: [Branch] = [], others: Set<BlobID> = []) {
        self.branches = branches
        self.others = others
    }
}

/// What a device does not pull, of all that it lacks.
public struct FetchingNotice: Hashable, Sendable {
    /// Albums of which it leaves out originals.
    public var leftOut: Set<AlbumID>
    /// It pulls no originals at all: its person paused it, or its disk is full.
    public var isPaused: Bool

    public init(leftOut: Set<AlbumID> = [], isPaused: Bool = false) {
        self.leftOut = leftOut
        self.isPaused = isPaused
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
