public import AlbumModel
import Crypto
import DiskIO
import GRDB

/// One batch as the journal keeps it.
public struct JournalBatch: Hashable, Sendable {
    public var id: BatchID
    public var replica: ReplicaID
    public var firstSequence: UInt64
    public var lastSequence: UInt64
    public var batch: SignedBatch
    /// When this device learned of it, in microseconds since 1970.
    public var received: UInt64

    public init(
        id: BatchID, replica: ReplicaID, firstSequence: UInt64, lastSequence: UInt64, batch: SignedBatch,
        received: UInt64
    ) {
        self.id = id
        self.replica = replica
        self.firstSequence = firstSequence
        self.lastSequence = lastSequence
        self.batch = batch
        self.received = received
    }
}

/// Equal for two journals exactly when they hold the same batches.
public struct BatchSet: Hashable, Sendable {
    public var count: Int
    /// SHA-256 of their identifiers, in order.
    public var hash: [UInt8]
}

/// Some batches in the order of their arrival.
public struct JournalPage: Sendable {
    public var batches: [JournalBatch]
    /// The journal's own number of the last of them.
    public var last: Int64
}

/// The truth: batches as they were signed, and facts that concern this device alone.
///
/// Every call blocks, and each that writes returns only when the disk has it (`synchronous=FULL`): the caller **must**
/// send a batch no earlier, or a power cut makes this device say two different things under one number. The blobs that
/// a batch announces **must** be durable before it is appended; see ``BlobStore``.
/// The schema is meant never to change.
public final class Journal: Sendable {
    public static let fileName = "journal.sqlite"
    /// Marks the file as Potluck's journal ("PotJ").
    static let applicationID: Int32 = 0x506F_744A
    /// Batches read at once; a batch has at most 256 KiB, so this bounds memory at 16 MiB.
    private static let pageBatchCount = 64

    /// Where the journal is.
    public let path: String
    let file: DatabaseFile

    /// Opens `home/journal.sqlite`, and makes it where there is none; the home must exist.
    public init(home: String) throws(StoreError) {
        path = home + "/" + Self.fileName
        do {
            file = try DatabaseFile(path: path, durability: .truth)
            try Self.prepare(file)
            try Disk.synchronizeDirectory(home)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Stores batches and facts in one durable transaction. A batch that is known already changes nothing.
    public func append(_ batches: [JournalBatch], facts: [FactChange] = []) throws(StoreError) {
        guard !batches.isEmpty || !facts.isEmpty else { return }
        try file.write { database in
            let insert = try PreparedStatement(
                database,
                sql: """
                    INSERT INTO batch (id, replica, first_sequence, last_sequence, content, signature, received)
                    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                    """)
            for batch in batches {
                insert.bind(batch.id).bind(batch.replica).bind(batch.firstSequence).bind(batch.lastSequence)
                try insert.bind(batch.batch.content).bind(batch.batch.signature).bind(batch.received).run()
            }
            try Self.set(facts, in: database)
        }
    }

    /// Hands over every batch in order of arrival, reading a bounded number at a time. `body` may use the journal;
    /// what is appended meanwhile comes too.
    public func forEachBatch(_ body: (JournalBatch) throws -> Void) throws {
        var last: Int64 = 0
        while let page = try page(after: last) {
            for batch in page.batches { try body(batch) }
            last = page.last
        }
    }

    /// The batches that follow, a bounded number of them; `nil` at the end.
    ///
    /// - Parameter number: ``JournalPage/last`` of the page before; 0 for the first.
    public func page(after number: Int64) throws(StoreError) -> JournalPage? {
        try file.read { database in
            let rows = try PreparedStatement(
                database,
                sql: """
                    SELECT number, id, replica, first_sequence, last_sequence, content, signature, received
                    FROM batch WHERE number > ? ORDER BY number LIMIT ?
                    """)
            var batches: [JournalBatch] = []
            var last = number
            try rows.bind(number).bind(Self.pageBatchCount).forEach { row in
                last = row.number(0)
                batches.append(try self.batch(row))
            }
            return batches.isEmpty ? nil : JournalPage(batches: batches, last: last)
        }
    }

    /// Names all batches at once.
    public func batchSet() throws(StoreError) -> BatchSet {
        try file.read { database in
            // In the order of their own index, which is all that this reads.
            let rows = try PreparedStatement(database, sql: "SELECT id FROM batch ORDER BY id")
            var hasher = SHA256()
            var count = 0
            try rows.forEach { row in
                let id = try row.bytes(0)
                guard id.count == BatchID.byteCount else { throw OddColumn() }
                hasher.update(data: id)
                count += 1
            }
            return BatchSet(count: count, hash: Array(hasher.finalize()))
        }
    }

    /// The batches of these names, in the order asked; `nil` where there is none.
    public func batches(_ ids: [BatchID]) throws(StoreError) -> [SignedBatch?] {
        try file.read { database in
            let select = try database.cachedStatement(sql: "SELECT content, signature FROM batch WHERE id = ?")
            return try ids.map { id in
                try Row.fetchOne(select, arguments: [Column.bytes(id.bytes)]).map { row in
                    SignedBatch(content: try row.bytes(0), signature: try row.bytes(1))
                }
            }
        }
    }

    public func fact(_ kind: FactKind, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
        try file.read { database in
            let sql = "SELECT value FROM fact WHERE kind = ? AND key = ?"
            return try Row.fetchOne(database, sql: sql, arguments: [kind.rawValue, Column.bytes(key)]).map {
                try $0.bytes(0)
            }
        }
    }

    /// All facts of one kind, ordered by the bytes of their keys.
    public func facts(_ kind: FactKind) throws(StoreError) -> [(key: [UInt8], value: [UInt8])] {
        try file.read { database in
            let rows = try PreparedStatement(
                database, sql: "SELECT key, value FROM fact WHERE kind = ? ORDER BY key")
            var facts: [(key: [UInt8], value: [UInt8])] = []
            try rows.bind(kind.rawValue).forEach { row in facts.append((try row.bytes(0), try row.bytes(1))) }
            return facts
        }
    }

    /// Sets and deletes facts in one durable transaction.
    public func setFacts(_ changes: [FactChange]) throws(StoreError) {
        try append([], facts: changes)
    }

    /// The writing connection's `PRAGMA synchronous`; 2 is FULL.
    func synchronous() throws -> Int? { try file.synchronous() }

    private static func prepare(_ file: DatabaseFile) throws {
        try file.write { database in
            let mark = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            let tableCount = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table'")
            if mark == applicationID, tableCount != 0 { return }
            guard mark == 0, tableCount == 0 else {
                throw StoreError(.damaged, "\(file.path) is no journal of Potluck; it was left as it is.")
            }
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: schema)
        }
    }

    static let schema = """
        CREATE TABLE batch (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, replica BLOB NOT NULL,
            first_sequence INTEGER NOT NULL, last_sequence INTEGER NOT NULL,
            content BLOB NOT NULL, signature BLOB NOT NULL, received INTEGER NOT NULL);
        CREATE TABLE fact (
            kind TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
        """

    private static func set(_ facts: [FactChange], in database: Database) throws {
        let insert = try PreparedStatement(
            database,
            sql: """
                INSERT INTO fact (kind, key, value) VALUES (?, ?, ?)
                ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value
                """)
        let delete = try PreparedStatement(database, sql: "DELETE FROM fact WHERE kind = ? AND key = ?")
        for fact in facts {
            if let value = fact.value {
                try insert.bind(fact.kind.rawValue).bind(fact.key).bind(value).run()
            } else {
                try delete.bind(fact.kind.rawValue).bind(fact.key).run()
            }
        }
    }

    private func batch(_ row: PreparedStatement) throws -> JournalBatch {
        guard let id = BatchID(bytes: try row.bytes(1)), let replica = ReplicaID(bytes: try row.bytes(2)) else {
            throw StoreError(.damaged, "\(path) is damaged: a batch has no proper name.")
        }
        return JournalBatch(
            id: id, replica: replica, firstSequence: try row.unsigned(3), lastSequence: try row.unsigned(4),
            batch: SignedBatch(content: try row.bytes(5), signature: try row.bytes(6)), received: try row.unsigned(7))
    }
}
