import AlbumModel
import DiskIO

/// Moves finished files from `staging/` to `blobs/`: those of one directory together, and those of different ones at the
/// same time, so that the file system can make all of them durable by one trip to the disk.
final class BlobPublisher: Sendable {
    /// A finished file. Its bytes **must** be synced already, or a power cut could leave a blob's name on other bytes.
    struct Publication: Sendable {
        var id: BlobID
        var byteCount: UInt64
        var pieceList: PieceList?
        var file: Descriptor
    }

    /// The bytes of a file may be lost whatever a later sync of it says: the kernel may drop the pages that it could not
    /// write, and report success the next time.
    struct FailedSync: Error {
        var cause: any Error
    }

    private typealias Outcome = GroupCommit<Publication>.Outcome

    /// One for each directory, by the first byte of its blobs' names. Within a directory names are given only between two
    /// syncs: none is there while a sync fails that is not told so. Equal blobs are in the same one, where the second finds
    /// the first.
    private let groups: [GroupCommit<Publication>]
    private let pageCache: PageCacheBound

    init(paths: BlobPaths, ledger: BlobLedger, pageCache: PageCacheBound) {
        self.pageCache = pageCache
        groups = BlobPaths.prefixes.map { prefix in
            GroupCommit { Self.perform($0, directory: paths.blobs + "/" + prefix, paths: paths, ledger: ledger) }
        }
    }

    /// Makes a finished file the blob of that name, durably: read-only, bytes synced, renamed, directory synced, then
    /// recorded. A blob that is held already only loses the file in staging.
    ///
    /// After ``FailedSync`` the file is gone, or cannot be removed; it must not be published again. After another error
    /// it may be, unless it is gone: ``isGone(_:)``.
    func publish(_ publication: Publication) throws {
        do {
            try publication.file.setMode(0o444)
            try publication.file.synchronize()
        } catch {
            try? Disk.remove(publication.file.path)
            throw FailedSync(cause: error)
        }
        try groups[Int(publication.id.prefix >> 56)].submit(publication)
        pageCache.add(publication.id, byteCount: publication.byteCount)
    }

    /// Whether a file is known to have left `staging/`; where nobody can look it is not.
    func isGone(_ file: Descriptor) -> Bool { PathPresence(of: file.path) == .absent }

    private static func perform(
        _ publications: [Publication], directory: String, paths: BlobPaths, ledger: BlobLedger
    ) -> [Outcome] {
        var moved: Set<BlobID> = []
        var outcomes: [Outcome] = []
        for publication in publications {
            let isHeld = ledger.record(publication.id) != nil || moved.contains(publication.id)
            let outcome = Outcome {
                if isHeld { return try Disk.remove(publication.file.path) }
                try Disk.rename(publication.file.path, to: paths.blob(publication.id))
                moved.insert(publication.id)
            }
            outcomes.append(outcome)
        }
        if moved.isEmpty { return outcomes }
        let synced = Outcome { try Disk.synchronizeDirectory(directory) }
        let named = moved
        var rows: [BlobRow] = []
        for (number, publication) in publications.enumerated() where named.contains(publication.id) {
            // Of equal ones the first gave the name, and for the others it holds the bytes.
            let isFirst = moved.remove(publication.id) != nil
            if case .failed = synced {
                // What is not known to be durable must not stand where the next start would take it for a blob.
                if isFirst { try? Disk.rename(paths.blob(publication.id), to: publication.file.path) }
                outcomes[number] = synced
            } else if isFirst {
                rows.append(row(publication))
            }
        }
        ledger.set(rows)
        return outcomes
    }

    private static func row(_ publication: Publication) -> BlobRow {
        // Renaming changed the file's ctime, so its values are taken now. Without them the next reader hashes once.
        let stat = try? FileStat(descriptor: publication.file.number)
        return BlobRow(
            id: publication.id, byteCount: publication.byteCount, seen: stat.map { FileMark($0) },
            pieceList: publication.pieceList)
    }
}
