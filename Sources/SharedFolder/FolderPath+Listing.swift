import DiskIO
import FolderEngine
import Glibc

extension FolderPath {
    /// The path with `root` in front.
    func absolute(in root: String) -> BytePath {
        BytePath(Array(root.utf8) + (bytes.isEmpty ? [] : [UInt8(ascii: "/")] + bytes))
    }

    /// Lists the directory at this path below the folder, whole or not at all. Never follows a symbolic link, but one that
    /// is the folder itself. Blocks.
    func listing(in root: String) throws(DirectoryListingError) -> DirectoryListing {
        try DirectoryListing(path: absolute(in: root), followsLink: bytes.isEmpty)
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
