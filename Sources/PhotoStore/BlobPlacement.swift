public import AlbumModel

/// A blob that is to become a file of the folder.
public struct BlobPlacement: Hashable, Sendable {
    public var blob: BlobID
    /// Absolute; its directory must exist.
    public var path: String
    /// Whether a read-only hard link will do.
    public var mayLink: Bool
    /// The file's modification time, in nanoseconds since 1970. A link has the blob's own time, which is set only while no
    /// other name shares it.
    public var modified: Int64

    public init(blob: BlobID, path: String, mayLink: Bool, modified: Int64) {
        self.blob = blob
        self.path = path
        self.mayLink = mayLink
        self.modified = modified
    }

    var directory: String { BlobStore.directory(of: path) }
}
