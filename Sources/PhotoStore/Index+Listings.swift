public import AlbumModel
import GRDB

extension Index {
    /// All albums, ordered by name, then by identifier.
    public func albums() throws(StoreError) -> [AlbumListing] {
        try file.read { database in
            let sql = """
                SELECT album.id, album.name, album.updated, album.digest, count(photo.blob),
                    ifnull(sum(photo.byte_count), 0), count(blob.id),
                    ifnull(sum(CASE WHEN blob.id IS NULL THEN 0 ELSE photo.byte_count END), 0)
                FROM album LEFT JOIN photo ON photo.album = album.id LEFT JOIN blob ON blob.id = photo.blob
                GROUP BY album.id ORDER BY album.name, album.id
                """
            return try Row.fetchAll(database, sql: sql).map { row in
                guard let id = AlbumID(bytes: row.bytes(0)) else { throw self.damaged }
                let album = AlbumRow(id: id, name: row[1], updated: row.unsigned(2), digest: row.bytes(3))
                return AlbumListing(
                    album: album, photoCount: row[4], byteCount: row.unsigned(5), hereCount: row[6],
                    hereByteCount: row.unsigned(7))
            }
        }
    }

    /// The photos of an album, in the order in which they were added; empty for an album that is not known.
    public func photos(album: AlbumID) throws(StoreError) -> [PhotoListing] {
        try file.read { database in
            let sql = """
                SELECT \(Self.photoColumns), blob.id IS NOT NULL
                FROM photo LEFT JOIN blob ON blob.id = photo.blob
                WHERE photo.album = ? ORDER BY photo.added, photo.blob
                """
            return try Row.fetchAll(database, sql: sql, arguments: [Column.bytes(album.bytes)]).map { row in
                PhotoListing(photo: try self.photo(row), isHere: row[8])
            }
        }
    }

    /// What albums name and this device lacks: the sums over all of it, and at most `limit` photos.
    public func missing(limit: Int) throws(StoreError) -> MissingListing {
        try file.read { database in
            let lacking = "NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = photo.blob)"
            let sums = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), ifnull(sum(byte_count), 0)
                    FROM (SELECT max(byte_count) AS byte_count FROM photo WHERE \(lacking) GROUP BY blob)
                    """)
            // SQLite takes the other columns from the row that has the minimum.
            let sql = """
                SELECT \(Self.photoColumns), min(photo.album) FROM photo WHERE \(lacking)
                GROUP BY photo.blob ORDER BY photo.added DESC, photo.blob LIMIT ?
                """
            let photos = try Row.fetchAll(database, sql: sql, arguments: [limit]).map { try self.photo($0) }
            return MissingListing(count: sums?[0] ?? 0, byteCount: sums?.unsigned(1) ?? 0, photos: photos)
        }
    }

    private static let photoColumns = """
        photo.album, photo.blob, photo.name, photo.media_type, photo.byte_count, photo.contributors, photo.added,
        photo.modified
        """

    private var damaged: StoreError { StoreError(.damaged, "\(path) is damaged: an identifier has the wrong length.") }

    private func photo(_ row: Row) throws -> PhotoRow {
        guard let album = AlbumID(bytes: row.bytes(0)), let blob = BlobID(bytes: row.bytes(1)) else { throw damaged }
        let names = row.bytes(5)
        let contributors = stride(from: 0, to: names.count, by: DeviceID.byteCount).compactMap { start in
            DeviceID(bytes: names[start..<min(start + DeviceID.byteCount, names.count)])
        }
        return PhotoRow(
            album: album, blob: blob, name: row[2], mediaType: row[3], byteCount: row.unsigned(4),
            contributors: contributors, added: row.unsigned(6), modified: row[7])
    }
}
