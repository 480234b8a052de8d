import DiskIO
import FolderEngine
import Glibc

/// What the folder asks of its disk beyond single calls.
enum SystemCall {
    /// Whether an errno says, of an attempt to open a path, that something is there which is not for this program to read. A
    /// directory on the way gives the same errors, and then nobody knows what is there.
    static func isUnfit(_ number: Int32?, _ path: BytePath) -> Bool {
        [EACCES, EPERM, ELOOP, ENXIO].contains(number) && (try? FileStat(path: path)) != nil
    }

    /// Makes a file's bytes durable; one that is not there, or that nobody may read, is no error.
    static func synchronizeFile(_ path: BytePath) throws(FolderError) {
        do throws(FileError) {
            let file = try Descriptor(opening: path, .read(followsLink: false))
            try file.synchronize(toleratesUnsupported: true)
        } catch {
            guard error.call == "open", error.isAbsent || isUnfit(error.errno, path) else { throw FolderError(error) }
        }
    }

    /// Makes the names in a directory durable.
    static func synchronizeDirectory(_ path: String) throws(FolderError) {
        do throws(FileError) {
            try Disk.synchronizeDirectory(path, toleratesUnsupported: true)
        } catch {
            throw FolderError(error)
        }
    }

    /// The same below a folder; one that is gone has nothing to lose, and brings nothing back.
    static func synchronizeDirectory(_ path: FolderPath, root: String) throws(FolderError) {
        if PathPresence(of: path.absolute(in: root)) != .absent { try synchronizeDirectory(root + "/" + path.text) }
    }
}
