public import AlbumModel
public import FolderEngine

/// What the folder asks of the agent around it. Called from any task.
public protocol FolderHost: Sendable {
    /// Where the photo stands in the album that this first-level directory stands for.
    func standing(ofPhoto blob: BlobID, inDirectory directory: String) async -> PhotoStanding
    /// The album of this first-level directory; `nil` if the gathering has none of its name.
    func albumID(forDirectory directory: String) async -> AlbumID?
    /// Adds the photo, and returns once the change is durable. Asked again later if it throws.
    func contribute(_ drop: Drop) async throws -> AlbumID
    /// Does what the edits of one judged group mean, in order, and returns once that is durable.
    ///
    /// Asked again later if it throws, and once more with the same edits after a crash just behind it: twice must come
    /// to the same as once.
    func apply(_ edits: [FolderEdit]) async throws
    /// An album's first-level directory is about to get another name, which is the album's. Durable when it returns; the
    /// album has files in the former one still, and may keep it.
    func directoryIsRenamed(_ former: String, to directory: String, album: AlbumID) async throws
    /// What waits for a person's decision, whenever that changes; `nil` when nothing waits any more.
    func heldBack(_ group: HeldGroup?) async
    func report(_ notice: FolderNotice) async
}

/// A photo that is to appear in the folder; its blob must be in the store.
public struct Placement: Hashable, Sendable {
    public var album: AlbumID
    /// As listed: no two albums have the same.
    public var albumName: String
    public var blob: BlobID
    /// The photo's shared name; a label, whatever a peer wrote there.
    public var name: String
    /// In nanoseconds since 1970.
    public var modified: Int64
    /// The contributor's, for telling apart photos of one name.
    public var deviceName: String
    /// Whether a read-only hard link will do: another device is known to hold the blob.
    public var mayLink: Bool

    public init(
        album: AlbumID, albumName: String, blob: BlobID, name: String, modified: Int64, deviceName: String,
        mayLink: Bool
    ) {
        self.album = album
        self.albumName = albumName
        self.blob = blob
        self.name = name
        self.modified = modified
        self.deviceName = deviceName
        self.mayLink = mayLink
    }

    var photo: PhotoKey { PhotoKey(album: album, blob: blob) }
}

/// One file of the folder that holds a shared photo.
public struct FolderFile: Hashable, Sendable {
    /// Below the folder.
    public var path: String
    public var album: AlbumID
    public var blob: BlobID
}
