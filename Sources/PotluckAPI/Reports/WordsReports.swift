/// What `potluck tags` prints.
public struct TagsReport: Codable, Hashable, Sendable {
    /// The album's name; `null` for the tags of all albums.
    @ExplicitNull public var album: String?
    /// The `AlbumID` in hexadecimal digits; `null` for the tags of all albums.
    @ExplicitNull public var albumID: String?
    /// The most used first, then by name.
    public var tags: [Tag]

    public init(album: String?, albumID: String?, tags: [Tag]) {
        self.album = album
        self.albumID = albumID
        self.tags = tags
    }

    enum CodingKeys: String, CodingKey {
        case album, tags
        case albumID = "album_id"
    }

    public struct Tag: Codable, Hashable, Sendable {
        /// As it is shown.
        public var tag: String
        /// How many photos have it.
        public var photos: Int

        public init(tag: String, photos: Int) {
            self.tag = tag
            self.photos = photos
        }
    }
}

/// What `potluck cover` prints.
public struct CoverReport: Codable, Hashable, Sendable {
    /// The album's name.
    public var album: String
    /// The `AlbumID` in hexadecimal digits.
    public var albumID: String
    /// SHA-256 of the chosen photo, in hexadecimal digits; `null` where none is chosen.
    @ExplicitNull public var cover: String?
    /// The name of that photo.
    @ExplicitNull public var name: String?

    public init(album: String, albumID: String, cover: String?, name: String?) {
        self.album = album
        self.albumID = albumID
        self.cover = cover
        self.name = name
    }

    enum CodingKeys: String, CodingKey {
        case album, cover, name
        case albumID = "album_id"
    }
}
