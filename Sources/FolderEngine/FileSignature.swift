/// By what a file is known again without reading it.
///
/// The device number is not part of it: it changes from mount to mount.
package struct FileSignature: Hashable, Sendable {
    package var inode: UInt64
    package var byteCount: UInt64
    /// mtime and ctime, in nanoseconds since 1970.
    package var modified: Int64
    package var changed: Int64

    package init(inode: UInt64, byteCount: UInt64, modified: Int64, changed: Int64) {
        self.inode = inode
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
    }

    /// The same file with the same content, perhaps under another name: renaming and linking change the ctime only.
    package func isSameFile(as other: FileSignature) -> Bool {
        inode == other.inode && isUnchanged(since: other)
    }

    /// The same size and time of change: nothing says that a person or a program changed the content.
    package func isUnchanged(since other: FileSignature) -> Bool {
        byteCount == other.byteCount && modified == other.modified
    }
}
