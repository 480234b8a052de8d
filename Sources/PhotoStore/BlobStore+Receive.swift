public import AlbumModel
import DiskIO
import Glibc
import Synchronization

extension BlobStore {
    /// Begins to receive a blob of several pieces, or goes on with what is in staging from before, whose pieces are read
    /// and verified. One of one piece comes whole: ``receive(_:bytes:)``.
    ///
    /// Sizes are checked against each other before anything is allocated: `list` has one hash for each of the blob's
    /// pieces; else ``BlobError/Code/badShape``. Throws ``BlobError/Code/alreadyHeld`` and
    /// ``BlobError/Code/alreadyReceiving`` as well.
    public func beginReceiving(
        _ id: BlobID, byteCount: UInt64, list: PieceList
    ) throws(BlobError) -> PartialBlob {
        guard byteCount <= Self.byteCountMax, byteCount > Pieces.byteCount,
            list.hashes.count == Pieces.count(blobByteCount: byteCount)
        else {
            throw BlobError(.badShape, "The piece list of blob \(id) does not fit its size.")
        }
        guard !contains(id) else {
            discardStaged(id)
            throw BlobError(.alreadyHeld, "The blob \(id) is here already.")
        }
        guard let claim = ReceivingClaim(id, in: self) else {
            throw BlobError(.alreadyReceiving, "The blob \(id) is on its way already.")
        }
        return try BlobError.wrapping {
            if let file = try makePart(id) {
                try file.truncate(to: byteCount)
                return PartialBlob(
                    id: id, byteCount: byteCount, list: list, file: file, publisher: publisher, claim: claim)
            }
            // Read-only is what a commit makes it, whose sync failed or that was killed.
            let wasCommitting = try FileStat.find(path: paths.part(id)).map { $0.mode & S_IWUSR == 0 } ?? false
            if wasCommitting { try? Disk.setMode(paths.part(id), 0o600) }
            let file = try Descriptor(opening: paths.part(id), .updateOrMake(mode: 0o600))
            let old = try FileStat(descriptor: file.number).byteCount
            if old != byteCount { try file.truncate(to: byteCount) }
            let partial = PartialBlob(
                id: id, byteCount: byteCount, list: list, file: file, publisher: publisher, claim: claim)
            if old > 0 { try partial.resume(isWrittenAgain: wasCommitting) }
            return partial
        }
    }

    /// A new file in staging; `nil` where an earlier attempt has left one.
    private func makePart(_ id: BlobID) throws(FileError) -> Descriptor? {
        do throws(FileError) {
            return try Descriptor(opening: paths.part(id), .make(mode: 0o600))
        } catch {
            guard error.errno == EEXIST else { throw error }
            return nil
        }
    }
}

extension BlobStore {
    /// Takes in a blob of one piece, all of which came; durable when it returns `true`, whoever else brings it at the same
    /// time.
    ///
    /// Throws where the disk does not take it. Nothing of it stays in staging but by a crash, after which it is received
    /// again.
    ///
    /// - Returns: `false` where the bytes are not the blob's: whoever sent them is condemned for it.
    public func receive(_ id: BlobID, bytes: UnsafeRawBufferPointer) throws(BlobError) -> Bool {
        guard BlobID(piece: bytes) == id || PlantedFault.isPlanted(.pieceNeverHashed) else { return false }
        try BlobError.wrapping { try makeUnlessThere(id, of: bytes) }
        return true
    }

    /// Removes what an earlier attempt to receive a blob left in staging; nothing while it is being received.
    public func discardStaged(_ id: BlobID) {
        // Whoever begins to receive it meanwhile waits: the file would be that one's.
        receiving.withLock { receiving in
            guard !receiving.contains(id) else { return }
            // Where this fails, the next start's sweep does it.
            try? Disk.remove(paths.part(id))
        }
    }
}

/// The right to receive one blob, which one partial blob has at a time. Ends once, at the latest with its last
/// reference.
final class ReceivingClaim: Sendable {
    private let id: BlobID
    private let store: BlobStore
    private let isActive = Atomic<Bool>(true)

    /// `nil` where somebody else has it.
    init?(_ id: BlobID, in store: BlobStore) {
        guard store.receiving.withLock({ $0.insert(id).inserted }) else { return nil }
        self.id = id
        self.store = store
    }

    deinit {
        end()
    }

    func end() {
        guard isActive.exchange(false, ordering: .sequentiallyConsistent) else { return }
        store.receiving.withLock { _ = $0.remove(id) }
    }
}
