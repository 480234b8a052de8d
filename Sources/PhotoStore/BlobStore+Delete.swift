public import AlbumModel
import DiskIO
import Synchronization

extension BlobStore {
    /// Gives back the space of a blob that no album and no trash needs, durably.
    ///
    /// Files in the folder that are links to it keep the bytes. Bytes that were taken in during this run, and that may be
    /// about to join an album, are kept, as are those of ``keep(_:)``; see ``settle(_:)``.
    /// - Returns: whether the store does not have the blob any longer.
    public func delete(_ id: BlobID) throws(BlobError) -> Bool {
        try BlobError.wrapping {
            // Whoever takes in the same bytes either is here first, or finds that they are gone and writes them anew.
            let isKept = try taken.withLock { taken in
                guard !taken.contains(id) || PlantedFault.isPlanted(.freshBytesDeleted) else { return true }
                // In this order: a file that cannot be removed is held still.
                try Disk.remove(paths.blob(id))
                ledger.remove(id)
                return false
            }
            if isKept { return false }
            try directorySyncs.submit(Self.parent(of: paths.blob(id)))
            return true
        }
    }

    /// Keeps blobs from being deleted, as though they had just been taken in, until ``settle(_:)``: an album came to name
    /// them after it was decided that they go. Those whose files are gone by now stay gone.
    public func keep(_ ids: some Sequence<BlobID>) {
        taken.withLock { $0.formUnion(ids) }
    }

    /// An album names these blobs now, or will not: bytes that were taken in are as good as any others from here on.
    public func settle(_ ids: some Sequence<BlobID>) {
        taken.withLock { $0.subtract(ids) }
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
