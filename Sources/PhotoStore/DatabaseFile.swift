import DiskIO
import FoundationEssentials
import GRDB
import Glibc

/// One SQLite file in the home: opened in WAL mode, readable by its owner only.
struct DatabaseFile: Sendable {
    /// How far a commit must have gone when it returns.
    enum Durability: Int, Sendable {
        /// A power cut may take back the last commits; the file stays whole.
        case cache = 1
        /// A commit that returned survives a power cut.
        case truth = 2
    }

    private static let busySeconds: Double = 5
    private static let readerCountMax = 3

    /// For rows that go to many places at once, as those of a large gathering do: 16 MiB of pages stay in memory, and up
    /// to 16 MB of them in the log before they are copied to their places.
    private static let largeWrites = "PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 4000"

    let path: String
    private let pool: DatabasePool

    /// Opens the file, and makes it where there is none. Throws `FileError` or GRDB's errors.
    init(path: String, durability: Durability) throws {
        self.path = path
        try Self.make(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busySeconds)
        configuration.maximumReaderCount = Self.readerCountMax
        configuration.prepareDatabase { $0.add(function: .folded) }
        pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB sets NORMAL after its hook for preparation has run, so this has to come once the pool is open.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
            if durability == .cache { try database.execute(sql: Self.largeWrites) }
        }
        guard try synchronous() == durability.rawValue else {
            throw StoreError(.failed, "\(path) cannot be used: SQLite does not accept synchronous=\(durability).")
        }
    }

    /// SQLite gives its -wal and -shm files the mode that it finds on the database.
    ///
    /// A file that is there is not opened: closing it would end the locks that other connections of this process have on it
    /// (POSIX ends all of a process with any of its descriptors), and another process could take the log from under them.
    private static func make(_ path: String) throws(FileError) {
        do {
            try Descriptor(opening: path, .make(mode: 0o600)).close()
        } catch {
            guard error.errno == EEXIST else { throw error }
        }
    }

    /// The writing connection's `PRAGMA synchronous`: 1 NORMAL, 2 FULL.
    func synchronous() throws -> Int? {
        try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    /// One transaction. `body` must not use this file otherwise.
    func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try pool.write(body) } catch { throw StoreError(error, path: path) }
    }

    /// A consistent view, beside whoever writes. `body` must not use this file otherwise.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try pool.read(body) } catch { throw StoreError(error, path: path) }
    }

    func close() throws {
        try pool.close()
    }

    /// Ends the use of the file, with all that was written in the one file: the last of several connections to be closed
    /// is one that only reads, and would leave it in the log beside it.
    func closeWhole() throws {
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try close()
        guard let log = try FileStat.find(path: path + "-wal") else { return }
        guard log.byteCount == 0 else { throw StoreError(.busy, "\(path) is in use by another program.") }
    }

    /// What SQLite finds wrong with the whole file, at most twenty sentences; empty when all is well.
    func complaints() throws(StoreError) -> [String] {
        do {
            let found = try read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
            return found == ["ok"] ? [] : found
        } catch {
            guard error.code == .damaged else { throw error }
            return [error.message]
        }
    }

    /// Writes what the database holds at this moment to a new file; whoever writes meanwhile is not kept waiting.
    func copy(to target: String) throws(StoreError) {
        do {
            try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [target]) }
        } catch {
            throw StoreError(error, path: target)
        }
    }
}

/// Columns in the shapes that this module stores: bytes as BLOB, unsigned numbers by their bit pattern.
enum Column {
    static func bytes(_ bytes: some Sequence<UInt8>) -> Data { Data(bytes) }

    static func number(_ value: UInt64) -> Int64 { Int64(bitPattern: value) }
}

/// A column holds something of another type, or a number that is none of its kind. SQLite minds neither, and whoever
/// prepared a file may have put anything there.
struct OddColumn: Error {}

/// Columns of files that others may have prepared: read by these alone, since GRDB's own subscripts end the process where
/// a value is of another type.
extension Row {
    /// The bytes of a BLOB column; empty for NULL.
    func bytes(_ index: Int) throws(OddColumn) -> [UInt8] {
        switch (self[index] as DatabaseValue).storage {
        case .blob(let data): return Array(data)
        case .null: return []
        default: throw OddColumn()
        }
    }

    func unsigned(_ index: Int) throws(OddColumn) -> UInt64 {
        guard case .int64(let number) = (self[index] as DatabaseValue).storage else { throw OddColumn() }
        return UInt64(bitPattern: number)
    }

    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ index: Int, _ type: Value.Type = Value.self
    ) throws(OddColumn) -> Value {
        do { return try decode(type, atIndex: index) } catch { throw OddColumn() }
    }
}
