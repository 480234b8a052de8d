import CFileOps
public import Glibc

/// A directory that is open, and below which files are opened, made, moved and removed without leaving it.
///
/// What lies on a stick, or in any directory that others can prepare, may be of every kind and lead everywhere. So each
/// part of a name is checked and opened by itself, below the directory before it: no link is ever followed, no pipe
/// waited for, no device opened. Names have one or more parts with `/` between them; a part that is empty, `.`, `..`, too
/// long or has a NUL is an error.
///
/// Every call blocks. The directory is closed with the last reference.
public final class OpenDirectory: Sendable {
    /// Who decides what stands in a directory.
    public enum Owner: Hashable, Sendable {
        /// Anybody: no link is followed.
        case anybody
        /// The person whose laptop this is: directories below may be links, as to another disk. Files may not.
        case person
    }

    static let readFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    private static let nameByteCountMax = 255
    /// More entries than this are not listed.
    public static let entryCountMax = 1 << 22

    public let descriptor: Int32
    /// Where it was opened; for messages.
    public let path: String
    private let owner: Owner

    /// Opens a directory that a person named: the path itself may lead over links.
    ///
    /// - Parameter owner: of what is in it.
    public convenience init(path: String, of owner: Owner = .anybody) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = FileError.last("open", path)
            var info = stat()
            guard error.errno == ENOTDIR, stat(path, &info) == 0 else { throw error }
            throw FileError(.obstacle(FileKind(mode: info.st_mode), wanted: .directory), "open", path)
        }
        self.init(owning: descriptor, path: path, owner)
    }

    private init(owning descriptor: Int32, path: String, _ owner: Owner) {
        self.descriptor = descriptor
        self.path = path
        self.owner = owner
    }

    deinit {
        close(descriptor)
    }

    // MARK: Looking

    /// What stands under a name.
    public struct Look: Hashable, Sendable {
        public var kind: FileKind
        /// Of a plain file.
        public var byteCount: UInt64
        fileprivate var device: UInt64
        fileprivate var inode: UInt64
        fileprivate var linkCount: UInt64

        fileprivate init(_ info: stat) {
            kind = FileKind(mode: info.st_mode)
            byteCount = kind == .file ? UInt64(max(0, info.st_size)) : 0
            (device, inode, linkCount) = (UInt64(info.st_dev), UInt64(info.st_ino), UInt64(info.st_nlink))
        }
    }

    /// What stands under a name; `nil` for nothing.
    ///
    /// - Throws: where nobody can look, and where a directory before the last part is none.
    public func look(_ name: String) throws(FileError) -> Look? {
        guard let (parent, last) = try parent(of: name) else { return nil }
        return try parent.lookHere(last)
    }

    private func lookHere(_ name: String) throws(FileError) -> Look? {
        var info = stat()
        if fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 { return Look(info) }
        guard errno != ENOENT else { return nil }
        throw .last("look at", path(of: name))
    }

    /// Whether a name still leads to an open file.
    func leads(_ name: String, to descriptor: Int32) -> Bool {
        var info = stat()
        guard fstat(descriptor, &info) == 0, let look = try? look(name) else { return false }
        return look.inode == UInt64(info.st_ino) && look.device == UInt64(info.st_dev)
    }

    /// All entries but `.` and `..`, in no order.
    ///
    /// - Throws: ``FileError/Cause/tooLarge`` where there are more than `limit`.
    public func entries(atMost limit: Int = OpenDirectory.entryCountMax) throws(FileError) -> [DirectoryListing.Entry] {
        do throws(DirectoryListingError) {
            return try DirectoryListing(descriptor: descriptor, entryCountMax: limit).entries
        } catch {
            throw FileError(error.errno == E2BIG ? .tooLarge : .system(errno: error.errno), "list", path)
        }
    }

    /// The names of all entries, sorted. One that is no UTF-8 leads to nothing.
    public func names(atMost limit: Int = OpenDirectory.entryCountMax) throws(FileError) -> [String] {
        try entries(atMost: limit).map(\.text).sorted()
    }

    /// How many bytes fit; `nil` where the file system does not say.
    public var freeByteCount: UInt64? {
        let space = try? FileSystemStat(descriptor: descriptor, path: path)
        guard let space, space.byteCount > 0 else { return nil }
        return space.freeByteCount
    }

    // MARK: Opening

    /// Opens a directory; `nil` where there is nothing of its name.
    ///
    /// - Throws: ENODEV for a link of a person's that leads nowhere: what it leads to, such as a disk, is away.
    public func directory(_ name: String) throws(FileError) -> OpenDirectory? {
        var directory = self
        for part in try Self.parts(name) {
            guard let next = try directory.directoryHere(part) else { return nil }
            directory = next
        }
        return directory
    }

    private func directoryHere(_ name: String) throws(FileError) -> OpenDirectory? {
        let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC | (owner == .anybody ? O_NOFOLLOW : 0)
        let below = openat(descriptor, name, flags)
        if below >= 0 { return OpenDirectory(owning: below, path: path(of: name), owner) }
        let error = FileError.last("open", path(of: name))
        if error.errno == ENOENT {
            guard owner == .person, try lookHere(name)?.kind == .link else { return nil }
            throw FileError(errno: ENODEV, "open", path(of: name))
        }
        guard error.errno == ENOTDIR || error.errno == ELOOP, let look = try lookHere(name) else { throw error }
        throw FileError(.obstacle(look.kind, wanted: .directory), "open", path(of: name))
    }

    /// Opens a plain file for reading; `nil` where there is nothing of its name.
    public func file(_ name: String) throws(FileError) -> OpenFile? {
        guard let (parent, last) = try parent(of: name) else { return nil }
        return try parent.fileHere(last)
    }

    private func fileHere(_ name: String) throws(FileError) -> OpenFile? {
        guard let file = try openHere(name, Self.readFlags) else { return nil }
        return try OpenFile(owning: file, path: path(of: name))
    }

    /// Looks first: to open a device may already do something.
    private func openHere(_ name: String, _ flags: Int32) throws(FileError) -> Int32? {
        guard let look = try lookHere(name) else { return nil }
        guard look.kind == .file else {
            throw FileError(.obstacle(look.kind, wanted: .file), "open", path(of: name))
        }
        let file = openat(descriptor, name, flags)
        guard file < 0 else { return file }
        let error = FileError.last("open", path(of: name))
        if error.errno == ENOENT { return nil }
        // It took the file's place since the look.
        throw error.errno == ELOOP ? FileError(.obstacle(.link, wanted: .file), "open", error.path) : error
    }

    // MARK: Making

    /// Makes a directory for `mode`, or opens the one that is there. Those before the last part must exist.
    @discardableResult
    public func makeDirectory(_ name: String, mode: mode_t) throws(FileError) -> OpenDirectory {
        guard let (parent, last) = try parent(of: name) else { throw FileError(errno: ENOENT, "make", path(of: name)) }
        return try parent.makeDirectoryHere(last, mode)
    }

    private func makeDirectoryHere(_ name: String, _ mode: mode_t) throws(FileError) -> OpenDirectory {
        guard mkdirat(descriptor, name, mode) == 0 || errno == EEXIST else { throw .last("make", path(of: name)) }
        guard let directory = try directoryHere(name) else { throw FileError(errno: ENOENT, "open", path(of: name)) }
        return directory
    }

    /// Makes a plain file of one part's name and opens it for reading and writing. The caller closes it.
    ///
    /// - Returns: `nil` where something stands there.
    func create(_ name: String, mode: mode_t) throws(FileError) -> Int32? {
        try Self.check(name)
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
        guard file < 0 else { return file }
        guard errno == EEXIST else { throw .last("make", path(of: name)) }
        return nil
    }

    /// Opens a plain file of one part's name for reading and writing, `nil` where there is none. The caller closes it.
    func update(_ name: String) throws(FileError) -> Int32? {
        try Self.check(name)
        return try openHere(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }

    /// Writes a file as a whole or not at all: new bytes under a temporary name, synced, renamed over what stands there,
    /// and the name synced.
    ///
    /// - Parameters:
    ///   - name: one part.
    ///   - temporaryName: `name` with ``temporaryEnding`` for `nil`.
    ///   - toleratesUnsupported: whether a file system that cannot sync directories is no error.
    public func write(
        _ bytes: [UInt8], as name: String, temporaryName: String? = nil, mode: mode_t,
        toleratesUnsupported: Bool = false
    ) throws(FileError) {
        let file = try TemporaryFile(in: self, name: temporaryName ?? name + Self.temporaryEnding, mode: mode)
        try file.append(bytes)
        try file.replace(name, toleratesUnsupported: toleratesUnsupported)
    }

    /// What names of files end with that are written anew.
    public static let temporaryEnding = ".new"

    // MARK: Moving and removing

    /// Renames a file below this directory.
    ///
    /// - Parameters:
    ///   - other: the directory that `newName` is below; this one for `nil`.
    ///   - isReplacing: whether a plain file of the new name makes way.
    /// - Throws: EEXIST where something stands there and does not make way; an obstacle where it is no plain file.
    public func rename(
        _ name: String, to newName: String, in other: OpenDirectory? = nil, replacing isReplacing: Bool
    ) throws(FileError) {
        let destination = other ?? self
        guard let (source, last) = try parent(of: name), let (target, newLast) = try destination.parent(of: newName)
        else { throw FileError(errno: ENOENT, "rename", destination.path(of: newName)) }
        try source.renameHere(last, to: newLast, target, isReplacing)
    }

    private func renameHere(
        _ name: String, to newName: String, _ target: OpenDirectory, _ isReplacing: Bool
    ) throws(FileError) {
        let newPath = target.path(of: newName)
        if isReplacing {
            if let look = try target.lookHere(newName), look.kind != .file {
                throw FileError(.obstacle(look.kind, wanted: .file), "rename", newPath)
            }
            guard renameat(descriptor, name, target.descriptor, newName) == 0 else { throw .last("rename", newPath) }
            return
        }
        let status = cfileops_rename_no_replace_at(descriptor, name, target.descriptor, newName)
        guard status == EINVAL || status == ENOSYS else {
            guard status == 0 else { throw FileError(errno: status, "rename", newPath) }
            return
        }
        // File systems that cannot, such as those of networks: nobody else is expected to write there in this moment.
        guard try target.lookHere(newName) == nil else { throw FileError(errno: EEXIST, "rename", newPath) }
        guard renameat(descriptor, name, target.descriptor, newName) == 0 else { throw .last("rename", newPath) }
    }

    /// Removes a plain file; one that is gone already is fine.
    ///
    /// - Throws: an obstacle where anything else stands there, which stays.
    public func removeFile(_ name: String) throws(FileError) {
        guard let (parent, last) = try parent(of: name) else { return }
        try parent.removeFileHere(last)
    }

    private func removeFileHere(_ name: String) throws(FileError) {
        guard let look = try lookHere(name) else { return }
        guard look.kind == .file else {
            throw FileError(.obstacle(look.kind, wanted: .file), "remove", path(of: name))
        }
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw .last("remove", path(of: name)) }
    }

    /// Removes a directory if it is empty.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    public func removeDirectory(_ name: String) throws(FileError) -> Bool {
        guard let (parent, last) = try parent(of: name) else { return true }
        return parent.removeDirectoryHere(last)
    }

    private func removeDirectoryHere(_ name: String) -> Bool {
        unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT
    }

    // MARK: Durability and locks

    /// Makes the names in this directory survive a power cut.
    ///
    /// - Parameter toleratesUnsupported: whether a file system that has no such call is no error: some network ones.
    public func synchronize(toleratesUnsupported: Bool = false) throws(FileError) {
        try Descriptor.synchronize(descriptor, path: path, toleratesUnsupported: toleratesUnsupported)
    }

    /// Makes all that was written to the file system of this directory survive a power cut.
    public func synchronizeFileSystem() throws(FileError) {
        let status = cfileops_sync_file_system(descriptor)
        guard status == 0 else { throw FileError(errno: status, "write", path) }
    }

    /// Locks the directory until it is closed.
    ///
    /// - Returns: whether nobody else has the lock; true as well where directories cannot be locked.
    public func tryLock() -> Bool { cfileops_try_lock(descriptor) != EWOULDBLOCK }

    // MARK: Names

    /// The path of a name below, for messages and for programs that take nothing else.
    public func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// The directory before the last part of a name, and that part; `nil` where there is no such directory.
    private func parent(of name: String) throws(FileError) -> (OpenDirectory, String)? {
        var parts = try Self.parts(name)
        let last = parts.removeLast()
        guard !parts.isEmpty else { return (self, last) }
        return try directory(parts.joined(separator: "/")).map { ($0, last) }
    }

    private static func parts(_ name: String) throws(FileError) -> [String] {
        // By bytes: what follows may make one letter of a slash and an accent.
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String($0) }
        guard parts.allSatisfy({ $0 != nil }) else { throw FileError(.badName, "use", name) }
        for part in parts { try check(part ?? "") }
        return parts.compactMap { $0 }
    }

    private static func check(_ part: String) throws(FileError) {
        let isFit =
            !part.isEmpty && part != "." && part != ".."
            && !part.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
        guard isFit else { throw FileError(.badName, "use", part) }
        guard part.utf8.count <= nameByteCountMax else { throw FileError(errno: ENAMETOOLONG, "use", part) }
    }
}
