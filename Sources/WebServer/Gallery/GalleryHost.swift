public import AlbumModel
public import NIOCore
public import PotluckAPI
public import WebGallery

/// What the gallery's doors need of the agent besides its API. All calls may come at once.
public protocol GalleryHost: PictureSource, GuestActions, UploadStage, DocumentStore, NewsSource {
    /// The `DeviceID` of this laptop, in hexadecimal digits.
    var device: String { get }
    func setting() async -> PageSetting
    /// Other laptops of the gathering whose door for guests is open, as far as is known.
    func laptops() async -> [OtherLaptop]
    /// Tells other laptops at which port guests come in here; `nil` while the door is closed.
    func tellDoor(port: Int?) async throws
    /// Signs with this laptop's key.
    func sign(_ message: [UInt8]) async throws -> [UInt8]
    /// Whether a laptop of the gathering signed it.
    ///
    /// - Parameter device: A `DeviceID` in hexadecimal digits.
    func isSignature(_ signature: [UInt8], over message: [UInt8], by device: String) async -> Bool
    /// The addresses at which others of the network reach this laptop, the best first.
    func ownAddresses() async -> [String]
}

/// Another laptop at whose door guests may go on.
public struct OtherLaptop: Codable, Hashable, Sendable {
    /// The `DeviceID`, in hexadecimal digits.
    public var device: String
    public var name: String
    /// Such as `http://10.0.0.6:4712`: where it may be reached, the best first; at least one.
    public var origins: [String]

    public init(device: String, name: String, origins: [String]) {
        self.device = device
        self.name = name
        self.origins = origins
    }
}

// MARK: News

/// What pages are told of besides the agent's events.
public protocol NewsSource: Sendable {
    /// What happens from now on. Bounded: a reader that is too slow loses the oldest.
    func news() -> AsyncStream<GalleryNews>
}

public enum GalleryNews: Hashable, Sendable {
    /// A picture that was answered by ``PictureAnswer/later(seconds:progress:)`` can be had; one that pages ask for anew.
    case ready(PictureKind, BlobID)
    /// Another laptop has opened or closed its door for guests, or has gone.
    case laptops
}

// MARK: Pictures

/// The bytes of pictures.
public protocol PictureSource: Sendable {
    /// Returns within 200 ms, whether it is there or not; asks for what is not.
    ///
    /// - Parameter albums: One of these must show the photo; `nil` for all there are.
    func picture(_ kind: PictureKind, of photo: BlobID, in albums: Set<AlbumID>?) async throws -> PictureAnswer
    /// The albums that show a photo now; a photo that belongs to another one (a film beside it) is shown with that one.
    func albums(of photo: BlobID) async -> Set<AlbumID>
}

public enum PictureKind: Hashable, Sendable {
    /// 480 px, JPEG.
    case thumbnail
    /// 2,048 px, JPEG.
    case preview
    case original
    /// The original, or a copy of it that does not say where it was taken.
    case placeless
    /// H.264 and AAC, at most 1,080 lines.
    case playable
}

public enum PictureAnswer: Sendable {
    case here(PictureFile)
    /// It is fetched or made, and an event tells when it is there.
    ///
    /// - Parameter progress: 0 to 1; `nil` where it is not known.
    case later(seconds: Int, progress: Double?)
    /// There is none, and none is on its way.
    case none(reason: String)
    /// No album that counts shows the photo.
    case unseen
}

/// Bytes that do not change.
public struct PictureFile: Sendable {
    public var byteCount: UInt64
    public var mediaType: String
    /// Equal for equal bytes alone.
    public var entityTag: EntityTag
    /// The name that the gathering shares; `nil` for pictures and films that are made of an original.
    public var name: String?
    /// At most so many bytes from an offset on, fewer only at the end; does not block its caller's thread.
    public var read: @Sendable (_ offset: UInt64, _ count: Int) async throws -> ByteBuffer

    public init(
        byteCount: UInt64, mediaType: String, entityTag: EntityTag, name: String? = nil,
        read: @escaping @Sendable (_ offset: UInt64, _ count: Int) async throws -> ByteBuffer
    ) {
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.entityTag = entityTag
        self.name = name
        self.read = read
    }

    /// Of bytes that are at hand.
    public init(_ bytes: ByteBuffer, mediaType: String, entityTag: EntityTag, name: String? = nil) {
        self.init(
            byteCount: UInt64(bytes.readableBytes), mediaType: mediaType, entityTag: entityTag, name: name
        ) { offset, count in
            let start = min(Int(clamping: offset), bytes.readableBytes)
            let end = min(start + count, bytes.readableBytes)
            return bytes.getSlice(at: bytes.readerIndex + start, length: end - start) ?? ByteBuffer()
        }
    }
}

// MARK: Guests

/// A guest as this gathering knows one.
public struct KnownGuest: Codable, Hashable, Sendable {
    public var id: GuestID
    public var name: String

    public init(id: GuestID, name: String) {
        self.id = id
        self.name = name
    }
}

/// What guests, and the owner in a browser, do with photos: changes that every laptop gets. `nil` for a guest is the
/// laptop's owner. Each throws a ``PotluckError`` that a person understands, captions and tags also a ``GuestRefusal``.
public protocol GuestActions: Sendable {
    func like(_ photo: PhotoKey, _ isLiked: Bool, by guest: KnownGuest?) async throws
    func caption(_ photo: PhotoKey, _ text: String, by guest: KnownGuest?) async throws
    func tag(_ photo: PhotoKey, adding: [String], removing: [String], by guest: KnownGuest?) async throws
    func comment(_ photo: PhotoKey, _ text: String, by guest: KnownGuest?) async throws -> CommentReport
    /// - Parameter comment: Its ID; a guest's own, or one that was written at this laptop where the owner asks.
    func uncomment(_ photo: PhotoKey, _ comment: String, by guest: KnownGuest?) async throws
    func comments(on photo: PhotoKey) async -> [CommentReport]
    /// Photos of an album that have comments.
    /// - Parameter photos: Which may be told; `nil` for all.
    func commented(_ photos: [BlobID]?, in album: AlbumID) async -> Set<BlobID>
    /// Photos of an album that this guest, or for `nil` the laptop's owner, likes.
    ///
    /// - Parameter photos: Which may be told; `nil` for all.
    func likes(of guest: GuestID?, _ photos: [BlobID]?, in album: AlbumID) async -> Set<BlobID>
    /// Whether the laptop's owner added a photo at it; what its guests added there is theirs.
    func isOwners(_ photo: PhotoKey) async -> Bool
    /// Whether a guest alone added a photo, and so may replace its caption and take its tags away.
    func ownsWords(of photo: PhotoKey, _ guest: GuestID) async -> Bool
    /// Takes back what this guest added at this laptop, alone.
    func withdraw(_ photo: PhotoKey, by guest: GuestID) async throws
    func revoke(_ guest: GuestID) async throws
    /// Ends what guests had before, everywhere.
    func raiseEpoch() async throws
    /// What the gathering knows of guests now.
    func standing() async -> GuestStanding
    /// Tells when ``standing()`` has changed. Bounded: one that waits is enough.
    func standings() -> AsyncStream<GuestStanding>
}

public struct GuestStanding: Hashable, Sendable {
    public var epoch: UInt64
    public var revoked: RevokedGuests
    public var names: [GuestID: String]
    /// Laptops that were put out of the gathering: whoever uses one may know every link.
    public var laptopsOut: Set<String>

    public init(
        epoch: UInt64 = 0, revoked: RevokedGuests = [], names: [GuestID: String] = [:], laptopsOut: Set<String> = []
    ) {
        self.epoch = epoch
        self.laptopsOut = laptopsOut
        self.revoked = revoked
        self.names = names
    }
}

/// What somebody wrote under a photo.
public struct CommentReport: Codable, Hashable, Sendable {
    public var id: String
    /// The guest's or the laptop's name.
    public var by: String
    public var text: String
    public var at: Instant
    /// The guest's ID in hexadecimal digits; `nil` for a laptop's owner.
    public var guest: String?
    /// The `DeviceID` of the laptop that took it, in hexadecimal digits.
    public var device: String

    public init(id: String, by: String, text: String, at: Instant, guest: String?, device: String) {
        self.id = id
        self.by = by
        self.text = text
        self.at = at
        self.guest = guest
        self.device = device
    }
}

// MARK: Uploads

/// Files on their way from browsers, in `staging/`.
public protocol UploadStage: Sendable {
    /// Bytes that uploads may take of the disk now, those that lie there already left out.
    func room() async -> UInt64
    /// Those that lie there.
    func staged() async throws -> [UploadID: UInt64]
    /// Writes at an offset; creates the file at offset 0.
    ///
    /// - Throws: ``UploadStageError`` where the disk is full, as does ``makeDurable(_:)``.
    func write(_ bytes: ByteBuffer, at offset: UInt64, of upload: UploadID) async throws
    /// Returns once everything that was written survives a power cut.
    func makeDurable(_ upload: UploadID) async throws
    func discard(_ upload: UploadID) async
    /// The album that a person means by a name: the one that is listed so, else the one that is to be made.
    func album(named name: String) async -> AlbumID
    /// Takes a whole file into its album, which is made where it is not there and has a name, and out of staging; durable
    /// when it returns. A photo that its album has is told as such.
    ///
    /// - Throws: ``UnexpectedFile`` for bytes that the upload does not accept, of which nothing is kept; ``PotluckError`` for
    ///   a passing trouble, after which it may be tried again; what is no photo is an outcome.
    func takeIn(
        _ id: UploadID, _ upload: Upload, by guest: KnownGuest?, expecting: PhotoExpectation
    ) async throws -> Upload.Outcome
    /// Adds a photo that is whole and durable on this laptop already to an album.
    ///
    /// - Returns: `nil` where it is not.
    func addKnown(
        _ blob: BlobID, _ metadata: UploadMetadata, by guest: KnownGuest?, expecting: PhotoExpectation
    ) async throws -> Upload.Outcome?
}

/// Told of a photo that its album does not have yet, right before it gets it, while nobody can see it there; where this
/// throws, the album does not get it.
public typealias PhotoExpectation = @Sendable (PhotoKey) async throws -> Void

/// Why bytes of an upload cannot be kept.
public enum UploadStageError: Error, Hashable, Sendable {
    case diskFull
}

/// A whole file is not the one that its sender announced.
public struct UnexpectedFile: Error, Hashable, Sendable {
    /// Of the bytes that came.
    public var blob: BlobID

    public init(_ blob: BlobID) {
        self.blob = blob
    }
}

/// Small documents of the doors, in the home: who is signed in, the guests' link, uploads.
public protocol DocumentStore: Sendable {
    /// `nil` where there is none.
    ///
    /// - Throws: Where it cannot be read; “cannot look” is not “is not there”.
    func document(_ name: String) async throws -> [UInt8]?
    /// Whole or not at all; durable when it returns; mode 0600.
    func keep(_ document: [UInt8], as name: String) async throws
}
