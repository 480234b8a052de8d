public import AlbumModel

/// Which originals of an album this device pulls. What it has, by whatever way, it keeps and serves.
public enum OriginalsPolicy: String, Hashable, Sendable, CaseIterable {
    case all
    /// Names, thumbnails and what people say only.
    case none
    /// What this device contributed, in this life or an earlier one.
    case own
}

/// What a person decided about the originals that this device pulls.
public struct FetchPolicy: Hashable, Sendable {
    /// ``OriginalsPolicy/all`` for albums that are not in it.
    public var albums: [AlbumID: OriginalsPolicy]
    /// Photos that are pulled whatever their album's policy says.
    public var asked: Set<PhotoKey>

    public init(albums: [AlbumID: OriginalsPolicy] = [:], asked: Set<PhotoKey> = []) {
        self.albums = albums.filter { $0.value != .all }
        self.asked = asked
    }

    public subscript(album: AlbumID) -> OriginalsPolicy {
        get { albums[album] ?? .all }
        set { albums[album] = newValue == .all ? nil : newValue }
    }
}
