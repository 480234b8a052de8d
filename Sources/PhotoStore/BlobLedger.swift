import AlbumModel
import Synchronization

/// What the store knows of its blobs: in memory for every question, in the index for the next start.
///
/// The index is a cache, so a row that it does not take (a full disk) fails nothing: it is kept, tried again with the
/// next one, and told to whoever watches over the index. While a thread writes, another one waits to be next, and writes in one transaction what all have that
/// come meanwhile; these wait for neither.
final class BlobLedger: Sendable {
    struct Record: Hashable, Sendable {
        var byteCount: UInt64
        /// The file's values when its bytes were last known to be right; `nil` where nobody has looked since.
        var seen: FileMark?
    }

    /// What the index has not taken yet.
    struct Unwritten: Sendable {
        private(set) var rows: [BlobID: BlobRow] = [:]
        private(set) var removed: Set<BlobID> = []

        var isEmpty: Bool { rows.isEmpty && removed.isEmpty }

        mutating func set(_ row: BlobRow) {
            var row = row
            // One without a list says nothing of the blob's pieces.
            row.pieceList = row.pieceList ?? rows[row.id]?.pieceList
            rows[row.id] = row
            removed.remove(row.id)
        }

        mutating func remove(_ id: BlobID) {
            rows[id] = nil
            removed.insert(id)
        }

        /// Takes back what was not written: what came since counts.
        mutating func putBack(_ older: Unwritten) {
            for old in older.rows.values where !removed.contains(old.id) {
                var row = rows[old.id] ?? old
                row.pieceList = row.pieceList ?? old.pieceList
                rows[old.id] = row
            }
            for id in older.removed where rows[id] == nil { removed.insert(id) }
        }
    }

    private struct State {
        var records: [BlobID: Record] = [:]
        var unwritten = Unwritten()
        /// What is being written.
        var underway = Unwritten()
        /// A thread is about to write all that the index lacks by then.
        var hasNext = false

        /// False where nothing is to be written, or another thread is about to.
        mutating func becomeNext() -> Bool {
            if hasNext || unwritten.isEmpty { return false }
            hasNext = true
            return true
        }

        mutating func take() -> Unwritten {
            hasNext = false
            underway = unwritten
            unwritten = Unwritten()
            return underway
        }

        /// `nil` where only the index may know.
        func pieceList(_ id: BlobID) -> PieceList? {
            unwritten.rows[id]?.pieceList ?? (unwritten.removed.contains(id) ? nil : underway.rows[id]?.pieceList)
        }
    }

    private let index: Index
    /// Both together, so that the index comes to have what memory has.
    private let state = Mutex(State())
    /// Held while the index is written, so that rows reach it in the order in which they were made.
    private let writing = Mutex<Void>(())
    private let watcher = Mutex<(@Sendable () -> Void)?>(nil)

    init(index: Index) {
        self.index = index
    }

    func record(_ id: BlobID) -> Record? { state.withLock { $0.records[id] } }

    func all() -> [BlobID: Record] { state.withLock { $0.records } }

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
        state.withLock { state in
            state.records = loaded
            for row in added { state.unwritten.set(row) }
            for id in missing { state.unwritten.remove(id) }
        }
        write()
        return missing
    }

    /// Whether the index has all rows that it was given.
    var isWritten: Bool { writing.withLock { _ in state.withLock { $0.unwritten.isEmpty } } }

    /// What is known of a blob's pieces; read from the index once that has it.
    func pieceList(_ id: BlobID) throws(BlobError) -> PieceList? {
        if let list = state.withLock({ $0.pieceList(id) }) { return list }
        return try BlobError.wrapping { try index.pieceList(id) }
    }

    /// When it returns the index has the rows, or gets them next by a thread that waits to write; unless it takes none.
    func set(_ rows: [BlobRow]) {
        note(rows)
        write()
    }

    /// When it returns the index has no row, unless it does not take that.
    ///
    /// - Returns: whether there was a record.
    @discardableResult
    func remove(_ id: BlobID) -> Bool {
        let wasThere = state.withLock { state in
            state.unwritten.remove(id)
            return state.records.removeValue(forKey: id) != nil
        }
        writeNow()
        return wasThere
    }

    /// The same as ``set(_:)`` in memory, for whoever holds a lock that others wait for: ``write()`` is to follow.
    func note(_ rows: [BlobRow]) {
        state.withLock { state in
            for row in rows {
                state.records[row.id] = Record(byteCount: row.byteCount, seen: row.seen)
                state.unwritten.set(row)
            }
        }
    }

    /// Writes what the index lacks, unless another thread is about to.
    func write() {
        if state.withLock({ $0.becomeNext() }) { writeNow() }
    }

    /// Has `body` called, by any thread, whenever the index did not take rows, and now if it lacks some. One watcher; it
    /// replaces the former.
    func whenRefused(_ body: @escaping @Sendable () -> Void) {
        watcher.withLock { $0 = body }
        if !isWritten { body() }
    }

    /// Writes what the index lacks, and waits for it.
    /// - Throws: where it does not take it now either.
    func writeRest() throws(StoreError) {
        try writing.withLock { _ throws(StoreError) in
            let rows = state.withLock { $0.take() }
            do throws(StoreError) {
                try index.updateBlobs(Array(rows.rows.values), removing: Array(rows.removed))
                state.withLock { $0.underway = Unwritten() }
            } catch {
                // Kept for the next time; until then a restart would look at the files anew, which is slow but right.
                state.withLock { state in
                    state.underway = Unwritten()
                    state.unwritten.putBack(rows)
                }
                throw error
            }
        }
    }

    private func writeNow() {
        do throws(StoreError) {
            try writeRest()
        } catch {
            watcher.withLock { $0 }?()
        }
    }
}
