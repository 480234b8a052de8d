import AlbumModel
import GRDB
import GRDBSQLite

/// A statement that is used for each of many rows: filled and read column by column.
///
/// GRDB's own way looks the statement up by its text and makes an array of the values with each use, which takes longer
/// than what SQLite does for a row. To be used within one transaction, by one thread.
final class PreparedStatement {
    private let database: Database
    private let statement: Statement
    /// How many values were bound since it was last run.
    private var count: Int32 = 0
    /// The first complaint while binding.
    private var code = SQLITE_OK

    init(_ database: Database, sql: String) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
    }

    private var handle: OpaquePointer { statement.sqliteStatement }

    // MARK: Filling

    /// Binds the next column.
    @discardableResult
    func bind(_ number: Int64?) -> Self {
        next { place in number.map { sqlite3_bind_int64(handle, place, $0) } ?? sqlite3_bind_null(handle, place) }
    }

    @discardableResult
    func bind(_ number: (some BinaryInteger)?) -> Self { bind(number.map { Int64(truncatingIfNeeded: $0) }) }

    @discardableResult
    func bind(_ text: String?) -> Self {
        next { place in
            guard let text else { return sqlite3_bind_null(handle, place) }
            return text.withCString { sqlite3_bind_text(handle, place, $0, Int32(text.utf8.count), Self.copied) }
        }
    }

    @discardableResult
    func bind(_ id: (some ByteIdentifier)?) -> Self {
        next { place in
            guard let id else { return sqlite3_bind_null(handle, place) }
            return id.withUnsafeBytes { bindBlob($0, place) }
        }
    }

    @discardableResult
    func bind(_ bytes: [UInt8]) -> Self {
        next { place in bytes.withUnsafeBytes { bindBlob($0, place) } }
    }

    private func bindBlob(_ bytes: UnsafeRawBufferPointer, _ place: Int32) -> Int32 {
        // Without bytes there may be no address, which SQLite would take for NULL.
        guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
        return sqlite3_bind_blob(handle, place, bytes.baseAddress, Int32(bytes.count), Self.copied)
    }

    /// SQLITE_TRANSIENT.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func next(_ bind: (Int32) -> Int32) -> Self {
        count += 1
        let code = bind(count)
        if self.code == SQLITE_OK { self.code = code }
        return self
    }

    // MARK: Running

    /// Runs it to its end; all columns must have been bound.
    func run() throws { while try step() {} }

    /// What `read` makes of the first row; `nil` without any.
    func first<Value>(_ read: (PreparedStatement) -> Value) throws -> Value? {
        defer { end() }
        return try step() ? read(self) : nil
    }

    /// Runs it to its end, with a look at each row.
    func forEach(_ body: (PreparedStatement) throws -> Void) throws {
        defer { end() }
        while try step() { try body(self) }
    }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Empty for NULL.
    func text(_ column: Int32) -> String {
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_text(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The bytes of a BLOB column; empty for NULL.
    func bytes(_ column: Int32) throws(OddColumn) -> [UInt8] {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_BLOB:
            Array(
                UnsafeRawBufferPointer(
                    start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column))))
        case SQLITE_NULL: []
        default: throw OddColumn()
        }
    }

    func unsigned(_ column: Int32) throws(OddColumn) -> UInt64 { UInt64(bitPattern: try integer(column)) }

    func integer(_ column: Int32) throws(OddColumn) -> Int64 {
        guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw OddColumn() }
        return sqlite3_column_int64(handle, column)
    }

    /// - Returns: whether there is a row to read.
    private func step() throws -> Bool {
        if code == SQLITE_OK { code = sqlite3_step(handle) }
        switch code {
        case SQLITE_ROW:
            code = SQLITE_OK
            return true
        case SQLITE_DONE:
            end()
            return false
        default:
            let failed = ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection))
            let message = database.sqliteConnection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
            end()
            throw DatabaseError(resultCode: failed, message: message, sql: statement.sql)
        }
    }

    /// Ready to be filled again.
    private func end() {
        sqlite3_reset(handle)
        (count, code) = (0, SQLITE_OK)
    }
}
