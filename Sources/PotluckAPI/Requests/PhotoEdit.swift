/// Words that are given to photos of one album, or taken from them. What is left out stays as it is.
public struct PhotoEdit: Codable, Hashable, Sendable {
    /// An ID or a name, as ``AlbumLookup`` reads it.
    public var album: String
    /// IDs or file names, as ``PhotoLookup`` reads them.
    public var photos: [String]
    public var addedTags: [String]?
    public var removedTags: [String]?
    /// Replaces all captions that are known; an empty one leaves none.
    public var caption: String?
    /// Whether they are favourites of whoever uses this device.
    public var isFavourite: Bool?

    public init(
        album: String, photos: [String], addedTags: [String]? = nil, removedTags: [String]? = nil,
        caption: String? = nil, isFavourite: Bool? = nil
    ) {
        self.album = album
        self.photos = photos
        self.addedTags = addedTags
        self.removedTags = removedTags
        self.caption = caption
        self.isFavourite = isFavourite
    }

    private enum CodingKeys: String, CodingKey {
        case album, photos, caption
        case addedTags = "add_tags"
        case removedTags = "remove_tags"
        case isFavourite = "favourite"
    }
}

/// How the cameras of an album are to be set right.
public struct ClockEdit: Codable, Hashable, Sendable {
    /// An ID or a name, as ``AlbumLookup`` reads it.
    public var album: String
    /// Only cameras whose owner, make, model and serial number contain each of these words; `nil` for all.
    public var camera: String?
    /// What is to be added to the clock of the one camera that is meant; `nil` for what is proposed.
    public var seconds: Int64?

    public init(album: String, camera: String? = nil, seconds: Int64? = nil) {
        self.album = album
        self.camera = camera
        self.seconds = seconds
    }
}
