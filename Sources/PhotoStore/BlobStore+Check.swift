public import AlbumModel
import DiskIO
import Synchronization

/// What a blob's file turned out to hold.
public enum BlobCondition: Hashable, Sendable {
    case whole
    /// Other bytes than its name says. `inode` tells this file from one that takes its place later.
    case changed(inode: UInt64)
    /// The disk does not give its bytes back; `reason` is a sentence.
    case unreadable(inode: UInt64, reason: String)
    /// Nobody could look: it says nothing of the bytes. `reason` is a sentence.
    case unknown(reason: String)
    /// There is no file any more, and the store has forgotten the blob.
    case absent
}

extension BlobStore {
    /// Hashes a blob's file whatever was last seen of it: a disk that forgets changes neither size nor times.
    ///
    /// The kernel is asked to drop what it keeps of the file first, so that the bytes come from the disk, and afterwards,
    /// so that a look at everything does not push out what others need. Nothing is removed; a blob whose bytes are right
    /// is recorded as seen so. Blocks for as long as reading takes.
    ///
    /// - Parameter goesOn: asked after every piece; it may block to slow the reading down, and ends it with `false`.
    /// - Returns: `nil` where it was ended.
    /// - Throws: what would be so of every other blob at this moment, such as a lack of descriptors.
    public func check(_ id: BlobID, goesOn: () -> Bool) throws(BlobError) -> BlobCondition? {
        try BlobError.wrapping {
            let file: Descriptor
            do {
                guard contains(id), let found = try openFile(id) else { return .absent }
                file = found
            } catch let error as FileError where !error.concernsEveryFile {
                return .unknown(reason: BlobError(error).message)
            }
            let before = try FileStat(descriptor: file.number)
            file.dropCache()
            defer { file.dropCache() }
            do {
                let scan = try scan(file, expecting: id) { _, _ in
                    guard goesOn() else { throw CheckEnded() }
                }
                guard scan.id == id else { return .changed(inode: before.inode) }
                recordSeen(scan, before, try FileStat(descriptor: file.number))
                return .whole
            } catch is CheckEnded {
                return nil
            } catch let error as FileError where error.call == "read" && error.meansBadDisk {
                return .unreadable(inode: before.inode, reason: BlobError(error).message)
            } catch let error as FileError where !error.concernsEveryFile {
                return .unknown(reason: BlobError(error).message)
            }
        }
    }

    /// Ends a blob whose file was found wrong by ``check(_:goesOn:)`` or ``open(_:)``.
    ///
    /// A file that has other names, in the folder, only loses this one: it may be a person's edit. Otherwise it moves to
    /// `quarantine/` in the home, since part of its bytes may be all that is left of a photo; where it cannot, as on
    /// another disk, only to another name. Where another file has taken its place meanwhile, nothing happens.
    ///
    /// - Returns: where the file is now; `nil` for one that was not kept, or is not there.
    /// - Throws: where nobody can look, or the file keeps its name: the blob stays in the store then. Where the disk does
    ///   not make it durable the blob has left the store, and the next start may find its file again.
    @discardableResult
    public func setAside(_ id: BlobID, inode: UInt64) throws(BlobError) -> String? {
        try BlobError.wrapping {
            let taken = try marking.withLock { _ -> (kept: String?, isLoss: Bool)? in
                let path = paths.blob(id)
                guard let stat = try FileStat.find(path: path), stat.inode == inode else { return nil }
                let kept = try takeOut(path, stat, name: id.hex)
                // Right behind it: a record without a file must not stay, whatever fails from here on.
                return (kept, ledger.remove(id))
            }
            guard let taken else { return nil }
            if taken.isLoss { noteLoss(of: id) }
            try Disk.synchronizeDirectory(paths.directory(of: id))
            return taken.kept
        }
    }

    /// Takes a wrong file's name away, and keeps its bytes unless it has another name.
    private func takeOut(_ path: String, _ stat: FileStat, name: String) throws -> String? {
        guard stat.linkCount > 1 || PlantedFault.isPlanted(.damagedFileRemoved) else {
            return try moveAside(path, name: name)
        }
        try Disk.remove(path)
        return nil
    }

    /// A free path in `quarantine/`, which is made where it is missing. `name` needs no care to be unique.
    public func quarantinePath(for name: String) throws(BlobError) -> String {
        try BlobError.wrapping { try quarantinePath(name) }
    }

    /// Files in `quarantine/`, and their bytes.
    public func quarantined() throws(BlobError) -> (files: Int, byteCount: UInt64) {
        try BlobError.wrapping {
            // Where there is no such directory nothing was ever set aside.
            guard try Disk.exists(paths.quarantine) else { return (0, 0) }
            let sizes = try Disk.names(in: paths.quarantine).compactMap { name in
                try FileStat.find(path: paths.quarantine + "/" + name)?.byteCount
            }
            return (sizes.count, sizes.clampedSum)
        }
    }

    /// Paths below `blobs/` that are no blobs of the store's making, such as files that a person put there.
    public func strays() throws(BlobError) -> [String] {
        try BlobError.wrapping {
            try Disk.names(in: paths.blobs).sorted().flatMap { prefix in
                guard Hexadecimal.isByte(prefix) else { return ["blobs/" + prefix] }
                return try Disk.names(in: paths.blobs + "/" + prefix).sorted()
                    .filter { BlobID(hex: prefix + $0) == nil }.map { "blobs/\(prefix)/\($0)" }
            }
        }
    }

    private func moveAside(_ path: String, name: String) throws -> String {
        do {
            let target = try quarantinePath(name)
            try Disk.rename(path, to: target)
            return target
        } catch {
            // A home's directories may be on several disks, and a full one has no room for another directory: then it
            // stays beside the blobs, as a stray. What stops that as well is thrown.
        }
        let beside = path + "-" + BlobPaths.randomName()
        try Disk.rename(path, to: beside)
        return beside
    }

    private func quarantinePath(_ name: String) throws -> String {
        try Disk.makeDirectory(paths.quarantine, mode: 0o700)
        try Disk.synchronizeDirectory(paths.home)
        return paths.quarantine + "/" + name + "-" + BlobPaths.randomName()
    }

    private func recordSeen(_ scan: IngestedBlob, _ before: FileStat, _ after: FileStat) {
        marking.withLock { _ in
            let seen = before == after ? FileMark(after) : nil
            guard let record = ledger.record(scan.id), record.seen != seen else { return }
            ledger.set([BlobRow(id: scan.id, byteCount: scan.byteCount, seen: seen, pieceList: scan.pieceList)])
        }
    }
}

/// A check was ended before the file was.
private struct CheckEnded: Error {}

extension Hexadecimal {
    /// Two digits, in lower case.
    fileprivate static func isByte(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
