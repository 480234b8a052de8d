import Glibc
import PhotoStore

/// By what a file is known again without reading it.
///
/// The device number is not part of it: it changes from mount to mount.
struct FileSignature: Hashable, Sendable {
    var inode: UInt64
    var byteCount: UInt64
    /// mtime and ctime, in nanoseconds since 1970.
    var modified: Int64
    var changed: Int64

    init(inode: UInt64, byteCount: UInt64, modified: Int64, changed: Int64) {
        self.inode = inode
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
    }

    init(_ info: FileStat) {
        self.init(inode: info.inode, byteCount: info.byteCount, modified: info.modified, changed: info.changed)
    }

    /// The same file with the same content, perhaps under another name: renaming and linking change the ctime only.
    func isSameFile(as other: FileSignature) -> Bool {
        inode == other.inode && isUnchanged(since: other)
    }

    /// The same size and time of change: nothing says that a person or a program changed the content.
    func isUnchanged(since other: FileSignature) -> Bool {
        byteCount == other.byteCount && modified == other.modified
    }
}
