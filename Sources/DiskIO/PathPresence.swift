import Glibc

/// Whether something stands at a path, with the third answer: nobody could look.
public enum PathPresence: Hashable, Sendable {
    case present
    /// There is nothing of that name, or a part of the path before it is no directory.
    case absent
    /// Says nothing of what stands there.
    case unknown(errno: Int32)

    /// Looks at a path. Blocks.
    ///
    /// - Parameter followsLink: whether a symbolic link in the path's last part stands for what it leads to.
    public init(of path: some DiskPath, followsLink: Bool = false) {
        var info = stat()
        let status = path.withCString { fstatat(AT_FDCWD, $0, &info, followsLink ? 0 : AT_SYMLINK_NOFOLLOW) }
        self = status == 0 ? .present : Self.failed(errno)
    }

    /// What an errno says of the path that a call was given.
    public static func failed(_ errno: Int32) -> PathPresence {
        errno == ENOENT || errno == ENOTDIR ? .absent : .unknown(errno: errno)
    }
}
