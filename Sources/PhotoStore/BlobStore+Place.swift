public import AlbumModel
public import DiskIO
import Glibc
import Synchronization

extension BlobStore {
    /// Puts blobs into the folder as ordinary files, durably: never over something that stands there.
    ///
    /// Each is tried in this order: a clone that shares the bytes on the disk; where it may be one, a read-only hard link;
    /// a copy. Clones and copies are complete when they appear under their paths, and belong to the person alone. A blob is
    /// verified first where its file is not as it was last seen.
    ///
    /// A directory is synced once for all that are placed in it. What fails with one fails nothing else, but for that sync:
    /// then none of those is placed.
    ///
    /// - Parameter check: asked right before each, by its number in the group; where it throws, that is what becomes of it.
    /// - Returns: The placed files' values, in order, or a ``BlobError``: ``BlobError/Code/destinationExists``,
    ///   ``BlobError/Code/absent``, ``BlobError/Code/contentChanged`` or ``BlobError/Code/system``; then nothing stands at
    ///   the path that was not there before.
    public func place(
        _ placements: [BlobPlacement], check: (_ number: Int) throws -> Void = { _ in }
    ) -> [Result<FileStat, any Error>] {
        var outcomes = placements.enumerated().map { number, placement in
            Result {
                try check(number)
                return try BlobError.wrapping { try put(placement) }
            }
        }
        // Once for all links.
        ledger.write()
        var placed: [String: [Int]] = [:]
        for (number, outcome) in outcomes.enumerated() where (try? outcome.get()) != nil {
            placed[placements[number].directory, default: []].append(number)
        }
        for (directory, numbers) in placed.sorted(by: { $0.key < $1.key }) {
            do {
                try directorySyncs.submit(directory)
            } catch {
                for number in numbers {
                    if let stat = try? outcomes[number].get() { takeBack(placements[number].path, stat) }
                    outcomes[number] = .failure(error)
                }
            }
        }
        return outcomes
    }

    /// The same of one.
    public func place(
        _ id: BlobID, at path: String, mayLink: Bool, modified: Int64
    ) throws(BlobError) -> FileStat {
        let placement = BlobPlacement(blob: id, path: path, mayLink: mayLink, modified: modified)
        return try BlobError.wrapping { try place([placement])[0].get() }
    }

    /// Its name is not durable yet.
    private func put(_ placement: BlobPlacement) throws -> FileStat {
        guard let reader = try open(placement.blob) else { throw BlobError.absent(placement.blob) }
        var placement = placement
        placement.mayLink = placement.mayLink || PlantedFault.isPlanted(.linkedUnasked)
        let device = try FileStat(path: placement.directory + "/.").device
        if placement.mayLink, cloneless.withLock({ $0.contains(device) }),
            let linked = try link(placement, reader: reader)
        {
            return linked
        }
        return try putBeside(placement, reader: reader, on: device)
    }

    private func takeBack(_ path: String, _ stat: FileStat) {
        // A person may have put another file there meanwhile.
        if let now = try? FileStat(path: path), now.inode == stat.inode, now.device == stat.device {
            try? Disk.remove(path)
        }
    }

    /// Gives a placed file another name in its directory, durably; nothing is replaced.
    ///
    /// A renaming changes the ctime of a link, and so of the blob's own file: that is no reason to verify it anew.
    ///
    /// - Parameter isExpected: whether the file is the one that is meant; asked right before.
    /// - Returns: the file's values under its new name; `nil` where nothing was done: it is another file, or one that is no
    ///   link of ours and has another name, which a person gave.
    /// - Throws: ``BlobError/Code/destinationExists`` where something has the new name; else `path` tells whether it was done.
    public func rename(
        _ id: BlobID, from path: String, to target: String, isExpected: (FileStat) -> Bool
    ) throws(BlobError) -> FileStat? {
        try BlobError.wrapping {
            let own = try FileStat.find(path: paths.blob(id))
            let isLink = { (stat: FileStat) in own.map { $0.inode == stat.inode && $0.device == stat.device } ?? false }
            let renamed =
                try isLink(FileStat(path: path))
                ? renameLink(id, from: path, to: target) { isLink($0) && isExpected($0) }
                : move(path, to: target) { $0.linkCount == 1 && isExpected($0) }?.after
            if renamed != nil { try directorySyncs.submit(Self.directory(of: target)) }
            return renamed
        }
    }

    /// Only of a link all wait who open a blob: other files may be on another disk, which may be slow.
    private func renameLink(
        _ id: BlobID, from path: String, to target: String, isExpected: (FileStat) -> Bool
    ) throws -> FileStat? {
        // Once the lock is free again.
        defer { ledger.write() }
        return try marking.withLock { _ in
            let record = ledger.record(id)
            guard let (before, after) = try move(path, to: target, isExpected: isExpected) else { return nil }
            let isOursAlone =
                after.inode == before.inode && after.modified == before.modified
                && after.byteCount == before.byteCount
            if isOursAlone, record?.seen == FileMark(before) { noteMark(id, record, as: after) }
            return after
        }
    }

    private func move(
        _ path: String, to target: String, isExpected: (FileStat) -> Bool
    ) throws -> (before: FileStat, after: FileStat)? {
        let before = try FileStat(path: path)
        guard before.isRegularFile, isExpected(before) else { return nil }
        try moveWithoutReplacing(path, to: target)
        return (before, try FileStat(path: target))
    }

    /// The values of the file at `path` where its bytes are the blob's; `nil` for any other file. Reads the file only if
    /// its size is right.
    public func stat(ofFileWith id: BlobID, at path: String) throws(BlobError) -> FileStat? {
        try BlobError.wrapping {
            guard let record = ledger.record(id) else { return nil }
            let file = try Descriptor(opening: path, .read(followsLink: false))
            let before = try FileStat(descriptor: file.number)
            guard before.isRegularFile, before.byteCount == record.byteCount else { return nil }
            let scan = try BlobScan.run(descriptor: file.number, path: path) { _, _ in }
            let after = try FileStat(descriptor: file.number)
            return scan.id == id && after == before ? before : nil
        }
    }

    /// The same, once the file and its name are durable: for whoever remembers the file as placed. Else a power cut could
    /// take the file and leave the memory, and the photo would count as deleted by a person.
    public func makeDurable(fileWith id: BlobID, at path: String) throws(BlobError) -> FileStat? {
        guard let stat = try stat(ofFileWith: id, at: path) else { return nil }
        try BlobError.wrapping {
            try Descriptor(opening: path, .read(followsLink: false)).synchronize()
            try directorySyncs.submit(Self.directory(of: path))
        }
        return stat
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func destinationExists(_ path: String) -> BlobError {
        BlobError(.destinationExists, "\(path) exists already.")
    }

    /// Makes a file under a hidden name first, which becomes a clone, or a copy where no link can be had.
    private func putBeside(_ placement: BlobPlacement, reader: BlobReader, on device: UInt64) throws -> FileStat {
        let hidden = placement.directory + "/" + Self.placingPrefix + BlobPaths.randomName()
        let file = try Descriptor(opening: hidden, .make(mode: 0o644))
        do {
            if !cloner(file.number, reader.descriptor) {
                cloneless.withLock { _ = $0.insert(device) }
                if placement.mayLink, let linked = try link(placement, reader: reader) {
                    try Disk.remove(hidden)
                    return linked
                }
                try copy(reader, into: file)
            }
            try file.setModified(placement.modified)
            try file.synchronize()
            try moveWithoutReplacing(hidden, to: placement.path)
            return try FileStat(descriptor: file.number)
        } catch {
            try? Disk.remove(hidden)
            throw error
        }
    }

    func copy(_ reader: BlobReader, into file: Descriptor) throws {
        try BlobScan.withPieceBuffer { buffer in
            var offset: UInt64 = 0
            while true {
                let count = try reader.read(at: offset, into: buffer)
                try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
                file.startWriteback(at: offset, byteCount: count)
                offset += UInt64(count)
                if count < buffer.count { return }
            }
        }
    }

    /// `nil` where the file systems, or the file's number of links, do not allow one. The index is to be written afterwards:
    /// once the lock is free again, for which all wait who open a blob.
    private func link(_ placement: BlobPlacement, reader: BlobReader) throws -> FileStat? {
        let (id, path) = (placement.blob, placement.path)
        return try marking.withLock { _ in
            let before = try FileStat(descriptor: reader.descriptor)
            let record = ledger.record(id)
            if before.linkCount == 1 { try reader.file.setModified(placement.modified) }
            let expected = try FileStat(descriptor: reader.descriptor)
            do throws(FileError) {
                try Disk.link(reader.file.path, to: path)
            } catch {
                // Our change of the time was no change of the bytes.
                if record?.seen == FileMark(before) {
                    noteMark(id, record, as: try FileStat(descriptor: reader.descriptor))
                }
                if error.errno == EEXIST { throw Self.destinationExists(path) }
                if error.meansNoLink { return nil }
                throw error
            }
            let after = try FileStat(descriptor: reader.descriptor)
            let isOursAlone = after.modified == expected.modified && after.byteCount == expected.byteCount
            if record?.seen == FileMark(before), isOursAlone { noteMark(id, record, as: after) }
            return after
        }
    }

    func mark(_ id: BlobID, _ record: BlobLedger.Record?, as stat: FileStat) {
        noteMark(id, record, as: stat)
        ledger.write()
    }

    /// The same in memory; the index is to be written afterwards.
    private func noteMark(_ id: BlobID, _ record: BlobLedger.Record?, as stat: FileStat) {
        guard let record else { return }
        ledger.note([BlobRow(id: id, byteCount: record.byteCount, seen: FileMark(stat), pieceList: nil)])
    }

    private func moveWithoutReplacing(_ source: String, to target: String) throws {
        if PlantedFault.isPlanted(.placingReplaces), (try? Disk.rename(source, to: target)) != nil { return }
        do throws(FileError) {
            try Disk.renameWithoutReplacing(source, to: target, claimingBy: .emptyFile)
        } catch {
            throw error.errno == EEXIST ? Self.destinationExists(target) : error
        }
    }
}

extension FileError {
    /// The file systems, or the file's number of links, do not allow one.
    var meansNoLink: Bool { [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(errno) }
}
