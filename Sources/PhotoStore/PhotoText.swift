import GRDB

/// The words by which a photo is found. The full-text table keeps no copy of them, so whoever changes a photo has to
/// say what they were.
struct PhotoText: Equatable {
    private var columns: [String]

    init(_ database: Database, _ number: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT name, caption, tags, sources FROM photo_text WHERE number = ?")
        let row = try Row.fetchOne(statement, arguments: [number])
        columns = row.map { row in (0..<4).map { row[$0] } } ?? []
    }

    static func insert(_ text: PhotoText, _ number: Int64, in database: Database) throws {
        let sql = "INSERT INTO photo_words (rowid, name, caption, tags, sources) VALUES (?, ?, ?, ?, ?)"
        try database.cachedStatement(sql: sql).execute(arguments: [number] + StatementArguments(text.columns))
    }

    /// Of all photos whose numbers are larger; none of them may be there yet.
    static func insertAll(after number: Int64, in database: Database) throws {
        let sql = """
            INSERT INTO photo_words (rowid, name, caption, tags, sources)
            SELECT number, name, caption, tags, sources FROM photo_text WHERE number > ?
            """
        try database.cachedStatement(sql: sql).execute(arguments: [number])
    }

    static func remove(_ text: PhotoText, _ number: Int64, in database: Database) throws {
        let sql = """
            INSERT INTO photo_words (photo_words, rowid, name, caption, tags, sources)
            VALUES ('delete', ?, ?, ?, ?, ?)
            """
        try database.cachedStatement(sql: sql).execute(arguments: [number] + StatementArguments(text.columns))
    }

    /// Strings compare by canonical equivalence, and what was indexed is bytes.
    static func == (left: PhotoText, right: PhotoText) -> Bool {
        left.columns.elementsEqual(right.columns) { $0.utf8.elementsEqual($1.utf8) }
    }
}
