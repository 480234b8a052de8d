public import AlbumModel
import DiskIO
import GRDB
import Glibc

/// What keeps a journal safe: looking through it, and copying it while others use it.
extension Journal {
    /// What SQLite finds wrong with the file, in its words; empty when all is well. Reads all of it.
    public func complaints() throws(StoreError) -> [String] { try file.complaints() }

    /// Every kind that has a fact, ordered.
    public func factKinds() throws(StoreError) -> [FactKind] {
        try file.read { database in
            try String.fetchAll(database, sql: "SELECT DISTINCT kind FROM fact ORDER BY kind").map {
                FactKind(rawValue: $0)
            }
        }
    }

    /// Writes the journal as it is at this moment to a new file at `path`, durable on return but for its name, which is
    /// its directory's affair. Any process may use the journal meanwhile.
    public func copy(to path: String) throws(StoreError) {
        try file.copy(to: path)
        do {
            let copy = try Descriptor(opening: path, .update)
            // It holds the device's private key. A stick's file system may know no modes.
            try? copy.setMode(0o600)
            try copy.synchronize()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Looks through a copy that nobody has opened, without changing it.
    ///
    /// - Throws: ``StoreError/Code/damaged`` where it is no whole journal, or holds what no journal holds.
    public static func checkCopy(at path: String) throws(StoreError) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { database in
                let mark = try Int32.fetchOne(database, sql: "PRAGMA application_id")
                let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
                guard mark == applicationID, found == ["ok"] else {
                    throw StoreError(
                        .damaged, "\(path) is no whole journal of Potluck: \(found.joined(separator: "; ")).")
                }
                guard try hasJournalsForm(database) else {
                    throw StoreError(
                        .damaged,
                        "\(path) is no journal of Potluck: its tables are others, or hold something else than they are for."
                    )
                }
            }
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// What ANALYZE leaves in a file that some program has looked through; SQLite reads it for its own plans only.
    private static let statistics = [
        "CREATE TABLE sqlite_stat1(tbl,idx,stat)", "CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)",
        "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
    ]

    /// Whether a file has a journal's tables, nothing besides but SQLite's ``statistics``, and in each column values of its
    /// type. Whoever prepared it may have put views and triggers there, which would do what they like whenever the agent
    /// reads and writes.
    private static func hasJournalsForm(_ database: Database) throws -> Bool {
        func words(_ sql: some StringProtocol) -> String {
            sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let found = try String.fetchAll(
            database, sql: "SELECT CAST(sql AS TEXT) FROM sqlite_master WHERE sql IS NOT NULL")
        let expected = schema.split(separator: ";").map { words($0) }.filter { !$0.isEmpty }
        let own = found.map { words($0) }.filter { !statistics.contains($0) }
        guard own.sorted() == expected.sorted() else { return false }
        let hasOddColumn = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM batch WHERE typeof(number) <> 'integer' OR typeof(id) <> 'blob'
                        OR typeof(replica) <> 'blob' OR typeof(first_sequence) <> 'integer'
                        OR typeof(last_sequence) <> 'integer' OR typeof(content) <> 'blob'
                        OR typeof(signature) <> 'blob' OR typeof(received) <> 'integer')
                    OR EXISTS (
                        SELECT 1 FROM fact
                        WHERE typeof(kind) <> 'text' OR typeof(key) <> 'blob' OR typeof(value) <> 'blob')
                """)
        return hasOddColumn == false
    }

    /// Ends the use of the file, and leaves all that was written in it alone, so that it can be moved. Throws
    /// ``StoreError/Code/busy`` where somebody else has it open.
    public func close() throws(StoreError) {
        do { try file.closeWhole() } catch { throw StoreError(error, path: path) }
    }
}
