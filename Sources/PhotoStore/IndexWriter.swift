import AlbumModel
import GRDB

/// Writes rows of the index within one transaction, which ``finish()`` completes.
final class IndexWriter {
    private let database: Database
    /// What the written and removed photos had and have in common with others of their moments.
    private var touched = MomentKeys()
    /// Of removed photos, whose numbers may be new ones' by now.
    private var removedTexts: [(number: Int64, text: PhotoText)] = []
    /// New photos have larger numbers.
    private var lastOldNumber: Int64?
    /// Changed photos, with the words by which they were found before.
    private var oldTexts: [Int64: PhotoText] = [:]
    private var albums: [AlbumID: Int64] = [:]
    private var devices: [DeviceID: Int64] = [:]
    private var guests: [GuestID: Int64] = [:]
    private var bodies: [CameraBody: Int64] = [:]
    private var lenses: [String: Int64] = [:]
    private let statements: PhotoStatements
    private let texts: PhotoTexts

    init(_ database: Database) throws {
        self.database = database
        statements = try PhotoStatements(database)
        texts = try PhotoTexts(database)
    }

    // MARK: Albums and devices

    func write(_ album: AlbumRow) throws {
        let formerName = try String.fetchOne(
            database.cachedStatement(sql: "SELECT name FROM album WHERE id = ?"),
            arguments: [Column.bytes(album.id.bytes)])
        try database.cachedStatement(
            sql: """
                INSERT INTO album (id, name, updated, digest, cover, usual_offset) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated = excluded.updated,
                    digest = excluded.digest, cover = excluded.cover, usual_offset = excluded.usual_offset
                """
        ).execute(arguments: [
            Column.bytes(album.id.bytes), album.name, Column.number(album.updated), Column.bytes(album.digest),
            album.cover.map { Column.bytes($0.bytes) }, album.usualOffsetMinutes,
        ])
        let number = try number(of: album.id)
        // Albums change with each photo, their names hardly ever.
        if album.name != formerName { try write(album.name, of: .album, number) }
        try database.cachedStatement(sql: "DELETE FROM camera_clock WHERE album = ?").execute(arguments: [number])
        let insert = try database.cachedStatement(
            sql: "INSERT INTO camera_clock (album, device, body, seconds) VALUES (?, ?, ?, ?)")
        for (camera, seconds) in album.cameraClocks where seconds != 0 {
            let body = CameraBody(make: camera.make, model: camera.model, serial: camera.serial)
            try insert.execute(arguments: [
                number, try self.number(of: camera.contributor), try self.number(of: body), seconds,
            ])
        }
    }

    func write(_ device: DeviceRow) throws { try write(device.name, of: .device, number(of: device.id)) }

    func write(_ guest: GuestRow) throws { try write(guest.name, of: .guest, number(of: guest.id)) }

    /// What people call something that photos come from.
    private func write(_ words: String, of source: IndexSource, _ number: Int64) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO source_words (rowid, words) VALUES (?, ?)")
            .execute(arguments: [source.rowID(number), PlainText.folded(words)])
    }

    // MARK: Photos

    func write(_ photo: PhotoRow) throws {
        let album = try number(of: photo.album)
        let keys = MomentKeys.Pair(photo, album: album)
        touched.insert(keys)
        if let (number, oldKeys) = try find(album, photo.blob) {
            if !isNew(number), oldTexts[number] == nil { oldTexts[number] = try texts.text(of: number) }
            touched.insert(oldKeys)
            touched.rewrite(number, keys)
            try bind(photo, album, keys, to: statements.update)
            try statements.update.bind(number).run()
            try removeLists(of: number)
            try writeLists(of: photo, number)
        } else {
            if lastOldNumber == nil { lastOldNumber = try lastNumber() }
            try bind(photo, album, keys, to: statements.insert)
            try statements.insert.run()
            try writeLists(of: photo, database.lastInsertedRowID)
        }
    }

    func remove(_ album: AlbumID, _ blob: BlobID) throws {
        guard let album = try find(album), let (number, keys) = try find(album, blob) else { return }
        removedTexts.append((number, try texts.text(of: number)))
        touched.insert(keys)
        for keys in try MomentKeeper(database).release(from: number) { touched.insert(keys) }
        try removeLists(of: number)
        try database.cachedStatement(sql: "DELETE FROM photo WHERE number = ?").execute(arguments: [number])
    }

    /// To be called once, after all that is removed and then all that is written.
    ///
    /// The words come last, and together: whatever else is written after a word has the full-text table write its words
    /// to disk, each time.
    func finish() throws {
        try MomentKeeper(database).regroup(touched)
        for (number, text) in removedTexts { try texts.remove(text, number) }
        for (number, old) in oldTexts.sorted(by: { $0.key < $1.key }) {
            let text = try texts.text(of: number)
            guard text != old else { continue }
            try texts.remove(old, number)
            try texts.insert(text, number)
        }
        if let lastOldNumber { try texts.insertAll(after: lastOldNumber) }
    }

    private func isNew(_ number: Int64) -> Bool { lastOldNumber.map { number > $0 } ?? false }

    private func bind(
        _ photo: PhotoRow, _ album: Int64, _ keys: MomentKeys.Pair, to statement: PreparedStatement
    ) throws {
        let camera = photo.details.camera
        let first = photo.contributors[0]
        PhotoColumns.bind(
            photo, album: album, contributor: try number(of: first.device),
            guest: try first.guest.map { try number(of: $0) },
            body: try camera.body.map { try number(of: $0) },
            lens: camera.lens.isEmpty ? nil : try number(ofLens: camera.lens), keys: keys, to: statement)
    }

    private func writeLists(of photo: PhotoRow, _ number: Int64) throws {
        for (rank, person) in photo.contributors.enumerated().dropFirst() {
            try database.cachedStatement(sql: "INSERT INTO also_by (photo, rank, device, guest) VALUES (?, ?, ?, ?)")
                .execute(arguments: [
                    number, rank, try self.number(of: person.device), try person.guest.map { try self.number(of: $0) },
                ])
        }
        for tag in photo.remarks.tags {
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO photo_tag (photo, key, tag) VALUES (?, ?, ?)")
                .execute(arguments: [number, TagName.key(tag), tag])
        }
        for device in photo.remarks.favouredBy {
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO favour (photo, device) VALUES (?, ?)")
                .execute(arguments: [number, try self.number(of: device)])
        }
    }

    private func removeLists(of number: Int64) throws {
        for statement in statements.removals { try statement.bind(number).run() }
    }

    // MARK: Numbers

    private func find(_ album: AlbumID) throws -> Int64? {
        if let number = albums[album] { return number }
        let statement = try database.cachedStatement(sql: "SELECT number FROM album WHERE id = ?")
        let number = try Int64.fetchOne(statement, arguments: [Column.bytes(album.bytes)])
        albums[album] = number
        return number
    }

    private func number(of album: AlbumID) throws -> Int64 {
        guard let number = try find(album) else {
            preconditionFailure("a photo's album is written before the photo")
        }
        return number
    }

    private func find(_ album: Int64, _ blob: BlobID) throws -> (number: Int64, keys: MomentKeys.Pair)? {
        try statements.find.bind(album).bind(blob).first { row in
            let content = row.isNull(2) ? nil : row.number(2)
            return (row.number(0), MomentKeys.Pair(family: row.number(1), content: content))
        }
    }

    /// The largest number of a photo; 0 where there is none.
    private func lastNumber() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(number) FROM photo") ?? 0
    }

    private func number(of device: DeviceID) throws -> Int64 {
        if let number = devices[device] { return number }
        let id = Column.bytes(device.bytes)
        let number = try number(in: "device", "id = ?", [id]) { "INSERT INTO device (id) VALUES (?)" }.number
        devices[device] = number
        return number
    }

    private func number(of guest: GuestID) throws -> Int64 {
        if let number = guests[guest] { return number }
        let id = Column.bytes(guest.bytes)
        let number = try number(in: "guest", "id = ?", [id]) { "INSERT INTO guest (id) VALUES (?)" }.number
        guests[guest] = number
        return number
    }

    private func number(of body: CameraBody) throws -> Int64 {
        if let number = bodies[body] { return number }
        let found = try number(
            in: "body", "make = ? AND model = ? AND serial = ?", [body.make, body.model, body.serial]
        ) { "INSERT INTO body (make, model, serial) VALUES (?, ?, ?)" }
        if found.isNew { try write("\(body.make) \(body.model)", of: .body, found.number) }
        bodies[body] = found.number
        return found.number
    }

    private func number(ofLens lens: String) throws -> Int64 {
        if let number = lenses[lens] { return number }
        let found = try number(in: "lens", "name = ?", [lens]) { "INSERT INTO lens (name) VALUES (?)" }
        if found.isNew { try write(lens, of: .lens, found.number) }
        lenses[lens] = found.number
        return found.number
    }

    private func number(
        in table: String, _ condition: String, _ arguments: StatementArguments, insert: () -> String
    ) throws -> (number: Int64, isNew: Bool) {
        let find = try database.cachedStatement(sql: "SELECT number FROM \(table) WHERE \(condition)")
        if let number = try Int64.fetchOne(find, arguments: arguments) { return (number, false) }
        try database.execute(sql: insert(), arguments: arguments)
        return (database.lastInsertedRowID, true)
    }
}

/// What is run for each photo that is written.
private struct PhotoStatements {
    let find: PreparedStatement
    let insert: PreparedStatement
    let update: PreparedStatement
    /// Of what lies in tables of its own.
    let removals: [PreparedStatement]

    init(_ database: Database) throws {
        find = try PreparedStatement(
            database, sql: "SELECT number, family, content FROM photo WHERE album = ? AND blob = ?")
        insert = try PreparedStatement(database, sql: PhotoColumns.insert)
        update = try PreparedStatement(database, sql: PhotoColumns.update)
        removals = try ["also_by", "photo_tag", "favour"].map { table in
            try PreparedStatement(database, sql: "DELETE FROM \(table) WHERE photo = ?")
        }
    }
}

/// A camera without its lens.
struct CameraBody: Hashable {
    var make: String
    var model: String
    var serial: String
}

extension Camera {
    /// `nil` where the photo names none.
    fileprivate var body: CameraBody? {
        make.isEmpty && model.isEmpty && serial.isEmpty ? nil : CameraBody(make: make, model: model, serial: serial)
    }
}
