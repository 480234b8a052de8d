import AlbumModel
import DiskIO

/// Moves finished files from `staging/` to `blobs/`, several at once where several wait.
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

    private let group: GroupCommit<Publication>

    init(paths: BlobPaths, ledger: BlobLedger) {
        group = GroupCommit { Self.perform($0, paths: paths, ledger: ledger) }
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
        try group.submit(publication)
    }

    /// Whether a file is known to have left `staging/`; where nobody can look it is not.
    func isGone(_ file: Descriptor) -> Bool { PathPresence(of: file.path) == .absent }

    private static func perform(_ publications: [Publication], paths: BlobPaths, ledger: BlobLedger) -> [Outcome] {
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
        let failures = synchronize(moved, paths: paths)
        var rows: [BlobRow] = []
        for (number, publication) in publications.enumerated() where moved.remove(publication.id) != nil {
            if let failure = failures[publication.id] {
                // What is not known to be durable must not stand where the next start would take it for a blob.
                try? Disk.rename(paths.blob(publication.id), to: publication.file.path)
                outcomes[number] = failure
            } else {
                rows.append(row(publication))
            }
        }
        ledger.set(rows)
        return outcomes
    }

    /// Syncs each directory that has a new name once; returns what went wrong.
    private static func synchronize(_ moved: Set<BlobID>, paths: BlobPaths) -> [BlobID: Outcome] {
        var directories: [String: Outcome] = [:]
        var failures: [BlobID: Outcome] = [:]
        for id in moved {
            let directory = paths.directory(of: id)
            let outcome = directories[directory] ?? Outcome { try Disk.synchronizeDirectory(directory) }
            directories[directory] = outcome
            if case .failed = outcome { failures[id] = outcome }
        }
        return failures
    }

    private static func row(_ publication: Publication) -> BlobRow {
        // Renaming changed the file's ctime, so its values are taken now. Without them the next reader hashes once.
        let stat = try? FileStat(descriptor: publication.file.number)
        return BlobRow(
            id: publication.id, byteCount: publication.byteCount, seen: stat.map { FileMark($0) },
            pieceList: publication.pieceList)
    }
}
