import AlbumModel
import Crypto
import DiskIO
import FolderEngine

extension MountIdentity {
    /// The identity of what is mounted at a directory.
    ///
    /// - Parameters:
    ///   - root: The directory itself.
    ///   - serial: Answers the volume's serial number. Asked only where the file system has no ID of its own.
    init(of fileSystem: FileSystemStat, root: FileStat, serial: () -> String?) {
        // FAT, exFAT, XFS, F2FS, ISO 9660, UDF and HFS+ give the device's number; FUSE, with NTFS, and NFS give none.
        let isOwn = fileSystem.id != 0 && fileSystem.id != root.device
        self.init(
            fileSystem: isOwn ? fileSystem.id : serial().map { Self.number($0, fileSystem.byteCount) } ?? 0,
            rootInode: root.inode)
    }

    /// Of the size too: some cameras give each card that they format the same serial number.
    private static func number(_ serial: String, _ byteCount: UInt64) -> UInt64 {
        BigEndian.word(SHA256.hash(data: Array("\(serial) \(byteCount)".utf8)).prefix(8))
    }
}
