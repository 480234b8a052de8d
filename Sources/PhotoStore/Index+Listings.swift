public import AlbumModel
import FoundationEssentials
import GRDB

extension Index {
    /// All albums, ordered by name, then by identifier.
    public func albums() throws(StoreError) -> [AlbumListing] {
        try file.read { database in
            let sql = "SELECT id, name, updated, digest, cover, usual_offset, number FROM album ORDER BY name, id"
            let sums = try self.sums(database)
            let incomplete = try self.incompleteCounts(database)
            let clocks = try self.cameraClocks(database)
            return try Row.fetchAll(database, sql: sql).map { row in
                guard let id = AlbumID(bytes: try row.bytes(0)) else { throw self.damaged }
                let album = AlbumRow(
                    id: id, name: try row.value(1), updated: try row.unsigned(2), digest: try row.bytes(3),
                    cover: BlobID(bytes: try row.bytes(4)), usualOffsetMinutes: try row.value(5),
                    cameraClocks: clocks[id] ?? [:])
                let number: Int64 = try row.value(6)
                let sum = sums[number, default: AlbumSum()]
                return AlbumListing(
                    album: album, photoCount: sum.photoCount, byteCount: sum.byteCount,
                    hereCount: sum.hereCount - incomplete[number, default: 0])
            }
        }
    }

    /// Of one album; a photo with all that belongs to it counts once, as here where the photo itself is.
    private struct AlbumSum {
        var photoCount = 0
        var byteCount: UInt64 = 0
        var hereCount = 0

        mutating func add(_ count: Int, _ byteCount: UInt64, isHere: Bool) {
            photoCount += count
            self.byteCount &+= byteCount
            if isHere { hereCount += count }
        }
    }

    /// By album's number. Added up here: SQLite would put all photos in the order of their albums first, which takes
    /// twice as long.
    private func sums(_ database: Database) throws -> [Int64: AlbumSum] {
        let photos = try PreparedStatement(
            database,
            sql: """
                SELECT album, byte_count, lead IS NULL, EXISTS (SELECT 1 FROM blob WHERE id = photo.blob)
                FROM photo NOT INDEXED
                """)
        var sums: [Int64: AlbumSum] = [:]
        try photos.forEach { row in
            let byteCount = UInt64(bitPattern: row.number(1))
            let (count, isHere) = (Int(row.number(2)), row.number(3) != 0)
            sums[row.number(0), default: AlbumSum()].add(count, byteCount, isHere: isHere)
        }
        return sums
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
        let counts = try Row.fetchAll(database, sql: sql).map {
            (try $0.value(0, Int64.self), try $0.value(1, Int.self))
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    private func cameraClocks(_ database: Database) throws -> [AlbumID: [CameraKey: Int64]] {
        let sql = """
            SELECT album.id, device.id, body.make, body.model, body.serial, camera_clock.seconds
            FROM camera_clock JOIN album ON album.number = camera_clock.album
            JOIN device ON device.number = camera_clock.device JOIN body ON body.number = camera_clock.body
            """
        var clocks: [AlbumID: [CameraKey: Int64]] = [:]
        for row in try Row.fetchAll(database, sql: sql) {
            guard let album = AlbumID(bytes: try row.bytes(0)), let device = DeviceID(bytes: try row.bytes(1)) else {
                throw damaged
            }
            let camera = CameraKey(
                contributor: device, make: try row.value(2), model: try row.value(3), serial: try row.value(4))
            clocks[album, default: [:]][camera] = try row.value(5)
        }
        return clocks
    }

    /// The photos of an album in its order, each with what belongs to it; empty for an album that is not known.
    public func photos(album: AlbumID) throws(StoreError) -> [PhotoListing] {
        try photos(matching: PhotoFilter(album: album))
    }

    /// The entries that photos are, or belong to, each once and in the order of their album; without those that are not
    /// in it. Costs what it answers, not what the album has.
    public func entries(of photos: [BlobID], in album: AlbumID) throws(StoreError) -> [PhotoListing] {
        try file.read { database in
            var numbers: Set<Int64> = []
            for start in stride(from: 0, to: photos.count, by: Self.boundCountMax) {
                let asked = photos[start..<min(start + Self.boundCountMax, photos.count)]
                let sql = """
                    SELECT ifnull(lead, number) FROM photo
                    WHERE \(PhotoFilter.inAlbum) AND blob IN (\(databaseQuestionMarks(count: asked.count)))
                    """
                let arguments = [Column.bytes(album.bytes)] + asked.map { Column.bytes($0.bytes) }
                numbers.formUnion(try Int64.fetchAll(database, sql: sql, arguments: StatementArguments(arguments)))
            }
            return try PhotoLister(database).listings(among: numbers, of: album)
        }
    }

    /// Photos that belong to another one, each with that one, over all albums; of several the one of the smallest
    /// identifier. Costs what it answers: 50,000 take 50 ms.
    public func leads() throws(StoreError) -> [BlobID: BlobID] {
        try file.read { database in
            let sql = """
                SELECT part.blob, lead.blob FROM photo AS part JOIN photo AS lead ON lead.number = part.lead
                WHERE part.lead IS NOT NULL
                """
            var leads: [BlobID: BlobID] = [:]
            try PreparedStatement(database, sql: sql).forEach { row in
                guard let part = BlobID(bytes: try row.bytes(0)), let lead = BlobID(bytes: try row.bytes(1)) else {
                    throw self.damaged
                }
                leads[part] = min(leads[part] ?? lead, lead)
            }
            return leads
        }
    }

    /// How many photos belong to another one of their album.
    public func companionCount() throws(StoreError) -> Int {
        try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM photo WHERE lead IS NOT NULL") ?? 0 }
    }

    /// A statement has a limited number of arguments.
    private static let boundCountMax = 500

    private var damaged: StoreError { StoreError(.damaged, "\(path) is damaged: an identifier has the wrong length.") }
}

/// A condition on numbers of photos.
enum Numbers {
    static func among(_ numbers: some Sequence<Int64>) -> String {
        "IN (\(numbers.map { "\($0)" }.joined(separator: ",")))"
    }
}
