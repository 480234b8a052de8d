import AlbumModel
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

/// Facts are set, replaced, deleted and listed by kind, also in one transaction with a batch.
@Test func journalKeepsFacts() throws {
    let home = TemporaryHome()
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
    }
    let journal = try Journal(home: home.path)
    let facts = try journal.facts(kind)
    #expect(facts.map(\.key) == [[1], [2]])
    #expect(facts.map(\.value) == [[], [21]])
    #expect(try journal.fact(kind, [3]) == nil)
    #expect(try journal.fact(kind, [1]) == [])
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
