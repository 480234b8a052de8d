import DiskIO
import FolderEngine

/// The folder's own disk, and those in it. Every call blocks.
extension FolderMounts: PresenceDisk {
    func look(at path: FolderPath) -> PathLook {
        do throws(FileError) {
            return try FileStat(path: path.absolute(in: root)).isDirectory ? .directory : .noDirectory
        } catch {
            return error.isAbsent ? .absent : .unknown
        }
    }

    func listing(of directory: FolderPath) -> FolderWalk.Listing {
        FolderWalk.Listing { () throws(DirectoryListingError) in try list(directory) }
    }

    func isAway(_ path: FolderPath) -> Bool { away(over: path) != nil }
}
