import CFileOps
import DiskIO
import Glibc

/// A file that is being written under a temporary name. Unless it is renamed, it goes when this goes.
final class OutputFile {
    /// How bytes are written: pwrite(2). Tests hand in disks that are full.
    typealias Write = @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: off_t) -> Int

    static let systemWrite: Write = { pwrite($0, $1.baseAddress, $1.count, $2) }

    let path: String
    let descriptor: Int32
    private let write: Write
    private var isTemporary = true

    /// A file of that name is a crash's, and is emptied.
    ///
    /// - Throws: EWOULDBLOCK where another process is writing it.
    init(temporary path: String, write: @escaping Write = OutputFile.systemWrite) throws(DiskError) {
        self.path = path
        self.write = write
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .last("make", path) }
        // Where files cannot be locked, there is one writer, or there is bad luck. One that got its name meanwhile is
        // whole, and not ours to empty.
        guard cfileops_try_lock(descriptor) != EWOULDBLOCK, Paths.isSame(path, descriptor) else {
            isTemporary = false
            throw DiskError(number: EWOULDBLOCK, call: "write", path: path)
        }
        try truncate(to: 0)
    }

    /// A file that somebody else has written, at a temporary path of ours.
    ///
    /// - Throws: ``SourceError`` where there is none.
    init(adopting path: String) throws(SourceError) {
        self.path = path
        write = Self.systemWrite
        descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, fchmod(descriptor, 0o644) == 0 else { throw .last() }
    }

    deinit {
        close(descriptor)
        if isTemporary { unlink(path) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(DiskError) {
        var done = 0
        while done < bytes.count {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]), off_t(offset) + off_t(done))
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw .last("write", path)
            }
        }
        // Whether the kernel begins at once changes only how long the sync at the end takes.
        _ = cfileops_start_writeback(descriptor, Int64(offset), Int64(bytes.count))
    }

    func write(_ bytes: [UInt8], at offset: UInt64) throws(DiskError) {
        // The closure's error is known, but `withUnsafeBytes` has no typed throws for it.
        let result = bytes.withUnsafeBytes { buffer in Result { () throws(DiskError) in try write(buffer, at: offset) }
        }
        try result.get()
    }

    /// Whether the file now shares all bytes with another one, which costs no space: reflinks of Btrfs and XFS.
    func clone(_ source: SourceBytes) -> Bool { cfileops_clone(descriptor, source.descriptor) == 0 }

    func truncate(to byteCount: UInt64) throws(DiskError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw .last("truncate", path) }
    }

    func setModified(_ time: FileTime) { Paths.setModified(path, time) }

    /// Waits until the bytes are on the disk.
    func synchronize() throws(DiskError) {
        guard fsync(descriptor) == 0 else { throw .last("write", path) }
    }

    /// Gives the file its name. Replaces what stands there only where told to; otherwise throws EEXIST.
    func rename(to final: String, replacing: Bool) throws(DiskError) {
        if replacing {
            guard Glibc.rename(path, final) == 0 else { throw .last("rename", final) }
        } else {
            try Paths.moveWithoutReplacing(path, to: final)
        }
        isTemporary = false
    }
}

/// Calls on paths of the destination.
enum Paths {
    /// Whether the path still leads to the open file.
    static func isSame(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, opened) = (stat(), stat())
        guard lstat(path, &named) == 0, fstat(descriptor, &opened) == 0 else { return false }
        return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }

    /// - Throws: where nobody can look, which says nothing of what stands there.
    static func exists(_ path: String) throws(DiskError) -> Bool {
        switch PathPresence(of: path) {
        case .present: return true
        case .absent: return false
        case .unknown(let errno): throw DiskError(number: errno, call: "look at", path: path)
        }
    }

    /// A date that the file system cannot hold is no reason to fail.
    static func setModified(_ path: String, _ time: FileTime) {
        // UTIME_OMIT of POSIX, a macro that Swift does not import: the time of access stays.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), time.specification]
        utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
    }

    /// A directory that is there already is fine.
    static func makeDirectory(_ path: String) throws(DiskError) {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .last("make", path) }
    }

    /// - Throws: EEXIST where something stands at `final`.
    static func moveWithoutReplacing(_ path: String, to final: String) throws(DiskError) {
        let status = cfileops_rename_no_replace(path, final)
        guard status == EINVAL || status == ENOSYS else {
            guard status == 0 else { throw DiskError(number: status, call: "rename", path: final) }
            return
        }
        // Network file systems that cannot: nobody else is expected to write there in this moment.
        guard try !exists(final) else { throw DiskError(number: EEXIST, call: "rename", path: final) }
        guard rename(path, final) == 0 else { throw .last("rename", final) }
    }

    /// All names in a directory but `.` and `..`, sorted.
    static func names(in path: String) throws(DiskError) -> [String] {
        do throws(DirectoryListingError) {
            return try DirectoryListing(path: path, followsLink: true).entries.map(\.text).sorted()
        } catch {
            throw DiskError(number: error.errno, call: "list", path: error.path)
        }
    }

    /// Makes the names in a directory survive a power cut, and all that was written to its file system.
    static func synchronize(_ path: String) throws(DiskError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open", path) }
        defer { close(descriptor) }
        let status = cfileops_sync_file_system(descriptor)
        guard status == 0 else { throw DiskError(number: status, call: "write", path: path) }
    }

    /// How many bytes fit; `nil` where the file system does not say.
    static func freeByteCount(_ path: String) -> UInt64? {
        var info = statvfs()
        guard statvfs(path, &info) == 0, info.f_blocks > 0 else { return nil }
        return UInt64(info.f_bavail) * UInt64(info.f_frsize)
    }

    static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map { String($0) } ?? path }
}
