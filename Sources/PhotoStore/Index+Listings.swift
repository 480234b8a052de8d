public import AlbumModel
import FoundationEssentials
import GRDB

extension Index {
    /// All albums, ordered by name, then by identifier.
    public func albums() throws(StoreError) -> [AlbumListing] {
        try file.read { database in
            let sql = """
                SELECT album.id, album.name, album.updated, album.digest, album.cover, album.usual_offset, album.number,
                    ifnull(sums.entries, 0), ifnull(sums.bytes, 0), ifnull(sums.here, 0), ifnull(sums.here_bytes, 0)
                FROM album LEFT JOIN (
                    SELECT photo.album, count(*) FILTER (WHERE photo.lead IS NULL) AS entries,
                        sum(photo.byte_count) AS bytes,
                        count(*) FILTER (WHERE photo.lead IS NULL AND blob.id IS NOT NULL) AS here,
                        sum(photo.byte_count) FILTER (WHERE blob.id IS NOT NULL) AS here_bytes
                    FROM photo LEFT JOIN blob ON blob.id = photo.blob GROUP BY photo.album
                ) AS sums ON sums.album = album.number
                ORDER BY album.name, album.id
                """
            let incomplete = try self.incompleteCounts(database)
            let clocks = try self.cameraClocks(database)
            return try Row.fetchAll(database, sql: sql).map { row in
                guard let id = AlbumID(bytes: row.bytes(0)) else { throw self.damaged }
                let album = AlbumRow(
                    id: id, name: row[1], updated: row.unsigned(2), digest: row.bytes(3),
                    cover: BlobID(bytes: row.bytes(4)), usualOffsetMinutes: row[5], cameraClocks: clocks[id] ?? [:])
                return AlbumListing(
                    album: album, photoCount: row[7], byteCount: row.unsigned(8),
                    hereCount: row[9] - incomplete[row[6], default: 0], hereByteCount: row.unsigned(10))
            }
        }
    }

    /// By album's number, how many photos are here of which something that belongs to them is not: an entry counts as
    /// here where no file of it is lacking. Few photos have any, so they are counted apart.
    private func incompleteCounts(_ database: Database) throws -> [Int64: Int] {
        let sql = """
            SELECT lead.album, count(DISTINCT lead.number)
            FROM photo AS part JOIN photo AS lead ON lead.number = part.lead JOIN blob ON blob.id = lead.blob
            WHERE part.lead IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob WHERE id = part.blob)
            GROUP BY lead.album
            """
        return Dictionary(uniqueKeysWithValues: try Row.fetchAll(database, sql: sql).map { ($0[0], $0[1]) })
    }

    private func cameraClocks(_ database: Database) throws -> [AlbumID: [CameraKey: Int64]] {
        let sql = """
            SELECT album.id, device.id, body.make, body.model, body.serial, camera_clock.seconds
            FROM camera_clock JOIN album ON album.number = camera_clock.album
            JOIN device ON device.number = camera_clock.device JOIN body ON body.number = camera_clock.body
            """
        var clocks: [AlbumID: [CameraKey: Int64]] = [:]
        for row in try Row.fetchAll(database, sql: sql) {
            guard let album = AlbumID(bytes: row.bytes(0)), let device = DeviceID(bytes: row.bytes(1)) else {
                throw damaged
            }
            let camera = CameraKey(contributor: device, make: row[2], model: row[3], serial: row[4])
            clocks[album, default: [:]][camera] = row[5]
        }
        return clocks
    }

    /// The photos of an album in its order, each with what belongs to it; empty for an album that is not known.
    public func photos(album: AlbumID) throws(StoreError) -> [PhotoListing] {
        try photos(matching: PhotoFilter(album: album))
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
                SELECT number, min((SELECT album.id FROM album WHERE album.number = photo.album)) FROM photo
                WHERE \(lacking) GROUP BY photo.blob ORDER BY photo.added DESC, photo.blob LIMIT ?
                """
            let numbers = try Int64.fetchAll(database, sql: sql, arguments: [limit])
            let listings = try PhotoLister(database).listings(of: numbers)
            return MissingListing(
                count: sums?[0] ?? 0, byteCount: sums?.unsigned(1) ?? 0, photos: listings.map(\.photo))
        }
    }

    private var damaged: StoreError { StoreError(.damaged, "\(path) is damaged: an identifier has the wrong length.") }
}

/// A condition on numbers of photos.
enum Numbers {
    static func among(_ numbers: some Sequence<Int64>) -> String {
        "IN (\(numbers.map { "\($0)" }.joined(separator: ",")))"
    }
}
