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
            let copy = try Descriptor(opening: path, O_RDWR)
            // It holds the device's private key. A stick's file system may know no modes.
            try? copy.setMode(0o600)
            try copy.synchronize()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Looks through a copy that nobody has opened, without changing it.
    ///
    /// - Throws: ``StoreError/Code/damaged`` where it is no whole journal.
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
            }
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Ends the use of the file, and leaves all that was written in it alone, so that it can be moved. Throws
    /// ``StoreError/Code/busy`` where somebody else has it open.
    public func close() throws(StoreError) {
        do { try file.closeWhole() } catch { throw StoreError(error, path: path) }
    }
}
