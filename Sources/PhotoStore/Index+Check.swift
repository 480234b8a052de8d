public import AlbumModel
import GRDB

/// What a comparison with the journal asks.
extension Index {
    /// What SQLite finds wrong with the file, in its words; empty when all is well. Reads all of it.
    public func complaints() throws(StoreError) -> [String] { try file.complaints() }

    /// How many photos each album has, files that belong to another one included.
    public func photoCounts() throws(StoreError) -> [AlbumID: Int] {
        try file.read { database in
            let sql = """
                SELECT album.id, count(photo.number) FROM album LEFT JOIN photo ON photo.album = album.number
                GROUP BY album.number
                """
            return try Row.fetchAll(database, sql: sql).reduce(into: [:]) { counts, row in
                if let id = AlbumID(bytes: try row.bytes(0)) { counts[id] = try row.value(1) }
            }
        }
    }
}
