import AlbumModel
import DiskIO
import FoundationEssentials
import GRDB
import Glibc
import StoreProbe
import Testing

@testable import PhotoStore

private let kind = FactKind(rawValue: "test")

/// Some have a signature without any bytes.
private func batch(_ number: Int) -> JournalBatch {
    let content = Samples.bytes(40, seed: UInt64(number) + 1)
    let signed = SignedBatch(content: content, signature: Array(repeating: 1, count: number % 4))
    return JournalBatch(
        id: BatchID(bytes: Samples.blobID(content).bytes)!, replica: ReplicaID(bytes: Samples.bytes(16, seed: 7))!,
        firstSequence: UInt64(number), lastSequence: .max, batch: signed, received: 1_700_000_000_000_000)
}

/// GRDB turns `synchronous` down to NORMAL in WAL mode; the journal's writer must have FULL (2), after reopening too.
@Test func journalCommitsAreSynchronous() throws {
    let home = TemporaryHome()
    #expect(try Journal(home: home.path).synchronous() == 2)
    #expect(try Journal(home: home.path).synchronous() == 2)
}

/// The locks that keep other processes from taking the log away last while another connection of this process comes and
/// goes: an agent that begins anew opens its journal before the former run has let go of it.
@Test func anotherConnectionEndsNoLock() throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    try journal.append([batch(1)])
    let file = try FileStat(path: journal.path)
    func locks() throws -> Int {
        let table = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
        return table.split(separator: "\n").count { $0.contains(":\(file.inode) ") }
    }
    #expect(try locks() > 0)
    let before = try locks()
    do { try Journal(home: home.path).append([batch(2)]) }
    #expect(try locks() == before)
    try journal.append([batch(3)])
    var seen: [JournalBatch] = []
    try journal.forEachBatch { seen.append($0) }
    #expect(seen == [batch(1), batch(2), batch(3)])
}

/// What was appended is there after reopening, in order of arrival, once each, with every number as it was.
@Test func journalKeepsBatches() throws {
    let home = TemporaryHome()
    let batches = [batch(3), batch(1), batch(2)]
    do {
        let journal = try Journal(home: home.path)
        try journal.append(batches)
        try journal.append([batch(1), batch(4)])
    }
    let journal = try Journal(home: home.path)
    var seen: [JournalBatch] = []
    try journal.forEachBatch { seen.append($0) }
    #expect(seen == batches + [batch(4)])
    #expect(try journal.batches([batch(4).id, batch(9).id, batch(3).id]) == [batch(4).batch, nil, batch(3).batch])
}

/// A walk over more batches than one page holds meets each once, and may append meanwhile.
@Test func journalWalksInPages() throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    try journal.append((0..<200).map(batch))
    var numbers: [UInt64] = []
    try journal.forEachBatch { entry in
        numbers.append(entry.firstSequence)
        if entry.firstSequence == 199 { try journal.append([batch(200)]) }
    }
    #expect(numbers == Array(0...200))
}

/// Journals with the same batches have one set, in whatever order these came; one more or another one changes it.
@Test func journalNamesItsBatches() throws {
    func set(_ numbers: [Int]) throws -> BatchSet {
        let home = TemporaryHome()
        let journal = try Journal(home: home.path)
        for number in numbers { try journal.append([batch(number)]) }
        try journal.setFacts([FactChange(kind: kind, key: [1], value: [UInt8(numbers.count)])])
        return try journal.batchSet()
    }
    let three = try set([1, 2, 3])
    #expect(try set([3, 1, 2, 3]) == three && three.count == 3)
    #expect(try set([1, 2]) != three && set([1, 2, 4]) != three && set([1, 2, 3, 4]) != three)
    #expect(try set([]).count == 0)
}

/// Facts are set, replaced, deleted and listed by kind, also in one transaction with a batch, and under an empty key.
@Test func journalKeepsFacts() throws {
    let home = TemporaryHome()
    let keyless: [(FactKind, [[UInt8]?])] = [
        (FactKind(rawValue: "replaced"), [[1], [2]]), (FactKind(rawValue: "deleted"), [[1], nil]),
    ]
    do {
        let journal = try Journal(home: home.path)
        try journal.setFacts([
            FactChange(kind: kind, key: [2], value: [20]), FactChange(kind: kind, key: [1], value: []),
            FactChange(kind: FactKind(rawValue: "other"), key: [1], value: [9]),
        ])
        try journal.append(
            [batch(1)],
            facts: [
                FactChange(kind: kind, key: [2], value: [21]), FactChange(kind: kind, key: [3], value: [30]),
            ])
        try journal.setFacts([FactChange(kind: kind, key: [3], value: nil)])
        for (name, values) in keyless {
            for value in values { try journal.setFacts([FactChange(kind: name, key: [], value: value)]) }
        }
    }
    let journal = try Journal(home: home.path)
    let facts = try journal.facts(kind)
    #expect(facts.map(\.key) == [[1], [2]])
    #expect(facts.map(\.value) == [[], [21]])
    #expect(try journal.fact(kind, [3]) == nil)
    #expect(try journal.fact(kind, [1]) == [])
    for (name, values) in keyless { #expect(try journal.fact(name, []) == values.last!) }
}

/// A file that is no journal is refused and stays as it is: it may be the only copy of something.
@Test func journalLeavesForeignFilesAlone() throws {
    let home = TemporaryHome()
    let bytes = Samples.bytes(5000, seed: 1)
    let path = try home.write(bytes, to: Journal.fileName)
    let error = #expect(throws: StoreError.self) { try Journal(home: home.path) }
    #expect(error?.code == .damaged)
    #expect(try contents(path) == bytes)
}

/// The journal holds the device's key, so nobody else may read it.
@Test func journalIsPrivate() throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    try journal.append([batch(1)])
    for suffix in ["", "-wal"] { #expect(try FileStat(path: journal.path + suffix).mode & 0o777 == 0o600) }
}

/// SQLite keeps anything in any column. What a journal that somebody prepared has in them ends a reading with an error.
@Test(arguments: [
    "UPDATE batch SET received = 'then'", "UPDATE batch SET first_sequence = 1.5", "UPDATE batch SET content = 7",
    "UPDATE batch SET last_sequence = x'00'", "UPDATE batch SET id = 'name'", "UPDATE batch SET replica = 1",
    "UPDATE batch SET signature = 'mine'",
])
func oddBatchesAreErrors(sql: String) throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    try journal.append([batch(1)])
    try journal.file.write { try $0.execute(sql: sql) }
    let error = #expect(throws: StoreError.self) { try journal.forEachBatch { _ in } }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains(journal.path) == true)
    if sql.contains("content") || sql.contains("signature") {
        #expect(throws: StoreError.self) { try journal.batches([batch(1).id]) }
    }
}

/// So does what it has in facts.
@Test func oddFactsAreErrors() throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    try journal.setFacts([FactChange(kind: kind, key: [1], value: [2])])
    try journal.file.write { try $0.execute(sql: "UPDATE fact SET value = 'two'") }
    #expect(throws: StoreError.self) { try journal.fact(kind, [1]) }
    #expect(throws: StoreError.self) { try journal.facts(kind) }
    try journal.file.write { try $0.execute(sql: "UPDATE fact SET value = x'02', key = 1.5") }
    #expect(throws: StoreError.self) { try journal.facts(kind) }
}

/// A copy with other tables than a journal's, with anything besides them, or with something else in a column than it is
/// for is none, however whole the file is.
@Test(arguments: [
    "CREATE TRIGGER other AFTER INSERT ON fact BEGIN DELETE FROM batch; END", "CREATE TABLE other (number INTEGER)",
    "CREATE VIEW other AS SELECT * FROM fact", "CREATE INDEX other ON batch (received)",
    "ALTER TABLE batch ADD COLUMN other", "ALTER TABLE batch RENAME COLUMN received TO other", "DROP TABLE fact",
    "DROP TABLE batch; CREATE VIEW batch AS SELECT 1 AS number, key AS id FROM fact",
    "UPDATE batch SET received = 'then'", "UPDATE batch SET first_sequence = 1.5", "UPDATE batch SET content = 7",
    "UPDATE fact SET value = 2", "UPDATE fact SET key = 'one'", "UPDATE fact SET kind = x'00'",
    "ANALYZE; PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,other)' "
        + "WHERE name = 'sqlite_stat1'",
])
func preparedCopiesAreRefused(sql: String) throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    try journal.append([batch(1)], facts: [FactChange(kind: kind, key: [1], value: [2])])
    let path = home.path + "/copy.sqlite"
    try journal.copy(to: path)
    try Journal.checkCopy(at: path)
    let copy = try DatabaseQueue(path: path)
    try copy.write { try $0.execute(sql: sql) }
    try copy.close()
    let error = #expect(throws: StoreError.self) { try Journal.checkCopy(at: path) }
    #expect(error?.code == .damaged)
}

/// What SQLite keeps for itself, after ANALYZE, makes no other file of a journal.
@Test func analysedCopiesAreJournals() throws {
    let home = TemporaryHome()
    let journal = try Journal(home: home.path)
    try journal.append([batch(1)], facts: [FactChange(kind: kind, key: [1], value: [2])])
    try journal.file.write { try $0.execute(sql: "ANALYZE") }
    let tables = try journal.file.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
    #expect(tables.contains("sqlite_stat1"))
    let path = home.path + "/copy.sqlite"
    try journal.copy(to: path)
    try Journal.checkCopy(at: path)
    #expect(try Journal(home: home.path).fact(kind, [1]) == [2])
}
