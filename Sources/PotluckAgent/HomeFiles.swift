public import AlbumModel
import PhotoStore

/// Files of a home that other processes may read, whether an agent runs or not.
public enum HomeFiles {
    /// Where the bytes of a photo or a small picture are, if they are here. They may be gone, and a person may have
    /// changed them: check their hash.
    ///
    /// - Parameter home: The home's absolute path.
    public static func path(of id: BlobID, home: String) -> String { BlobStore.path(of: id, home: home) }
}
