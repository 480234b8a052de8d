import DiskIO
import FolderEngine
import Glibc

extension FolderPath {
    /// The path with ``root`` in front, ended by a zero byte: for the operating system.
    func absolute(in root: String) -> [CChar] {
        let front = Array(root.utf8)
        let all = bytes.isEmpty ? front : front + [UInt8(ascii: "/")] + bytes
        return all.map { CChar(bitPattern: $0) } + [0]
    }

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

extension FolderWalk.Listing {
    /// Whole, or the error that says why there is none.
    init(_ list: () throws(DirectoryListingError) -> DirectoryListing) {
        do {
            self = .whole(
                try list().entries.map { entry in
                    switch entry.kind {
                    case .directory: FolderWalk.Entry(name: entry.name, kind: .directory)
                    case .file, .link, .other: FolderWalk.Entry(name: entry.name, kind: .noDirectory)
                    case .unknown: FolderWalk.Entry(name: entry.name, kind: .unknown(EIO))
                    }
                })
        } catch {
            self = .failed(error.errno, isAbsent: error.isAbsent)
        }
    }
}
