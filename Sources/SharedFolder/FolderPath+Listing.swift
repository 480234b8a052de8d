import DiskIO
import Glibc

extension FolderPath {
    /// Lists the directory at this path below the folder, whole or not at all. Never follows a symbolic link. Blocks.
    func listing(in root: String) throws(DirectoryListingError) -> DirectoryListing {
        // By its bytes: a name need not be text.
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (bytes.isEmpty ? 0 : O_NOFOLLOW)
        let descriptor = open(absolute(in: root), flags)
        guard descriptor >= 0 else {
            let number = errno
            throw DirectoryListingError(errno: number, path: bytes.isEmpty ? root : root + "/" + text)
        }
        defer { close(descriptor) }
        return try DirectoryListing(descriptor: descriptor)
    }
}
