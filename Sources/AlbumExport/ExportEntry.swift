public import AlbumModel

/// The album that is exported.
public struct ExportAlbum: Hashable, Sendable {
    public var id: AlbumID
    public var name: String

    public init(id: AlbumID, name: String) {
        self.id = id
        self.name = name
    }
}

/// One file of the album, as it lies in the home.
public struct ExportFile: Hashable, Sendable {
    public var id: BlobID
    /// The name that the gathering shares: a label, never a path.
    public var name: String
    /// Such as `image/jpeg`; empty where nobody knows.
    public var mediaType: String
    public var byteCount: UInt64
    /// Where its bytes are, absolute; it is only read. `nil` where they are not on this laptop.
    public var path: String?

    public init(id: BlobID, name: String, mediaType: String, byteCount: UInt64, path: String?) {
        self.id = id
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.path = path
    }
}

/// One moment of the album: a photo or a video, and the files that belong to it.
public struct ExportEntry: Hashable, Sendable {
    public var lead: ExportFile
    public var companions: [Companion]
    /// Who took it, as people know the device; empty where nobody knows.
    public var person: String
    public var taken: Reading?
    /// Empty where there is none.
    public var caption: String
    public var tags: [String]
    public var kind: Kind
    /// Pixels as displayed.
    public var size: PixelSize?
    public var durationMilliseconds: UInt64?
    /// A small picture of it that others made, where one is on this laptop.
    public var thumbnail: ExportFile?

    public init(
        lead: ExportFile, companions: [Companion] = [], person: String, taken: Reading?, caption: String = "",
        tags: [String] = [], kind: Kind, size: PixelSize? = nil, durationMilliseconds: UInt64? = nil,
        thumbnail: ExportFile? = nil
    ) {
        self.lead = lead
        self.companions = companions
        self.person = person
        self.taken = taken
        self.caption = caption
        self.tags = tags
        self.kind = kind
        self.size = size
        self.durationMilliseconds = durationMilliseconds
        self.thumbnail = thumbnail
    }

    public struct Companion: Hashable, Sendable {
        public var file: ExportFile
        public var role: Role

        public init(file: ExportFile, role: Role) {
            self.file = file
            self.role = role
        }
    }

    public enum Role: String, Hashable, Sendable {
        /// The moving half of a Live Photo.
        case video
        case raw
        case sidecar
    }

    /// What a person sees in it; the words are those of `potluck photos --json`.
    public enum Kind: String, Hashable, Sendable {
        case photo, video, live, motion, raw, sidecar
    }

    /// When it was taken, as it is shown: what the clock said there.
    public struct Reading: Hashable, Comparable, Sendable {
        /// Milliseconds from 1970-01-01T00:00:00 to what the clock showed, in no time zone.
        public var localMilliseconds: Int64
        /// Minutes east of UTC where they are known.
        public var offsetMinutes: Int32?

        public init(localMilliseconds: Int64, offsetMinutes: Int32?) {
            self.localMilliseconds = localMilliseconds
            self.offsetMinutes = offsetMinutes
        }

        public static func < (left: Reading, right: Reading) -> Bool {
            (left.localMilliseconds, left.offsetMinutes ?? 0) < (right.localMilliseconds, right.offsetMinutes ?? 0)
        }
    }
}
