public import AlbumModel

/// Something that a person may want to know about the folder.
public enum FolderNotice: Hashable, Sendable, CustomStringConvertible {
    /// The folder cannot be used; nothing is imported or placed until ``available``.
    case unavailable(String)
    case available
    /// Not every directory can be watched; what happens there is found by rescans, somewhat later.
    case watchLimit(String)
    /// Parts of the folder cannot be looked at, because reading fails or a disk in it is away: what is in them stays as it
    /// is. `nil` once everything can be looked at again.
    case unreachable(String?)
    case skipped(SkippedFile)
    /// A file could not be shared yet; it is tried again.
    case postponed(path: String, reason: String)
    /// A photo of the album whose last file a person had deleted has a file again, which a person put there.
    case returned(path: String, album: AlbumID, blob: BlobID)
    /// A photo came back to its album while its file was being taken away: it has none, and may be placed.
    case unplaced(album: AlbumID, blob: BlobID)
    /// A file that held this photo holds something else now. Where it was a hard link, so does the blob's file.
    case overwritten(path: String, blob: BlobID)
    /// The bytes of a photo that the gathering knows are in the blob store, from a file of this size that was found.
    case stored(BlobID, byteCount: UInt64)

    public var description: String {
        switch self {
        case .unavailable(let sentence), .watchLimit(let sentence): sentence
        case .available: "The folder is there again."
        case .unreachable(let sentence): sentence ?? "Everything in the folder can be looked at again."
        case .skipped(let file): "\(file.path) is not shared: \(file.reason)."
        case .postponed(let path, let reason): "\(path) is not shared yet: \(reason)"
        case .returned(let path, _, _): "\(path) is in this folder again."
        case .unplaced(_, let blob): "Photo \(blob) is back, and has no file yet."
        case .stored(let blob, _): "Photo \(blob) is in the store, from a file that was found."
        case .overwritten(let path, _): "\(path) holds something else now."
        }
    }
}
