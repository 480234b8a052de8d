public import AlbumModel

/// What a person did to files that held shared photos, once it is judged.
public enum FolderEdit: Hashable, Sendable {
    /// The last file of the photo in that album's directory is gone, or holds something that is no photo.
    case removed(album: AlbumID, blob: BlobID, path: String)
    /// The photo's file has another name now (in NFC), given by a person.
    case renamed(album: AlbumID, blob: BlobID, name: String, path: String)
    /// The photo's file is in another album's directory, which `to` names; that album may not be there yet.
    case moved(from: AlbumID, blob: BlobID, to: Drop)
    /// The photo's file holds another photo: it was edited in place, renamed over, or deleted and made again.
    case replaced(album: AlbumID, old: BlobID, by: Drop)
}
