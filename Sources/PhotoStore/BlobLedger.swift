import AlbumModel
import Synchronization

/// What the store knows of its blobs: in memory for every question, in the index for the next start.
///
/// The index is a cache, so a row that it does not take (a full disk) fails nothing: it is kept and tried again with
/// the next one.
final class BlobLedger: Sendable {
    struct Record: Hashable, Sendable {
        var byteCount: UInt64
        /// The file's values when its bytes were last known to be right; `nil` where nobody has looked since.
        var seen: FileMark?
    }

    private struct Unwritten {
        var rows: [BlobID: BlobRow] = [:]
        var removed: Set<BlobID> = []
    }

    private let index: Index
    private let records = Mutex<[BlobID: Record]>([:])
    /// Held while the index is written, so that rows reach it in the order in which they were made.
    private let unwritten = Mutex(Unwritten())

    init(index: Index) {
        self.index = index
    }

    func record(_ id: BlobID) -> Record? { records.withLock { $0[id] } }

    func all() -> [BlobID: Record] { records.withLock { $0 } }

    var ids: Set<BlobID> { Set(all().keys) }

    /// Takes what the index remembers of the blobs that are there; the others' rows go. A file without a row is
    /// recorded as one that nobody has looked at, with the size that `byteCount` tells.
    /// - Returns: those that the index remembers and that are not there.
    func load(present: Set<BlobID>, byteCount: (BlobID) throws -> UInt64) throws -> Set<BlobID> {
        let remembered = try index.blobs()
        var loaded: [BlobID: Record] = [:]
        loaded.reserveCapacity(max(remembered.count, present.count))
        for row in remembered { loaded[row.id] = Record(byteCount: row.byteCount, seen: row.seen) }
        let rememberedCount = loaded.count
        var added: [BlobRow] = []
        for id in present where loaded[id] == nil {
            let size = try byteCount(id)
            loaded[id] = Record(byteCount: size, seen: nil)
            added.append(BlobRow(id: id, byteCount: size, seen: nil, pieceList: nil))
        }
        var missing: Set<BlobID> = []
        // Nearly always all that is remembered is there, and nobody has to look which is not.
        if rememberedCount + added.count != present.count {
            missing = Set(loaded.keys).subtracting(present)
            for id in missing { loaded[id] = nil }
        }
        records.withLock { $0 = loaded }
        write(rows: added, removed: Array(missing))
        return missing
    }

    /// Whether the index has all rows that it was given.
    var isWritten: Bool { unwritten.withLock { $0.rows.isEmpty && $0.removed.isEmpty } }

    /// What the index keeps of a blob's pieces.
    func pieceList(_ id: BlobID) throws(BlobError) -> PieceList? {
        try BlobError.wrapping { try index.pieceList(id) }
    }

    func set(_ rows: [BlobRow]) {
        records.withLock { records in
            for row in rows { records[row.id] = Record(byteCount: row.byteCount, seen: row.seen) }
        }
        write(rows: rows, removed: [])
    }

    func remove(_ id: BlobID) {
        records.withLock { _ = $0.removeValue(forKey: id) }
        write(rows: [], removed: [id])
    }

    private func write(rows: [BlobRow], removed: [BlobID]) {
        unwritten.withLock { unwritten in
            for row in rows {
                unwritten.rows[row.id] = row
                unwritten.removed.remove(row.id)
            }
            for id in removed {
                unwritten.rows[id] = nil
                unwritten.removed.insert(id)
            }
            do {
                try index.updateBlobs(Array(unwritten.rows.values), removing: Array(unwritten.removed))
                unwritten = Unwritten()
            } catch {
                // Kept for the next time; until then a restart would look at the files anew, which is slow but right.
            }
        }
    }
}
