import Crypto
import DiskIO
import GRDB

/// One answer that took long to find, kept with a name for all that it was made from.
extension Index {
    /// Keeps an answer in the place of the one before; ``replaceAll(albums:devices:guests:photos:stamp:)`` forgets it.
    ///
    /// - Parameter origin: differs where the answer may; bytes of the caller's choice.
    public func keep(answer: [UInt8], origin: [UInt8]) throws(StoreError) {
        try file.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO kept_answer (only, origin, answer, hash) VALUES (1, ?, ?, ?)",
                arguments: [
                    Column.bytes(origin), Column.bytes(answer), Column.bytes(Self.hash(answer, of: origin)),
                ])
        }
    }

    /// The answer that was kept in the home at `home`, if it was made from just this; `nil` also where nobody can say. Does
    /// without a look through the whole file: a hash tells whether the answer is as it was written.
    public static func keptAnswer(home: String, origin: [UInt8]) -> [UInt8]? {
        let path = home + "/" + fileName
        guard (try? Disk.exists(path)) == true, let file = try? DatabaseFile(path: path, durability: .cache) else {
            return nil
        }
        // Whoever opens it next finds what is wrong with it.
        defer { try? file.close() }
        return try? file.read { database in
            guard try isOurs(database) else { return nil }
            let row = try PreparedStatement(database, sql: "SELECT origin, answer, hash FROM kept_answer")
            var answer: [UInt8]?
            try row.forEach { row in
                let (kept, bytes) = (try row.bytes(0), try row.bytes(1))
                if kept == origin, try row.bytes(2) == hash(bytes, of: kept) { answer = bytes }
            }
            return answer
        }
    }

    private static func hash(_ answer: [UInt8], of origin: [UInt8]) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(data: SHA256.hash(data: origin).map(\.self))
        hasher.update(data: answer)
        return Array(hasher.finalize())
    }
}
