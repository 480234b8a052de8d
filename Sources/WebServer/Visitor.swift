public import AlbumModel
public import PotluckAPI
public import WebGallery

/// Somebody who came through a door.
public struct Visitor: Hashable, Sendable {
    public var rights: Set<Right>
    public var holder: SessionStore.Holder
    /// The albums that this visitor sees; `nil` for all, also those to come.
    public var albums: Set<AlbumID>?
    /// Whether this visitor learns nothing of where photos were taken, also by no bytes of theirs.
    public var hidesPlaces: Bool
    /// The session's bearer, by which it ends; `nil` for whoever needs none.
    public var session: TokenDigest?

    public init(
        rights: Set<Right>, holder: SessionStore.Holder = .owner, albums: Set<AlbumID>? = nil,
        hidesPlaces: Bool = false, session: TokenDigest? = nil
    ) {
        self.rights = rights
        self.holder = holder
        self.albums = albums
        self.hidesPlaces = hidesPlaces
        self.session = session
    }

    /// Whoever speaks through the home's socket.
    public static let owner = Visitor(rights: Set(Right.allCases))

    /// Whoever comes through a door for monitors, which has nothing else to be watched.
    static let monitor = Visitor(rights: [.watch])

    /// Which guest it is; `nil` for the owner.
    public var guest: GuestID? {
        if case .guest(let guest) = holder { guest } else { nil }
    }

    /// Whether an album that this visitor makes is one that this visitor sees.
    var mayMakeAlbums: Bool { rights.contains(.add) && albums == nil }

    /// What this visitor gets where others get an original.
    var originalKind: PictureKind { hidesPlaces ? .placeless : .original }

    public func sees(_ album: AlbumID) -> Bool { albums?.contains(album) ?? true }
}
