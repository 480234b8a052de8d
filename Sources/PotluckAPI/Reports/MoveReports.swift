/// What `potluck move` and `potluck copy` print.
public struct MoveReport: Codable, Hashable, Sendable {
    /// The name of the album that the photos were in.
    public var album: String
    /// The `AlbumID` in hexadecimal digits.
    public var albumID: String
    /// The name of the album that they are in now.
    public var to: String
    public var toID: String
    public var photos: [Photo]

    public init(album: String, albumID: String, to: String, toID: String, photos: [Photo]) {
        self.album = album
        self.albumID = albumID
        self.to = to
        self.toID = toID
        self.photos = photos
    }

    enum CodingKeys: String, CodingKey {
        case album, to, photos
        case albumID = "album_id"
        case toID = "to_id"
    }

    public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        /// It left the first album on every laptop.
        case moved
        /// Others added it to the first album: it stays there, and is not to be seen there on this laptop.
        case hidden
        /// It is in both.
        case copied
    }

    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        public var name: String
        public var outcome: Outcome
        /// The ID of the photo that it belongs to, as a Live Photo's film does; `nil` for what counts itself.
        public var partOf: String?

        public init(id: String, name: String, outcome: Outcome, partOf: String? = nil) {
            self.id = id
            self.name = name
            self.outcome = outcome
            self.partOf = partOf
        }

        enum CodingKeys: String, CodingKey {
            case id, name, outcome
            case partOf = "part_of"
        }
    }
}

/// What `potluck rename` prints.
public struct RenameReport: Codable, Hashable, Sendable {
    /// The name that the album has now.
    public var album: String
    /// The `AlbumID` in hexadecimal digits.
    public var albumID: String
    /// The name that it had.
    public var formerName: String

    public init(album: String, albumID: String, formerName: String) {
        self.album = album
        self.albumID = albumID
        self.formerName = formerName
    }

    enum CodingKeys: String, CodingKey {
        case album
        case albumID = "album_id"
        case formerName = "former_name"
    }
}
