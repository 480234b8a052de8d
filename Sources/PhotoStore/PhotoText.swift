import AlbumModel
import GRDB

/// The words by which a photo is found. The full-text table keeps no copy of them, so whoever changes a photo has to
/// say what they were.
struct PhotoText: Equatable {
    fileprivate var columns: [String]

    /// Strings compare by canonical equivalence, and what was indexed is bytes.
    static func == (left: PhotoText, right: PhotoText) -> Bool {
        left.columns.elementsEqual(right.columns) { $0.utf8.elementsEqual($1.utf8) }
    }
}

extension DatabaseFunction {
    /// `folded(text)`: ``PlainText/folded(_:)``, for words on their way into the full-text tables.
    static let folded = DatabaseFunction("folded", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map { PlainText.folded($0) }
    }
}

/// Reads and writes photos' words within one transaction.
struct PhotoTexts {
    private let read: PreparedStatement
    private let insertion: PreparedStatement
    private let removal: PreparedStatement
    private let wholesale: PreparedStatement

    /// Of `photo_text`, as they are indexed.
    private static let foldedColumns = "folded(name), folded(caption), folded(tags), sources"

    init(_ database: Database) throws {
        read = try PreparedStatement(
            database, sql: "SELECT \(Self.foldedColumns) FROM photo_text WHERE number = ?")
        insertion = try PreparedStatement(
            database, sql: "INSERT INTO photo_words (rowid, name, caption, tags, sources) VALUES (?, ?, ?, ?, ?)")
        removal = try PreparedStatement(
            database,
            sql: """
                INSERT INTO photo_words (photo_words, rowid, name, caption, tags, sources)
                VALUES ('delete', ?, ?, ?, ?, ?)
                """)
        wholesale = try PreparedStatement(
            database,
            sql: """
                INSERT INTO photo_words (rowid, name, caption, tags, sources)
                SELECT number, \(Self.foldedColumns) FROM photo_text WHERE number > ?
                """)
    }

    /// As the photo's row has them now.
    func text(of number: Int64) throws -> PhotoText {
        PhotoText(columns: try read.bind(number).first { row in (0..<4).map { row.text($0) } } ?? [])
    }

    func insert(_ text: PhotoText, _ number: Int64) throws { try run(insertion, number, text) }

    /// Of all photos whose numbers are larger; none of them may be there yet.
    func insertAll(after number: Int64) throws { try wholesale.bind(number).run() }

    /// - Parameter text: what was inserted.
    func remove(_ text: PhotoText, _ number: Int64) throws { try run(removal, number, text) }

    private func run(_ statement: PreparedStatement, _ number: Int64, _ text: PhotoText) throws {
        statement.bind(number)
        for column in text.columns { statement.bind(column) }
        try statement.run()
    }
}
