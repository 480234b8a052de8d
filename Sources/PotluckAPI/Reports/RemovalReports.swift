/// What `potluck trash` prints: photos that left their albums while their bytes were on this laptop.
public struct TrashReport: Codable, Hashable, Sendable {
    /// The latest first.
    public var trash: [Photo]
    /// How long photos are kept, in days in which the agent runs; `null` without an agent.
    @ExplicitNull public var days: Int?

    public init(trash: [Photo], days: Int?) {
        self.trash = trash
        self.days = days
    }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        public var name: String
        /// The album's name.
        public var album: String
        /// The `AlbumID` in hexadecimal digits.
        public var albumID: String
        public var bytes: UInt64
        /// The name of the device that removed it.
        @ExplicitNull public var removedBy: String?
        /// When this laptop learned of it.
        public var removed: Instant
        /// Days of running time until its space is given back; `null` where it is kept until a person says otherwise, since
        /// no other device is known to keep it, and without an agent.
        @ExplicitNull public var daysLeft: Double?
        /// No other device is known to keep these bytes.
        public var isLastCopy: Bool
        /// An album has these bytes too, so they stay whatever becomes of this photo; `nil` from agents of before.
        public var isInAlbum: Bool?

        public init(
            id: String, name: String, album: String, albumID: String, bytes: UInt64, removedBy: String?,
            removed: Instant, daysLeft: Double?, isLastCopy: Bool, isInAlbum: Bool
        ) {
            self.id = id
            self.name = name
            self.album = album
            self.albumID = albumID
            self.bytes = bytes
            self.removedBy = removedBy
            self.removed = removed
            self.daysLeft = daysLeft
            self.isLastCopy = isLastCopy
            self.isInAlbum = isInAlbum
        }

        enum CodingKeys: String, CodingKey {
            case id, name, album, bytes, removed
            case albumID = "album_id"
            case removedBy = "removed_by"
            case daysLeft = "days_left"
            case isLastCopy = "last_copy"
            case isInAlbum = "in_album"
        }
    }
}

/// What `potluck hidden` prints: photos that are in their albums and not to be seen on this laptop.
public struct HiddenReport: Codable, Hashable, Sendable {
    /// By album, then by name.
    public var hidden: [Photo]

    public init(hidden: [Photo]) { self.hidden = hidden }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        public var name: String
        /// The album's name.
        public var album: String
        /// The `AlbumID` in hexadecimal digits.
        public var albumID: String
        /// The name of the device that added it.
        @ExplicitNull public var by: String?
        public var since: Instant
        /// Whether its bytes are here all the same.
        public var here: Bool

        public init(
            id: String, name: String, album: String, albumID: String, by: String?, since: Instant, here: Bool
        ) {
            self.id = id
            self.name = name
            self.album = album
            self.albumID = albumID
            self.by = by
            self.since = since
            self.here = here
        }

        enum CodingKeys: String, CodingKey {
            case id, name, album, by, since, here
            case albumID = "album_id"
        }
    }
}

/// What `potluck left-out` prints: photos that laptops added after they were put out, or beside that.
public struct LeftOutReport: Codable, Hashable, Sendable {
    /// By album, then by name.
    public var leftOut: [Photo]

    public init(leftOut: [Photo]) { self.leftOut = leftOut }

    enum CodingKeys: String, CodingKey {
        case leftOut = "left_out"
    }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        public var name: String
        /// The name of the album to which it was added.
        public var album: String
        /// The `AlbumID` in hexadecimal digits.
        public var albumID: String
        public var bytes: UInt64
        /// The name of the device that added it.
        public var by: String
        public var added: Instant
        /// Whether its bytes are on this laptop.
        public var here: Bool

        public init(
            id: String, name: String, album: String, albumID: String, bytes: UInt64, by: String, added: Instant,
            here: Bool
        ) {
            self.id = id
            self.name = name
            self.album = album
            self.albumID = albumID
            self.bytes = bytes
            self.by = by
            self.added = added
            self.here = here
        }

        enum CodingKeys: String, CodingKey {
            case id, name, album, bytes, by, added, here
            case albumID = "album_id"
        }
    }
}

/// What `potluck remove`, `restore`, `unhide`, `left-out --keep` and `trash --delete` print.
public struct RemovalReport: Codable, Hashable, Sendable {
    /// The album's name.
    public var album: String
    /// The `AlbumID` in hexadecimal digits.
    public var albumID: String
    public var photos: [Photo]

    public init(album: String, albumID: String, photos: [Photo]) {
        self.album = album
        self.albumID = albumID
        self.photos = photos
    }

    enum CodingKeys: String, CodingKey {
        case album, photos
        case albumID = "album_id"
    }

    public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        /// It left the album on every laptop.
        case removed
        /// It is in the album, and not to be seen here.
        case hidden
        case restored
        case shown
        /// It was left out, and is in the album as this device's own.
        case added
        /// It left the trash, and its space is free unless another album needs it.
        case deleted
        /// It stays in the trash: no other device is known to keep it.
        case kept
    }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        public var name: String
        public var outcome: Outcome
        /// The names of other devices that added it.
        public var others: [String]
        /// The ID of the photo that it belongs to, as a Live Photo's film does; `nil` for what counts itself, and where that
        /// is not known.
        public var partOf: String?

        public init(id: String, name: String, outcome: Outcome, others: [String] = [], partOf: String? = nil) {
            self.id = id
            self.name = name
            self.outcome = outcome
            self.others = others
            self.partOf = partOf
        }

        enum CodingKeys: String, CodingKey {
            case id, name, outcome, others
            case partOf = "part_of"
        }
    }
}

/// What waits for a person: what `potluck confirm` and `potluck undo` print, and `status` has while something does.
public struct BrakeReport: Codable, Hashable, Sendable {
    /// What waits, or waited until the decision; `null` where nothing does.
    @ExplicitNull public var held: Held?

    public init(held: Held?) { self.held = held }

    public struct Held: Codable, Hashable, Sendable {
        /// Another one whenever a file joins what waits, below 2⁵³; to be named by whoever confirms what they saw.
        public var version: UInt64
        /// A short word, such as `manyVanished`.
        public var reason: String
        /// Photos whose last file is gone.
        public var vanished: Int
        /// Photos whose file holds something else.
        public var rewritten: Int
        /// How many files there were.
        public var of: Int
        /// Some of them, below the folder.
        public var paths: [String]
        /// What was seen, in words.
        public var message: String

        public init(
            version: UInt64, reason: String, vanished: Int, rewritten: Int, of: Int, paths: [String], message: String
        ) {
            self.version = version
            self.reason = reason
            self.vanished = vanished
            self.rewritten = rewritten
            self.of = of
            self.paths = paths
            self.message = message
        }
    }
}
