import AlbumModel

/// A file system that is mounted in the folder, as it is known again after the next mount.
///
/// Device numbers change between boots and readers, and two cards have the same one in one reader, so they are no part of
/// it.
package struct MountIdentity: Hashable, Sendable {
    package static let byteCount = 17
    private static let version: UInt8 = 1

    /// 0 where nothing tells the file system from another one: it is known again by its files alone; see ``KnownMounts``.
    package var fileSystem: UInt64
    /// Of the directory that is mounted, which need not be the file system's topmost.
    package var rootInode: UInt64

    package init(fileSystem: UInt64, rootInode: UInt64) {
        (self.fileSystem, self.rootInode) = (fileSystem, rootInode)
    }

    /// Whether another file system has another identity.
    var isDistinct: Bool { fileSystem != 0 }

    /// `nil` for what a later version wrote.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == Self.version else { return nil }
        self.init(fileSystem: BigEndian.word(bytes[1..<9]), rootInode: BigEndian.word(bytes[9..<17]))
    }

    package var bytes: [UInt8] { [Self.version] + BigEndian.bytes(fileSystem) + BigEndian.bytes(rootInode) }
}

/// The mounts in the folder at one moment.
package struct MountTable: Hashable, Sendable {
    package enum Mount: Hashable, Sendable {
        case identified(MountIdentity)
        /// Something is mounted there that gives no answer.
        case unknown
    }

    /// By the directories at which they are; the folder's own mount is none of them.
    package var mounts: [FolderPath: Mount]

    package init(mounts: [FolderPath: Mount]) {
        self.mounts = mounts
    }
}
