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

/// Photos whose loss from the folder looks like an accident: nothing is removed or replaced until a person decides.
public struct HeldGroup: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Many files vanished at once.
        case manyVanished
        /// Many files hold something else at once: an editor's batch, or ransomware.
        case manyRewritten
        /// Files vanished or changed while others were made anew with equal bytes, or hold what was replaced before: an
        /// older copy of the folder was put in its place.
        case restoredFolder
        /// All files of a directory are gone.
        case directoryGone
        /// Files are gone, and nobody saw them go: it was found by looking through the folder.
        case unexplained
    }

    /// The same while the group grows and shrinks, over restarts too.
    public var id: UInt64
    public var reason: Reason
    /// Photos whose last file in their album is gone, or holds something that is no photo.
    public var vanished: Int
    /// Photos whose file holds another photo.
    public var rewritten: Int
    /// Files that the albums concerned had before.
    public var of: Int
    /// Below the folder, ordered; the first ``pathCountMax``.
    public var paths: [String]
    /// For people: what was seen, and what they can do.
    public var sentence: String

    public static let pathCountMax = 20

    public init(
        id: UInt64, reason: Reason, vanished: Int, rewritten: Int, of: Int, paths: [String], sentence: String
    ) {
        self.id = id
        self.reason = reason
        self.vanished = vanished
        self.rewritten = rewritten
        self.of = of
        self.paths = paths
        self.sentence = sentence
    }
}
