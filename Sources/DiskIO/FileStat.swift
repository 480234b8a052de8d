public import Glibc

/// What the file system says about one file at one moment. Every look blocks.
public struct FileStat: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    public var byteCount: UInt64
    /// Last change of the content (mtime), in nanoseconds since 1970.
    public var modified: Int64
    /// Last change of content, mode, names or times (ctime), in nanoseconds since 1970.
    public var changed: Int64
    /// How many names the file has.
    public var linkCount: UInt64
    /// Type and permissions, as in `st_mode`.
    public var mode: UInt32
    /// The device that a device node stands for; 0 of all else.
    public var representedDevice: UInt64

    /// Looks at what `path` names.
    ///
    /// - Parameter followsLink: whether a symbolic link in the path's last part stands for what it leads to.
    public init(path: some DiskPath, followsLink: Bool = false) throws(FileError) {
        var info = stat()
        let status = path.withCString { fstatat(AT_FDCWD, $0, &info, followsLink ? 0 : AT_SYMLINK_NOFOLLOW) }
        guard status == 0 else { throw .last("look at", path.pathText) }
        self.init(info)
    }

    /// The same; `nil` where there is no such file.
    ///
    /// - Throws: where nobody can look.
    public static func find(path: some DiskPath, followsLink: Bool = false) throws(FileError) -> FileStat? {
        do throws(FileError) {
            return try FileStat(path: path, followsLink: followsLink)
        } catch {
            guard error.isAbsent else { throw error }
            return nil
        }
    }

    public init(descriptor: Int32) throws(FileError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .last("look at", "an open file") }
        self.init(info)
    }

    public init(_ info: stat) {
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
        byteCount = UInt64(max(0, info.st_size))
        modified = Self.nanoseconds(info.st_mtim)
        changed = Self.nanoseconds(info.st_ctim)
        linkCount = UInt64(info.st_nlink)
        mode = UInt32(info.st_mode)
        representedDevice = UInt64(info.st_rdev)
    }

    public var kind: FileKind { FileKind(mode: mode_t(mode)) }
    public var isRegularFile: Bool { kind == .file }
    public var isDirectory: Bool { kind == .directory }

    /// Times beyond the years 1678 to 2262, which only a broken file system gives, come out as the nearest of those.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (scaled, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowToo) = scaled.addingReportingOverflow(Int64(time.tv_nsec))
        return overflow || overflowToo ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}

extension timespec {
    /// - Parameter nanoseconds: since 1970.
    public init(nanoseconds: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    }
}

/// What a file system says about itself at one moment.
public struct FileSystemStat: Hashable, Sendable {
    /// Its size; 0 where it does not say.
    public var byteCount: UInt64
    /// What this person may still use of it.
    public var freeByteCount: UInt64
    /// The number that it gives itself; 0 for some, and the number of the device that it is on for others.
    public var id: UInt64

    /// Asks the file system that `path` is on. Blocks.
    public init(path: some DiskPath) throws(FileError) {
        var info = statvfs()
        guard path.withCString({ statvfs($0, &info) }) == 0 else { throw .last("look at", path.pathText) }
        self.init(info)
    }

    /// Asks the file system of an open file or directory. Blocks.
    public init(descriptor: Int32, path: String) throws(FileError) {
        var info = statvfs()
        guard fstatvfs(descriptor, &info) == 0 else { throw .last("look at", path) }
        self.init(info)
    }

    public init(_ info: statvfs) {
        byteCount = UInt64(info.f_blocks).clampedProduct(UInt64(info.f_frsize))
        freeByteCount = UInt64(info.f_bavail).clampedProduct(UInt64(info.f_frsize))
        id = UInt64(info.f_fsid)
    }
}
