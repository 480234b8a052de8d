public import AlbumModel
public import DiskIO
import Glibc
import Synchronization

/// One file for a blob and for a person's own photo, so that its bytes take their space once.
extension BlobStore {
    /// Makes a person's file the blob's file as well, durably; the copy in the store goes.
    ///
    /// The file keeps its name, inode and time, and becomes read-only, as placed links are: who writes into it anyway
    /// changes the blob's bytes, which the store finds out (rule 5), so other laptops **must** hold them. Its bytes are
    /// synced and hashed first, as the disk gives them back, while nobody has it open for writing.
    ///
    /// - Parameter isExpected: whether the file is the one that is meant; asked once it is open.
    /// - Returns: the file's values; `nil` where nothing was done: it is another file or in use, has other names, is on
    ///   another disk or another user's, or the disk has no links or has both share their bytes already.
    public func share(
        _ id: BlobID, withFileAt path: String, isExpected: (FileStat) -> Bool
    ) throws(BlobError) -> FileStat? {
        try BlobError.wrapping {
            guard let record = ledger.record(id), let blob = try openFile(id) else { return nil }
            let own = try FileStat(descriptor: blob.number)
            let file = try Descriptor(opening: path, .read(followsLink: false))
            let before = try FileStat(descriptor: file.number)
            guard before.isRegularFile, before.byteCount == record.byteCount, isExpected(before),
                before.device == own.device, before.linkCount == 1, own.linkCount == 1,
                Descriptor.writer(of: file.number) == .none, try !clones(blob, on: own.device),
                let name = try stagedLink(to: path)
            else { return nil }
            var isShared = false
            defer {
                // Once the name is the blob's, whatever fails behind that: writing into the file would change the blob.
                if !isShared {
                    try? Disk.remove(name)
                    try? file.setMode(mode_t(before.mode & 0o7777))
                }
            }
            try file.setMode(mode_t(before.mode & 0o444 | 0o400))
            // Who opened it before that could still write.
            guard Descriptor.writer(of: file.number) == .none else { return nil }
            try file.synchronize()
            // A write that failed earlier may have been told to another one: what counts is on the disk.
            file.dropCache()
            let scan = try BlobScan.run(descriptor: file.number, path: path) { _, _ in }
            guard scan.id == id || PlantedFault.isPlanted(.sharedUnread) else { return nil }
            return try replace(id, inode: own.inode, with: name, like: before) { isShared = true }
        }
    }

    /// Another name of a file, in staging; `nil` where its disk has no links.
    private func stagedLink(to path: String) throws -> String? {
        let name = paths.newStagingFile()
        do throws(FileError) {
            try Disk.link(path, to: name)
            return name
        } catch {
            if error.meansNoLink { return nil }
            throw error
        }
    }

    /// Gives a blob a file of its own again, and makes the person's file writable, unless it is a placed one as well:
    /// the opposite of ``share(_:withFileAt:isExpected:)``.
    ///
    /// - Returns: the values of the file at `path`; `nil` where it is not the blob's.
    public func separate(_ id: BlobID, fromFileAt path: String) throws(BlobError) -> FileStat? {
        guard let reader = try open(id) else { throw .absent(id) }
        return try BlobError.wrapping {
            let file = try Descriptor(opening: path, .read(followsLink: false))
            let inode = try FileStat(descriptor: reader.descriptor).inode
            guard try FileStat(descriptor: file.number).inode == inode else { return nil }
            let copy = try Descriptor(opening: paths.newStagingFile(), .make(mode: 0o600))
            do {
                try self.copy(reader, into: copy)
                let scan = try BlobScan.run(descriptor: copy.number, path: copy.path) { _, _ in }
                guard scan.id == id else { throw BlobError(.contentChanged, "\(path) changed while it was copied.") }
                try copy.setMode(0o444)
                try copy.synchronize()
                try marking.withLock { _ in
                    try Disk.rename(copy.path, to: paths.blob(id))
                    try Disk.synchronizeDirectory(paths.directory(of: id))
                    if let record = ledger.record(id) { mark(id, record, as: try FileStat(descriptor: copy.number)) }
                }
            } catch {
                try? Disk.remove(copy.path)
                throw error
            }
            // A placed link in another album is the same file: writing into one would change both.
            let stat = try FileStat(descriptor: file.number)
            guard stat.linkCount == 1 else { return stat }
            try file.setMode(mode_t(stat.mode & 0o7777 | 0o200))
            return try FileStat(descriptor: file.number)
        }
    }

    /// Whether a file of a person's is the blob's own.
    public func isShared(_ id: BlobID, withFileAt path: String) throws(BlobError) -> Bool {
        try BlobError.wrapping {
            guard let own = try FileStat.find(path: paths.blob(id)), own.linkCount > 1,
                let file = try FileStat.find(path: path)
            else { return false }
            return file.inode == own.inode && file.device == own.device
        }
    }

    /// Whether the disk that `path` is on may have files share bytes with blobs; true where nobody tried yet.
    public func mayClone(to path: String) -> Bool {
        guard let device = try? FileStat(path: path).device else { return false }
        return cloneless.withLock { !$0.contains(device) }
    }

    /// Moves a name of a person's file in staging over the blob's, as long as both are the files that were looked at.
    ///
    /// - Parameter moved: called once it has the blob's name.
    private func replace(
        _ id: BlobID, inode: UInt64, with name: String, like before: FileStat, moved: () -> Void
    ) throws -> FileStat? {
        try marking.withLock { _ in
            guard let record = ledger.record(id), try FileStat.find(path: paths.blob(id))?.inode == inode else {
                return nil
            }
            let linked = try FileStat(path: name)
            guard linked.inode == before.inode, linked.linkCount == 2, linked.modified == before.modified,
                linked.byteCount == before.byteCount
            else { return nil }
            try Disk.rename(name, to: paths.blob(id))
            moved()
            let stat = try FileStat(path: paths.blob(id))
            // What was written since it was hashed is not known.
            if stat.inode == before.inode, stat.modified == before.modified { mark(id, record, as: stat) }
            try Disk.synchronizeDirectory(paths.directory(of: id))
            return stat
        }
    }

    /// Whether files of a disk can share bytes: then each has its own already, and takes no space.
    private func clones(_ blob: Descriptor, on device: UInt64) throws -> Bool {
        if cloneless.withLock({ $0.contains(device) }) { return false }
        if cloning.withLock({ $0.contains(device) }) { return true }
        let file = try Descriptor(opening: paths.newStagingFile(), .make(mode: 0o600))
        defer { try? Disk.remove(file.path) }
        if cloner(file.number, blob.number) {
            cloning.withLock { _ = $0.insert(device) }
            return true
        }
        cloneless.withLock { _ = $0.insert(device) }
        return false
    }
}
