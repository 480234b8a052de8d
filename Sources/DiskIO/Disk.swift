import CFileOps
public import Glibc

/// Calls on paths. Each blocks; its error says what was tried, on which path, and why not.
///
/// Links on the way are followed. Below a directory that others may have prepared ``OpenDirectory`` is to be used.
public enum Disk {
    // MARK: Looking

    /// Whether something stands at a path.
    ///
    /// - Throws: where nobody can look, which says nothing of what stands there.
    public static func exists(_ path: some DiskPath, followsLink: Bool = true) throws(FileError) -> Bool {
        switch PathPresence(of: path, followsLink: followsLink) {
        case .present: return true
        case .absent: return false
        case .unknown(let errno): throw FileError(errno: errno, "look at", path.pathText)
        }
    }

    /// All names in a directory but `.` and `..`, in no order. A link in the path's last part is followed: a home's
    /// directories may be on other disks.
    public static func names(in path: some DiskPath) throws(FileError) -> [String] {
        do throws(DirectoryListingError) {
            return try DirectoryListing(path: path, followsLink: true).entries.map(\.text)
        } catch {
            throw FileError(errno: error.errno, "list", error.path)
        }
    }

    /// All bytes of a file whose size nobody knows before, such as those in `/proc`.
    public static func contents(ofStream path: some DiskPath) throws(FileError) -> [UInt8] {
        let file = try Descriptor(opening: path, .read(followsLink: true))
        var bytes: [UInt8] = []
        while true {
            let next = try file.bytes(at: UInt64(bytes.count), atMost: streamReadByteCount)
            if next.isEmpty { return bytes }
            bytes += next
        }
    }

    private static let streamReadByteCount = 64 << 10

    // MARK: Making

    /// Makes a directory; one that is there already is fine, as is anything else that stands there.
    ///
    /// - Returns: whether it was made now. Its name is durable once its parent is synced.
    @discardableResult
    public static func makeDirectory(_ path: some DiskPath, mode: mode_t) throws(FileError) -> Bool {
        if path.withCString({ mkdir($0, mode) }) == 0 { return true }
        // The root of some file systems is EISDIR.
        guard errno == EEXIST || errno == EISDIR else { throw .last("make", path.pathText) }
        return false
    }

    /// Makes a directory whose name survives a power cut when this returns; one that is there already is fine.
    ///
    /// - Returns: whether it was made now.
    /// - Throws: also where its name cannot be made durable. Then it is removed again, so that the next attempt does not
    ///   take it for one that is.
    public static func makeDurableDirectory(
        _ path: some DiskPath, in parent: some DiskPath, mode: mode_t, toleratesUnsupported: Bool = false
    ) throws(FileError) -> Bool {
        guard try makeDirectory(path, mode: mode) else { return false }
        do throws(FileError) {
            try synchronizeDirectory(parent, toleratesUnsupported: toleratesUnsupported)
        } catch {
            _ = removeIfEmpty(path)
            throw error
        }
        return true
    }

    /// Makes a directory and those above it that are missing, each durable before the next: else a power cut takes back
    /// what others rely on. Those that are there are made durable too, since an earlier attempt may have made them and
    /// failed then.
    ///
    /// - Parameter toleratesUnsupported: as in ``synchronizeDirectory(_:toleratesUnsupported:)``.
    public static func makeDirectories(
        _ path: String, mode: mode_t, toleratesUnsupported: Bool = false
    ) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            let parent = made.isEmpty ? "." : made
            made += (made.isEmpty || made == "/" ? "" : "/") + component
            let isNew = try makeDirectory(made, mode: mode)
            do throws(FileError) {
                try synchronizeDirectory(parent, toleratesUnsupported: toleratesUnsupported)
            } catch {
                // What this person may not read or change was not made by this program.
                guard !isNew, [EACCES, EPERM, EROFS].contains(error.errno) else { throw error }
            }
        }
    }

    /// Gives a file another name: a hard link.
    public static func link(_ source: some DiskPath, to target: some DiskPath) throws(FileError) {
        let status = source.withCString { from in target.withCString { Glibc.link(from, $0) } }
        guard status == 0 else { throw .last("link", target.pathText) }
    }

    // MARK: Moving and removing

    /// Removes a directory in which there is nothing.
    ///
    /// - Returns: false where it stays: it holds something, a disk is mounted there, or it may not be removed.
    public static func removeIfEmpty(_ directory: some DiskPath) -> Bool {
        directory.withCString { rmdir($0) } == 0
    }

    /// Renames a file, over one that stands there.
    public static func rename(_ source: some DiskPath, to target: some DiskPath) throws(FileError) {
        let status = source.withCString { from in target.withCString { Glibc.rename(from, $0) } }
        guard status == 0 else { throw .last("rename", source.pathText) }
    }

    /// How a name is kept from being taken where the file system has no rename that replaces nothing, as exFAT and old
    /// network ones have none.
    public enum Claim: Hashable, Sendable {
        /// It is looked whether the name is free: what comes in that moment is replaced.
        case look
        /// An empty file of ours takes the name, then makes way. For files alone; a crash in that moment leaves it.
        case emptyFile
    }

    /// Renames a file, but never over something.
    ///
    /// - Throws: EEXIST where the name is taken.
    public static func renameWithoutReplacing(
        _ source: some DiskPath, to target: some DiskPath, claimingBy claim: Claim
    ) throws(FileError) {
        try renameWithoutReplacing(source, to: target, claimingBy: claim, by: cfileops_rename_no_replace)
    }

    /// - Parameter call: renames without replacing: 0, or the errno that says why not. Tests hand in file systems that
    ///   cannot.
    static func renameWithoutReplacing(
        _ source: some DiskPath, to target: some DiskPath, claimingBy claim: Claim,
        by call: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32
    ) throws(FileError) {
        let status = source.withCString { from in target.withCString { call(from, $0) } }
        switch status {
        case 0: return
        case EINVAL, ENOSYS: break
        default: throw FileError(errno: status, "rename", source.pathText)
        }
        switch claim {
        case .look:
            guard try !exists(target, followsLink: false) else {
                throw FileError(errno: EEXIST, "rename", source.pathText)
            }
            try rename(source, to: target)
        case .emptyFile:
            try claimName(target)
            do throws(FileError) {
                try rename(source, to: target)
            } catch {
                // The empty file is all that stands there.
                try? remove(target)
                throw error
            }
        }
    }

    private static func claimName(_ path: some DiskPath) throws(FileError) {
        let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard file >= 0 else { throw .last("make", path.pathText) }
        close(file)
    }

    /// Removes a file; one that is gone already is fine.
    public static func remove(_ path: some DiskPath) throws(FileError) {
        guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else { throw .last("remove", path.pathText) }
    }

    public static func setMode(_ path: some DiskPath, _ mode: mode_t) throws(FileError) {
        guard path.withCString({ chmod($0, mode) }) == 0 else { throw .last("chmod", path.pathText) }
    }

    // MARK: Durability

    /// Makes the names in a directory survive a power cut.
    ///
    /// - Parameter toleratesUnsupported: whether a file system that has no such call is no error: some network ones,
    ///   which have nothing better to offer.
    public static func synchronizeDirectory(
        _ path: some DiskPath, toleratesUnsupported: Bool = false
    ) throws(FileError) {
        try Descriptor(opening: path, .directory).synchronize(toleratesUnsupported: toleratesUnsupported)
    }
}
