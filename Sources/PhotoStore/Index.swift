public import AlbumModel
import DiskIO
import GRDB

/// A cache in SQLite of everything that listings ask for: albums, photos, and which blobs are here.
///
/// Nothing in it is the only copy of anything: a file that is missing, damaged or of another version is replaced by an
/// empty one, and whoever opened it fills it again from the journal and the blob store. A power cut may take back the
/// last commits, stamp included, so what is left still fits its stamp. Every call blocks.
public final class Index: Sendable {
    public static let fileName = "index.sqlite"
    /// Marks the file as Potluck's index ("PotI").
    private static let applicationID: Int32 = 0x506F_7449

    public let path: String
    /// The index was made anew when it was opened, and is empty until it is filled.
    public let wasRebuilt: Bool
    let file: DatabaseFile

    /// Opens `home/index.sqlite`, or makes it; the home must exist. Throws only where no new file can be made either.
    public init(home: String) throws(StoreError) {
        path = home + "/" + Self.fileName
        do {
            if let sound = try Self.openSound(path) {
                file = sound
                wasRebuilt = false
            } else {
                for suffix in ["", "-wal", "-shm", "-journal"] { try Disk.remove(path + suffix) }
                file = try DatabaseFile(path: path, durability: .cache)
                try Self.create(in: file)
                wasRebuilt = true
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// What the index was made from; `nil` while it is empty, or holds a part only.
    public func stamp() throws(StoreError) -> IndexStamp? {
        try file.read { database in
            try Row.fetchOne(database, sql: "SELECT fold_level, vector FROM stamp").map { row in
                IndexStamp(foldLevel: try row.value(0), vector: try row.bytes(1))
            }
        }
    }

    /// Replaces all albums and photos in one transaction; the sequences are read once and never held as a whole.
    /// Every photo's album must be among the albums.
    public func replaceAll(
        albums: some Sequence<AlbumRow>, devices: some Sequence<DeviceRow> = [],
        guests: some Sequence<GuestRow> = [], photos: some Sequence<PhotoRow>, stamp: IndexStamp
    ) throws(StoreError) {
        try file.write { database in
            try database.execute(sql: IndexSchema.emptying)
            let writer = try IndexWriter(database)
            for album in albums { try writer.write(album) }
            for device in devices { try writer.write(device) }
            for guest in guests { try writer.write(guest) }
            for photo in photos { try writer.write(photo) }
            try writer.finish()
            // One pass now makes every later search quicker, and the file smaller.
            try database.execute(sql: "INSERT INTO photo_words (photo_words) VALUES ('optimize')")
            try Self.write(stamp, in: database)
        }
    }

    /// Brings the index from one stamp to the next in one transaction: removals first, then what is new or changed.
    /// - Parameter stamp: `nil` where more is to follow before the index is of any stamp.
    public func apply(
        albums: [AlbumRow], devices: [DeviceRow] = [],
        guests: [GuestRow] = [], photos: [PhotoRow], removedPhotos: [(AlbumID, BlobID)] = [], stamp: IndexStamp?
    ) throws(StoreError) {
        try file.write { database in
            let writer = try IndexWriter(database)
            for (album, blob) in removedPhotos { try writer.remove(album, blob) }
            for album in albums { try writer.write(album) }
            for device in devices { try writer.write(device) }
            for guest in guests { try writer.write(guest) }
            for photo in photos { try writer.write(photo) }
            try writer.finish()
            try Self.write(stamp, in: database)
        }
    }

    /// `nil` where the file has to be made anew. Throws where making it anew would not help, such as a full disk.
    private static func openSound(_ path: String) throws -> DatabaseFile? {
        // One that cannot be looked at now holds all that it held: it is not made anew.
        guard try Disk.exists(path) else { return nil }
        let file: DatabaseFile
        do {
            file = try DatabaseFile(path: path, durability: .cache)
        } catch let error as DatabaseError where error.meansAnotherFile {
            return nil
        }
        let isSound = try file.isSound()
        guard !isSound else { return file }
        try file.close()
        return nil
    }

    /// Whether a file is Potluck's index of this version.
    static func isOurs(_ database: Database) throws -> Bool {
        let marks = try ["application_id", "user_version"].map { pragma in
            try Int32.fetchOne(database, sql: "PRAGMA \(pragma)")
        }
        return marks == [applicationID, IndexSchema.version]
    }

    private static func create(in file: DatabaseFile) throws {
        try file.write { database in
            try database.execute(
                sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(IndexSchema.version)")
            try database.execute(sql: IndexSchema.sql)
        }
    }

    private static func write(_ stamp: IndexStamp?, in database: Database) throws {
        guard let stamp else { return try database.execute(sql: "DELETE FROM stamp") }
        try database.execute(
            sql: "INSERT OR REPLACE INTO stamp (only, fold_level, vector) VALUES (1, ?, ?)",
            arguments: [stamp.foldLevel, Column.bytes(stamp.vector)])
    }
}

extension DatabaseFile {
    /// Ours, of this version, and whole as far as SQLite's quick check sees.
    fileprivate func isSound() throws -> Bool {
        do {
            return try read { database in
                guard try Index.isOurs(database) else { return false }
                return try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok"
            }
        } catch {
            guard error.code == .damaged else { throw error }
            return false
        }
    }
}

extension DatabaseError {
    /// The file is no database, or a broken one, or has a schema that this SQLite cannot read.
    fileprivate var meansAnotherFile: Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR].contains(resultCode.primaryResultCode)
    }
}
