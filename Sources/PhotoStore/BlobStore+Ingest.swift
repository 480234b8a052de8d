public import AlbumModel
import DiskIO
import Synchronization

extension BlobStore {
    /// Takes in a copy of a regular file that this device contributes; durable when it returns.
    ///
    /// The copy shares the file's bytes on the disk where the file system can, else the bytes are read once, hashed and
    /// written in one go. `isStillSame` is asked after the last read: where it answers false or throws, or where the
    /// file grew meanwhile, nothing is kept and ``BlobError/Code/changedWhileReading`` is thrown. A blob that is held
    /// already is not stored again, with the same result. `descriptor` stays the caller's, as does its offset.
    ///
    /// - Parameter expected: what the bytes have to be; others are not kept, and ``BlobError/Code/contentChanged`` is
    ///   thrown.
    public func ingest(
        descriptor: Int32, expecting expected: BlobID? = nil, isStillSame: () throws -> Bool = { true }
    ) throws(BlobError) -> IngestedBlob {
        try BlobError.wrapping {
            let file = try Descriptor(opening: paths.newStagingFile(), .make(mode: 0o600))
            do {
                let blob = try copy(descriptor, into: file)
                taken.withLock { _ = $0.insert(blob.id) }
                let isTaken = (try? isStillSame()) == true || PlantedFault.isPlanted(.changingFileTaken)
                guard isTaken else { throw Self.changedWhileReading }
                if let expected, blob.id != expected {
                    throw BlobError(.contentChanged, "The bytes are not those of the photo.")
                }
                let isNew = try unlessThere(blob.id) {
                    try publisher.publish(
                        BlobPublisher.Publication(
                            id: blob.id, byteCount: blob.byteCount, pieceList: blob.pieceList, file: file))
                }
                if !isNew { try Disk.remove(file.path) }
                return blob
            } catch {
                try? Disk.remove(file.path)
                throw error
            }
        }
    }

    /// Takes in bytes that this device made, at most a piece of them; durable when it returns.
    public func ingest(bytes: [UInt8]) throws(BlobError) -> BlobID {
        try BlobError.wrapping {
            try bytes.withUnsafeBytes { bytes in
                let id = BlobID(piece: bytes)
                taken.withLock { _ = $0.insert(id) }
                try makeUnlessThere(id, of: bytes)
                return id
            }
        }
    }

    /// Makes the blob of bytes that are known to be its, where the store lacks it; durable when it returns. Nothing of it
    /// stays in staging.
    func makeUnlessThere(_ id: BlobID, of bytes: UnsafeRawBufferPointer) throws {
        _ = try unlessThere(id) {
            let file = try Descriptor(opening: paths.newStagingFile(), .make(mode: 0o600))
            do {
                try file.write(bytes, at: 0)
                try publisher.publish(
                    BlobPublisher.Publication(id: id, byteCount: UInt64(bytes.count), pieceList: nil, file: file))
            } catch {
                try? Disk.remove(file.path)
                throw error
            }
        }
    }

    /// Has `publish` make the blob where the store lacks it, or finds out that it has lost it.
    ///
    /// - Returns: false where the store has it.
    private func unlessThere(_ id: BlobID, _ publish: () throws -> Void) throws -> Bool {
        // Nearly always it is new, and nobody is waited for.
        let wasHeld = contains(id)
        if wasHeld, try isStillThere(id) { return false }
        // Also where the bytes are here again: whoever was told of their loss meanwhile is to look once more.
        defer { if wasHeld { noteLoss(of: id) } }
        try publish()
        return true
    }

    /// Whether the store has the blob and its file, with its bytes: bytes that come in must not be dropped for the sake of
    /// a file that somebody has deleted, or changed through another name.
    private func isStillThere(_ id: BlobID) throws -> Bool {
        let isAsSeen = try marking.withLock { _ -> Bool? in
            guard let record = ledger.record(id) else { return nil }
            if PlantedFault.isPlanted(.deletedFileCounts) { return true }
            guard let stat = try FileStat.find(path: paths.blob(id)) else {
                _ = try forget(id)
                return nil
            }
            return record.seen == FileMark(stat)
        }
        guard let isAsSeen else { return false }
        if isAsSeen || PlantedFault.isPlanted(.changedFileCounts) { return true }
        do {
            return try open(id) != nil
        } catch {
            guard error.code == .contentChanged else { throw error }
            return false
        }
    }

    private static var changedWhileReading: BlobError {
        BlobError(.changedWhileReading, "The file changed while it was read.")
    }

    private func copy(_ descriptor: Int32, into file: Descriptor) throws -> IngestedBlob {
        if cloner(file.number, descriptor) {
            return try BlobScan.run(descriptor: file.number, path: file.path, turns: copying) { _, _ in }
        }
        let byteCountMax = try FileStat(descriptor: descriptor).byteCount
        return try BlobScan.run(descriptor: descriptor, path: "a dropped file", turns: copying) { piece, offset in
            // Else a file that grows as fast as it is read would never end.
            guard offset + UInt64(piece.count) <= byteCountMax else { throw Self.changedWhileReading }
            try file.write(piece, at: offset)
            file.startWriteback(at: offset, byteCount: piece.count)
        }
    }
}
