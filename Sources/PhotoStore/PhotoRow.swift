public import AlbumModel

/// One photo of one album, as the index keeps it.
public struct PhotoRow: Hashable, Sendable {
    public var album: AlbumID
    public var blob: BlobID
    /// As shown.
    public var name: String
    public var mediaType: String
    public var byteCount: UInt64
    /// Who added it first comes first; never empty.
    public var contributors: [Person]
    /// The clock of the first add, in microseconds since 1970.
    public var added: UInt64
    /// The file's modification time in nanoseconds since 1970.
    public var modified: Int64
    public var details: PhotoDetails
    public var remarks: PhotoRemarks

    public init(
        album: AlbumID, blob: BlobID, name: String, mediaType: String, byteCount: UInt64, contributors: [Person],
        added: UInt64, modified: Int64, details: PhotoDetails = PhotoDetails(facts: nil),
        remarks: PhotoRemarks = PhotoRemarks()
    ) {
        self.album = album
        self.blob = blob
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.contributors = contributors
        self.added = added
        self.modified = modified
        self.details = details
        self.remarks = remarks
    }
}

/// What the index keeps of a photo's facts: what lists show and filters ask for.
public struct PhotoDetails: Hashable, Sendable {
    /// `nil` until somebody has read the photo.
    public var kind: MediaKind?
    public var size: PixelSize?
    /// As the camera's clock showed it.
    public var taken: CaptureTime?
    public var camera: Camera
    public var place: Place?
    public var durationMilliseconds: UInt64?
    public var contentIdentifier: String
    public var thumbnail: Thumbnail?
    /// Empty where nothing is amiss.
    public var problem: String

    public init(facts: PhotoFacts?) {
        kind = facts?.kind
        size = facts?.size
        taken = facts?.taken
        camera = facts?.camera ?? Camera()
        place = facts?.place
        durationMilliseconds = facts?.durationMilliseconds
        contentIdentifier = facts?.contentIdentifier ?? ""
        thumbnail = facts?.thumbnail
        problem = facts?.problem ?? ""
    }
}

/// What people said about a photo.
public struct PhotoRemarks: Hashable, Sendable {
    /// Empty where there is none.
    public var caption: String
    /// As shown; ordered by their keys.
    public var tags: [String]
    /// The devices whose people like it; ordered.
    public var favouredBy: [DeviceID]

    public init(caption: String = "", tags: [String] = [], favouredBy: [DeviceID] = []) {
        self.caption = caption
        self.tags = tags
        self.favouredBy = favouredBy
    }
}

/// An entry of an album: a photo, and the other files of its moment.
public struct PhotoListing: Hashable, Sendable {
    public struct Companion: Hashable, Sendable {
        public var blob: BlobID
        public var name: String
        public var role: Moment.Role
        public var byteCount: UInt64
        public var isHere: Bool
    }

    public var photo: PhotoRow
    /// Whether the photo's own bytes are on this device.
    public var isHere: Bool
    public var kind: PhotoKind
    /// When the photo was taken, its camera's clock corrected as people said; the file's modification time where
    /// nothing else is known.
    public var taken: CaptureTime
    /// By what the album is ordered, and what filters by time look at: ``taken``, moved from UTC to where people were
    /// if only the instant is known.
    public var localMilliseconds: Int64
    public var companions: [Companion]
}

/// Which photos are asked for; what is `nil` or empty lets every photo pass.
public struct PhotoFilter: Hashable, Sendable {
    public var album: AlbumID?
    /// Compared as tags are.
    public var tag: String?
    /// The device that contributed it, first or later, for its own person or for a guest.
    public var device: DeviceID?
    /// Local milliseconds, as in ``PhotoListing/localMilliseconds``: at this time or later.
    public var takenFrom: Int64?
    /// Before this time.
    public var takenBefore: Int64?
    /// A part of make and model with a space between, in any case.
    public var camera: String?
    /// Such as `image/heic`, or `video/` for all that begin so.
    public var mediaType: String?
    public var kinds: Set<PhotoKind>
    /// Photos that one of these devices likes.
    public var favouritesOf: Set<DeviceID>

    public init(
        album: AlbumID? = nil, tag: String? = nil, device: DeviceID? = nil, takenFrom: Int64? = nil,
        takenBefore: Int64? = nil, camera: String? = nil, mediaType: String? = nil, kinds: Set<PhotoKind> = [],
        favouritesOf: Set<DeviceID> = []
    ) {
        self.album = album
        self.tag = tag
        self.device = device
        self.takenFrom = takenFrom
        self.takenBefore = takenBefore
        self.camera = camera
        self.mediaType = mediaType
        self.kinds = kinds
        self.favouritesOf = favouritesOf
    }
}

/// A tag, and how many photos have it.
public struct TagListing: Hashable, Sendable {
    /// As most photos' people wrote it.
    public var tag: String
    public var photoCount: Int
}
