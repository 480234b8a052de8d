/// What is to become of photos of one album.
public struct RemovalOrder: Codable, Hashable, Sendable {
    public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// Takes them from the album as far as this device added them, and hides the others here.
        case remove
        /// Takes them from the album on every laptop, whoever added them.
        case removeForEveryone = "remove-for-everyone"
        /// Brings them back from the trash.
        case restore
        /// Shows them here again.
        case unhide
        /// Adds what is left out, as this device's own.
        case keep
    }

    public var action: Action
    /// An ID or a name, as ``AlbumLookup`` reads it.
    public var album: String
    /// IDs or file names, as ``PhotoLookup`` reads them.
    public var photos: [String]

    public init(_ action: Action, album: String, photos: [String]) {
        self.action = action
        self.album = album
        self.photos = photos
    }
}

/// What is to be deleted from the trash before its time.
public struct TrashOrder: Codable, Hashable, Sendable {
    /// An ID or a name; all albums for `nil`.
    public var album: String?
    /// IDs or file names; all photos for none.
    public var photos: [String]
    /// Whether photos go that no other device is known to keep.
    public var lastCopies: Bool

    public init(album: String?, photos: [String] = [], lastCopies: Bool = false) {
        self.album = album
        self.photos = photos
        self.lastCopies = lastCopies
    }

    private enum CodingKeys: String, CodingKey {
        case album, photos
        case lastCopies = "last_copies"
    }

    /// Every key may be missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            album: try container.decodeIfPresent(String.self, forKey: .album),
            photos: try container.decodeIfPresent([String].self, forKey: .photos) ?? [],
            lastCopies: try container.decodeIfPresent(Bool.self, forKey: .lastCopies) ?? false)
    }
}

/// What a person says of files that wait.
public enum BrakeDecision: String, Codable, Hashable, Sendable, CaseIterable {
    /// It was meant.
    case confirm
    /// It was not: the files come back.
    case undo
}
