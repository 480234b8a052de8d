import DiskIO
public import Glibc

/// What the file system says about one file at one moment.
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

    /// Looks at what `path` names itself: a symbolic link is not followed.
    public init(path: String) throws(BlobError) {
        var info = stat()
        guard lstat(path, &info) == 0 else { throw BlobError(SystemError.last("look at", path)) }
        self.init(info)
    }

    /// The same; `nil` where there is no such file. Throws where nobody can look.
    public static func find(path: String) throws(BlobError) -> FileStat? {
        do {
            return try FileStat(path: path)
        } catch {
            guard error.meansAbsent else { throw error }
            return nil
        }
    }

    public init(descriptor: Int32) throws(BlobError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw BlobError(SystemError.last("look at", "an open file")) }
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
    }

    public var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    public var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }

    /// Times beyond the years 1678 to 2262, which only a broken file system gives, come out as the nearest of those.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (scaled, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowToo) = scaled.addingReportingOverflow(Int64(time.tv_nsec))
        return overflow || overflowToo ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
