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
    static func photo(_ row: Row) throws -> (number: Int64, photo: PhotoRow)? {
        guard let album = AlbumID(bytes: try row.bytes(1)), let blob = BlobID(bytes: try row.bytes(2)),
            let contributor = DeviceID(bytes: try row.bytes(6))
        else { return nil }
        let photo = PhotoRow(
            album: album, blob: blob, name: try row.value(3), mediaType: try row.value(4),
            byteCount: try row.unsigned(5),
            contributors: [Person(contributor, guest: GuestID(bytes: try row.bytes(31)))], added: try row.unsigned(7),
            modified: try row.value(8), details: try details(row),
            remarks: PhotoRemarks(caption: try string(row, 30)))
        return (try row.value(0), photo)
    }

    private static func details(_ row: Row) throws -> PhotoDetails {
        var details = PhotoDetails(facts: nil)
        details.kind = try row.value(9, UInt32?.self).flatMap { MediaKind(rawValue: $0) }
        if let width = try row.value(10, UInt32?.self) {
            details.size = PixelSize(width: width, height: try row.value(11))
        }
        if let source = try row.value(14, UInt32?.self).flatMap({ CaptureTime.Source(rawValue: $0) }) {
            details.taken = CaptureTime(
                localMilliseconds: try row.value(12), offsetMinutes: try row.value(13), source: source)
        }
        details.camera = Camera(
            make: try string(row, 15), model: try string(row, 16), lens: try string(row, 18),
            serial: try string(row, 17))
        if let latitude = try row.value(19, Int32?.self) {
            details.place = Place(
                latitudeMicrodegrees: latitude, longitudeMicrodegrees: try row.value(20),
                altitudeCentimetres: try row.value(21))
        }
        details.durationMilliseconds = try row.value(22, Int64?.self).map { UInt64(bitPattern: $0) }
        details.contentIdentifier = try string(row, 23)
        details.thumbnail = try thumbnail(row)
        details.problem = try string(row, 29)
        return details
    }

    private static func thumbnail(_ row: Row) throws -> Thumbnail? {
        guard let blob = BlobID(bytes: try row.bytes(24)), let type = try row.value(28, Int?.self),
            FactsLimits.thumbnailMediaTypes.indices.contains(type)
        else { return nil }
        return Thumbnail(
            blob: blob, byteCount: try row.value(25),
            size: PixelSize(width: try row.value(26), height: try row.value(27)),
            mediaType: FactsLimits.thumbnailMediaTypes[type])
    }

    private static func text(_ text: String) -> String? { text.isEmpty ? nil : text }

    private static func string(_ row: Row, _ index: Int) throws -> String {
        try row.value(index, String?.self) ?? ""
    }
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
