import AlbumModel
import FoundationEssentials
import GRDB

/// The columns of `photo` that come from the fold, in both directions.
enum PhotoColumns {
    private static let names = [
        "album", "blob", "name", "media_type", "byte_count", "contributor", "guest", "added", "modified", "media_kind",
        "kind", "width", "height", "taken", "taken_offset", "taken_source", "is_instant", "body", "lens", "latitude",
        "longitude", "altitude", "duration", "content_identifier", "thumbnail", "thumbnail_byte_count",
        "thumbnail_width", "thumbnail_height", "thumbnail_type", "problem", "caption", "family", "content",
    ]

    static let insert = """
        INSERT INTO photo (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
        """

    /// Its last argument is the photo's number. What the photo belongs to is left as it was.
    static let update = "UPDATE photo SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?"

    /// Binds all columns to ``insert``, or all but the last value to ``update``.
    static func bind(
        _ photo: PhotoRow, album: Int64, contributor: Int64, guest: Int64?, body: Int64?, lens: Int64?,
        keys: MomentKeys.Pair, to statement: PreparedStatement
    ) {
        let details = photo.details
        let taken = details.taken ?? CaptureTime(modified: photo.modified)
        statement.bind(album).bind(photo.blob).bind(photo.name).bind(photo.mediaType).bind(photo.byteCount)
        statement.bind(contributor).bind(guest).bind(photo.added).bind(photo.modified).bind(details.kind?.rawValue)
        statement.bind(PhotoKind(details.kind, mediaType: photo.mediaType).column)
        statement.bind(details.size?.width).bind(details.size?.height)
        statement.bind(taken.localMilliseconds).bind(taken.offsetMinutes).bind(details.taken?.source.rawValue)
        statement.bind(taken.isInstant ? 1 : 0).bind(body).bind(lens)
        statement.bind(details.place?.latitudeMicrodegrees).bind(details.place?.longitudeMicrodegrees)
        statement.bind(details.place?.altitudeCentimetres).bind(details.durationMilliseconds)
        statement.bind(text(details.contentIdentifier))
        let thumbnail = details.thumbnail
        statement.bind(thumbnail?.blob).bind(thumbnail?.byteCount)
        statement.bind(thumbnail?.size.width).bind(thumbnail?.size.height)
        statement.bind(thumbnail.flatMap { FactsLimits.thumbnailMediaTypes.firstIndex(of: $0.mediaType) })
        statement.bind(text(details.problem)).bind(text(photo.remarks.caption)).bind(keys.family).bind(keys.content)
    }

    /// What ``photo(_:)`` reads, of `photo` and the tables that ``joins`` adds.
    static let selected = """
        photo.number, album.id, photo.blob, photo.name, photo.media_type, photo.byte_count, device.id, photo.added,
        photo.modified, photo.media_kind, photo.width, photo.height, photo.taken, photo.taken_offset,
        photo.taken_source, body.make, body.model, body.serial, lens.name, photo.latitude, photo.longitude,
        photo.altitude, photo.duration, photo.content_identifier, photo.thumbnail, photo.thumbnail_byte_count,
        photo.thumbnail_width, photo.thumbnail_height, photo.thumbnail_type, photo.problem, photo.caption, guest.id
        """

    /// How many columns those are: further ones begin here.
    static let selectedCount = 32

    static let joins = """
        JOIN album ON album.number = photo.album JOIN device ON device.number = photo.contributor
        LEFT JOIN guest ON guest.number = photo.guest
        LEFT JOIN body ON body.number = photo.body LEFT JOIN lens ON lens.number = photo.lens
        LEFT JOIN camera_clock AS clock
            ON clock.album = photo.album AND clock.device = photo.contributor AND clock.body = photo.body
        LEFT JOIN blob ON blob.id = photo.blob
        """

    /// `nil` where an identifier has the wrong length. Further contributors, tags and favours are not in it.
    static func photo(_ row: Row) -> (number: Int64, photo: PhotoRow)? {
        guard let album = AlbumID(bytes: row.bytes(1)), let blob = BlobID(bytes: row.bytes(2)),
            let contributor = DeviceID(bytes: row.bytes(6))
        else { return nil }
        let photo = PhotoRow(
            album: album, blob: blob, name: row[3], mediaType: row[4], byteCount: row.unsigned(5),
            contributors: [Person(contributor, guest: GuestID(bytes: row.bytes(31)))], added: row.unsigned(7),
            modified: row[8], details: details(row),
            remarks: PhotoRemarks(caption: string(row, 30)))
        return (row[0], photo)
    }

    private static func details(_ row: Row) -> PhotoDetails {
        var details = PhotoDetails(facts: nil)
        details.kind = (row[9] as UInt32?).flatMap { MediaKind(rawValue: $0) }
        if let width = row[10] as UInt32? { details.size = PixelSize(width: width, height: row[11]) }
        if let source = (row[14] as UInt32?).flatMap({ CaptureTime.Source(rawValue: $0) }) {
            details.taken = CaptureTime(localMilliseconds: row[12], offsetMinutes: row[13], source: source)
        }
        details.camera = Camera(
            make: string(row, 15), model: string(row, 16), lens: string(row, 18), serial: string(row, 17))
        if let latitude = row[19] as Int32? {
            details.place = Place(
                latitudeMicrodegrees: latitude, longitudeMicrodegrees: row[20], altitudeCentimetres: row[21])
        }
        details.durationMilliseconds = (row[22] as Int64?).map { UInt64(bitPattern: $0) }
        details.contentIdentifier = string(row, 23)
        details.thumbnail = thumbnail(row)
        details.problem = string(row, 29)
        return details
    }

    private static func thumbnail(_ row: Row) -> Thumbnail? {
        guard let blob = BlobID(bytes: row.bytes(24)), let type = row[28] as Int?,
            FactsLimits.thumbnailMediaTypes.indices.contains(type)
        else { return nil }
        return Thumbnail(
            blob: blob, byteCount: row[25], size: PixelSize(width: row[26], height: row[27]),
            mediaType: FactsLimits.thumbnailMediaTypes[type])
    }

    private static func text(_ text: String) -> String? { text.isEmpty ? nil : text }

    private static func string(_ row: Row, _ index: Int) -> String { (row[index] as String?) ?? "" }
}

extension PhotoKind {
    var column: Int { Self.allCases.firstIndex(of: self)! }

    init?(column: Int) {
        guard Self.allCases.indices.contains(column) else { return nil }
        self = Self.allCases[column]
    }
}

extension Moment.Role {
    var column: Int { Self.allCases.firstIndex(of: self)! }

    init?(column: Int) {
        guard Self.allCases.indices.contains(column) else { return nil }
        self = Self.allCases[column]
    }
}
