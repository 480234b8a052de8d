/// What `potluck photos` prints.
public struct PhotosReport: Codable, Hashable, Sendable {
    /// The album's name; `null` for a listing of all albums.
    @ExplicitNull public var album: String?
    /// The `AlbumID` in hexadecimal digits; `null` for a listing of all albums.
    @ExplicitNull public var albumID: String?
    /// By time taken; what was searched for, the best match first.
    public var photos: [Photo]

    public init(album: String?, albumID: String?, photos: [Photo]) {
        self.album = album
        self.albumID = albumID
        self.photos = photos
    }

    enum CodingKeys: String, CodingKey {
        case album, photos
        case albumID = "album_id"
    }

    /// What an entry is.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case photo
        case video
        /// A photo with a short video as a file of its own.
        case live
        /// A photo with a short video inside.
        case motion
        case raw
    }

    /// Where the time of capture was read.
    public enum TakenFrom: String, Codable, Hashable, Sendable, CaseIterable {
        case exif
        case xmp
        case quicktime
        /// The file's name.
        case name
        /// The file's modification time.
        case mtime
    }

    /// Another file of the same moment.
    public struct Companion: Codable, Hashable, Sendable {
        /// SHA-256 of the file, in hexadecimal digits.
        public var id: String
        public var name: String
        public var bytes: UInt64
        /// `video`, `raw` or `sidecar`.
        public var role: String

        public init(id: String, name: String, bytes: UInt64, role: String) {
            self.id = id
            self.name = name
            self.bytes = bytes
            self.role = role
        }
    }

    /// One of several captions that were written without knowledge of each other.
    public struct Caption: Codable, Hashable, Sendable {
        /// The name of the device that wrote it.
        @ExplicitNull public var by: String?
        public var caption: String

        public init(by: String?, caption: String) {
            self.by = by
            self.caption = caption
        }
    }

    /// What somebody wrote below a photo.
    public struct Comment: Codable, Hashable, Sendable {
        /// Names it among the photo's comments.
        public var id: String
        /// The name of whoever wrote it, as in ``Photo/by``.
        public var by: String
        public var text: String
        /// By the clock of the device where it was written.
        public var at: Instant
        /// The guest's ID in hexadecimal digits; only there where a guest wrote it.
        public var guest: String?

        public init(id: String, by: String, text: String, at: Instant, guest: String?) {
            self.id = id
            self.by = by
            self.text = text
            self.at = at
            self.guest = guest
        }
    }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        /// The name that the gathering shares.
        public var name: String
        /// The album's name; only there in a listing of all albums.
        public var album: String?
        /// The `AlbumID` in hexadecimal digits; only there in a listing of all albums.
        public var albumID: String?
        /// The path below the folder of this device; `null` where there is no file.
        @ExplicitNull public var file: String?
        public var bytes: UInt64
        /// Media type, such as `image/jpeg`.
        public var type: String
        @ExplicitNull public var kind: Kind?
        /// Pixels as displayed, that is turned the right way.
        @ExplicitNull public var width: UInt32?
        @ExplicitNull public var height: UInt32?
        /// RFC 3339 where the offset is known, local `YYYY-MM-DDThh:mm:ss` where it is not. What is known in UTC alone
        /// has the offset of most of its album, and `Z` only where the album has none.
        @ExplicitNull public var taken: String?
        @ExplicitNull public var takenFrom: TakenFrom?
        @ExplicitNull public var make: String?
        @ExplicitNull public var model: String?
        @ExplicitNull public var lens: String?
        /// Degrees, north positive.
        @ExplicitNull public var latitude: Double?
        /// Degrees, east positive.
        @ExplicitNull public var longitude: Double?
        /// Metres above sea level.
        @ExplicitNull public var altitude: Double?
        /// Seconds, of a video or of the moving part of a photo.
        @ExplicitNull public var duration: Double?
        /// The other files of the same moment.
        public var companions: [Companion]
        /// SHA-256 of the small picture, in hexadecimal digits.
        @ExplicitNull public var thumbnail: String?
        /// Why something of it could not be read, in words.
        @ExplicitNull public var problem: String?
        /// The name of the device that added it first; `Lena (at Grandma's laptop)` where a guest did.
        @ExplicitNull public var by: String?
        /// The names of all who added it likewise, the first one first.
        public var contributors: [String]
        /// Whether the whole original is on this device.
        public var here: Bool
        /// How many devices are known to hold it, this one included; `null` where that is not known.
        @ExplicitNull public var copies: Int?
        /// The names of the other devices that are known to hold it.
        public var `where`: [String]
        public var tags: [String]
        @ExplicitNull public var caption: String?
        /// All captions, the shown one first; only there where several were written without knowledge of each other.
        public var captions: [Caption]?
        /// The names of the devices and guests whose favourite it is.
        public var favourites: [String]
        /// In the order of time, the latest of very many; only there where there are some.
        public var comments: [Comment]?

        /// A photo of which nothing is known but what its contributor told; set what else is known.
        public init(
            id: String, name: String, file: String?, bytes: UInt64, type: String, by: String?, contributors: [String],
            here: Bool, copies: Int?, where: [String]
        ) {
            self.id = id
            self.name = name
            self.file = file
            self.bytes = bytes
            self.type = type
            companions = []
            self.by = by
            self.contributors = contributors
            self.here = here
            self.copies = copies
            self.where = `where`
            tags = []
            favourites = []
        }

        enum CodingKeys: String, CodingKey {
            case id, name, album, file, bytes, type, kind, width, height, taken, make, model, lens
            case latitude, longitude, altitude, duration, companions, thumbnail, problem
            case by, contributors, here, copies, `where`, tags, caption, captions, favourites, comments
            case albumID = "album_id"
            case takenFrom = "taken_from"
        }
    }
}
