import AlbumModel
import GRDB
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// What the index has not taken yet, and how it gets there.
@Suite struct BlobLedgerTests {
    private static let ids = (0..<40).map { Samples.blobID([$0]) }
    private static let list = PieceList(hashes: [ids[1], ids[2]])

    private static func row(_ number: Int, changed: Int64, _ list: PieceList? = nil) -> BlobRow {
        BlobRow(
            id: ids[number], byteCount: 7,
            seen: FileMark(inode: UInt64(number), byteCount: 7, modified: 1, changed: changed), pieceList: list)
    }

    /// Threads that write at one time: once all have returned the index has each one's last row, whoever wrote it, and
    /// nothing that was removed.
    @Test func theIndexHasWhatMemoryHas() throws {
        let home = TemporaryHome()
        let index = try Index(home: home.path)
        let ledger = BlobLedger(index: index)
        try onThreads(8) { thread in
            for number in stride(from: thread, to: Self.ids.count, by: 8) {
                ledger.set([Self.row(number, changed: 1, Self.list)])
                ledger.set([Self.row(number, changed: 2)])
                if number % 3 == 0 { ledger.remove(Self.ids[number]) }
            }
        }
        let kept = Self.ids.indices.filter { $0 % 3 != 0 }
        let rows = try index.blobs()
        #expect(Set(rows) == Set(kept.map { Self.row($0, changed: 2) }))
        #expect(Set(ledger.all().keys) == Set(kept.map { Self.ids[$0] }))
        #expect(ledger.isWritten)
        for number in kept { #expect(try ledger.pieceList(Self.ids[number]) == Self.list) }
    }

    /// A list that the index does not have yet is known all the same: others may ask for it as soon as the blob is here.
    @Test func notedListsAreKnown() throws {
        let home = TemporaryHome()
        let ledger = BlobLedger(index: try Index(home: home.path))
        ledger.note([Self.row(0, changed: 1, Self.list)])
        let noted = try ledger.pieceList(Self.ids[0])
        #expect(noted == Self.list)
        ledger.remove(Self.ids[0])
        let removed = try ledger.pieceList(Self.ids[0])
        #expect(removed == nil)
    }

    /// What is only taken note of counts at once, and reaches the index with the next row.
    @Test func notedRowsFollow() throws {
        let home = TemporaryHome()
        let index = try Index(home: home.path)
        let ledger = BlobLedger(index: index)
        ledger.note([Self.row(0, changed: 1)])
        #expect(ledger.record(Self.ids[0]) != nil)
        #expect(!ledger.isWritten)
        let before = try index.blobs()
        #expect(before.isEmpty)
        ledger.set([Self.row(1, changed: 1)])
        let after = try index.blobs()
        #expect(Set(after) == [Self.row(0, changed: 1), Self.row(1, changed: 1)])
        #expect(ledger.isWritten)
    }

    /// Rows that the index does not take are told of, also to whoever asks later, and are in it once it takes what is
    /// left, without a next one.
    @Test func refusedRowsAreWrittenLater() throws {
        let home = TemporaryHome()
        let index = try Index(home: home.path)
        let ledger = BlobLedger(index: index)
        let other = try DatabaseQueue(path: home.path + "/" + Index.fileName)
        try other.write { database in
            try database.execute(
                sql: "CREATE TRIGGER full BEFORE INSERT ON blob BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        let told = Atomic(0)
        ledger.whenRefused { told.add(1, ordering: .relaxed) }
        #expect(told.load(ordering: .relaxed) == 0)
        ledger.set([Self.row(0, changed: 1, Self.list)])
        #expect(told.load(ordering: .relaxed) == 1)
        #expect(ledger.record(Self.ids[0]) != nil)
        #expect(throws: StoreError.self) { try ledger.writeRest() }
        let late = Atomic(0)
        ledger.whenRefused { late.add(1, ordering: .relaxed) }
        #expect(late.load(ordering: .relaxed) == 1)

        try other.write { try $0.execute(sql: "DROP TRIGGER full") }
        try ledger.writeRest()
        #expect(ledger.isWritten)
        let rows = try index.blobs()
        #expect(rows == [Self.row(0, changed: 1)])
        let list = try ledger.pieceList(Self.ids[0])
        #expect(list == Self.list)
    }

    /// Rows that the index did not take are put back beside those that came meanwhile, which count; no piece list is lost.
    @Test func whatWasNotTakenWaits() {
        var older = BlobLedger.Unwritten()
        for number in 0..<3 { older.set(Self.row(number, changed: 1, Self.list)) }
        older.set(Self.row(2, changed: 2))
        older.remove(Self.ids[3])
        older.remove(Self.ids[4])
        #expect(older.rows[Self.ids[2]] == Self.row(2, changed: 2, Self.list))
        var waiting = BlobLedger.Unwritten()
        waiting.set(Self.row(0, changed: 3))
        waiting.remove(Self.ids[1])
        waiting.set(Self.row(3, changed: 3))
        waiting.putBack(older)
        #expect(
            waiting.rows == [
                Self.ids[0]: Self.row(0, changed: 3, Self.list), Self.ids[2]: Self.row(2, changed: 2, Self.list),
                Self.ids[3]: Self.row(3, changed: 3),
            ])
        #expect(waiting.removed == [Self.ids[1], Self.ids[4]])
    }
}
