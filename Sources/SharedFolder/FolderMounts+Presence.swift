import DiskIO
import FolderEngine
import Glibc

/// The folder's own disk, and those in it. Every call blocks.
extension FolderMounts: PresenceDisk {
    func look(at path: FolderPath) -> PathLook {
        guard let info = SystemCall.look(path.absolute(in: root)) else {
            return SystemCall.saysAbsent ? .absent : .unknown
        }
        return info.st_mode & S_IFMT == S_IFDIR ? .directory : .noDirectory
    }

    func listing(of directory: FolderPath) -> FolderWalk.Listing {
        FolderWalk.Listing { () throws(DirectoryListingError) in try list(directory) }
    }

    func isAway(_ path: FolderPath) -> Bool { away(over: path) != nil }
}
