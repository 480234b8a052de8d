public import AlbumModel
import DiskIO
import PhotoStore

/// Files of a home that other processes may read, whether an agent runs or not.
public enum HomeFiles {
    /// The file with the bytes of a photo or a small picture, and how many they are; `nil` if they are not here. They may
    /// go meanwhile, and a person may have changed them: check their hash. A file that nobody can look at counts as there,
    /// and as empty: reading it tells why.
    ///
    /// - Parameter home: The home's absolute path.
    public static func file(of id: BlobID, home: String) -> (path: String, byteCount: UInt64)? {
        let path = BlobStore.path(of: id, home: home)
        do {
            return try FileStat.find(path: path).map { (path, $0.byteCount) }
        } catch {
            return (path, 0)
        }
    }
}
