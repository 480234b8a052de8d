import Glibc

/// What tells one file of this machine from all others at one time, pipes and sockets among them.
public struct FileIdentity: Hashable, Sendable {
    /// Of the file system that it is on.
    public var device: UInt64
    public var inode: UInt64

    /// Of what a descriptor is open for; `nil` where it is not open.
    public init?(of descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
    }
}
