import CFileOps
import DiskIO
import FolderEngine
import Glibc

/// Small things around system calls.
enum SystemCall {
    static var failureCode: FolderError.Code { FileError.isFull(errno) ? .diskFull : .failed }

    /// What `errno` means, in the person's language where the locale says so.
    static func lastErrorText() -> String { FileError.text(errno) }

    /// What a path is, without following a symbolic link; `nil` with `errno` set where it cannot be told.
    static func look(_ path: [CChar]) -> stat? {
        var info = stat()
        return lstat(path, &info) == 0 ? info : nil
    }

    /// Whether `errno` says that there is nothing at a path, as opposed to nobody knows.
    static var saysAbsent: Bool { errno == ENOENT || errno == ENOTDIR }

    /// Whether an errno says, of an attempt to open a path, that something is there which is not for this program to read. A
    /// directory on the way gives the same errors, and then nobody knows what is there.
    static func isUnfit(_ number: Int32, _ path: [CChar]) -> Bool {
        [EACCES, EPERM, ELOOP, ENXIO].contains(number) && look(path) != nil
    }

    /// Renames, but never over something. 0, or the errno that says why not: EEXIST if the name is taken.
    static func renameWithoutReplacing(_ source: [CChar], to target: [CChar]) -> Int32 {
        let status = cfileops_rename_no_replace(source, target)
        guard status == EINVAL || status == ENOSYS else { return status }
        // exFAT and old network file systems cannot: here the name was free a moment ago.
        if look(target) != nil { return EEXIST }
        guard saysAbsent else { return errno }
        return rename(source, target) == 0 ? 0 : errno
    }

    /// The caller closes it.
    static func openDirectory(_ path: String) throws(FolderError) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open", path) }
        return descriptor
    }

    /// Makes a file's bytes durable; one that is not there, or that nobody may read, is no error.
    static func synchronizeFile(_ path: [CChar]) throws(FolderError) {
        let text = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = FolderError.last("open", text)
            if saysAbsent || isUnfit(errno, path) { return }
            throw failure
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("synchronize", text) }
    }

    /// Makes the names in a directory durable.
    static func synchronizeDirectory(_ path: String) throws(FolderError) {
        let descriptor = try openDirectory(path)
        defer { close(descriptor) }
        // Some network file systems cannot, and say so; they have nothing better to offer.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("synchronize", path) }
    }

    /// The same below a folder; one that is gone has nothing to lose, and brings nothing back.
    static func synchronizeDirectory(_ path: FolderPath, root: String) throws(FolderError) {
        let isGone = look(path.absolute(in: root)) == nil && saysAbsent
        if !isGone { try synchronizeDirectory(root + "/" + path.text) }
    }
}
