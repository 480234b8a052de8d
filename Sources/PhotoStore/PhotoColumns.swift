import AlbumModel
import FoundationEssentials
import GRDB

/// The columns of `photo` that come from the fold, in both directions.
enum PhotoColumns {
    private static let names = [
        "album", "blob", "name", "media_type", "byte_count", "contributor", "added", "modified", "media_kind", "kind",
        "width", "height", "taken", "taken_offset", "taken_source", "is_instant", "body", "lens", "latitude",
        "longitude", "altitude", "duration", "content_identifier", "thumbnail", "thumbnail_byte_count",
        "thumbnail_width", "thumbnail_height", "thumbnail_type", "problem", "caption", "family", "content",
    ]

    static let insert = """
        INSERT INTO photo (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
        """

    /// Its last argument is the photo's number. What the photo belongs to is left as it was.
    static let update = "UPDATE photo SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?"

    static func values(
        _ photo: PhotoRow, album: Int64, contributor: Int64, body: Int64?, lens: Int64?, keys: MomentKeys.Pair
    ) -> StatementArguments {
        let details = photo.details
        let taken = details.taken ?? CaptureTime(modified: photo.modified)
        return [
            album, Column.bytes(photo.blob.bytes), photo.name, photo.mediaType, Column.number(photo.byteCount),
            contributor, Column.number(photo.added), photo.modified, details.kind?.rawValue,
            PhotoKind(details.kind, mediaType: photo.mediaType).column, details.size?.width, details.size?.height,
            taken.localMilliseconds, taken.offsetMinutes, details.taken?.source.rawValue, taken.isInstant, body, lens,
            details.place?.latitudeMicrodegrees, details.place?.longitudeMicrodegrees,
            details.place?.altitudeCentimetres, details.durationMilliseconds.map { Column.number($0) },
            text(details.contentIdentifier), details.thumbnail.map { Column.bytes($0.blob.bytes) },
            details.thumbnail?.byteCount, details.thumbnail?.size.width, details.thumbnail?.size.height,
            details.thumbnail.flatMap { FactsLimits.thumbnailMediaTypes.firstIndex(of: $0.mediaType) },
            text(details.problem), text(photo.remarks.caption), keys.family, keys.content,
        ]
    }

    /// What ``photo(_:)`` reads, of `photo` and the tables that ``joins`` adds.
    static let selected = """
        photo.number, album.id, photo.blob, photo.name, photo.media_type, photo.byte_count, device.id, photo.added,
        photo.modified, photo.media_kind, photo.width, photo.height, photo.taken, photo.taken_offset,
        photo.taken_source, body.make, body.model, body.serial, lens.name, photo.latitude, photo.longitude,
        photo.altitude, photo.duration, photo.content_identifier, photo.thumbnail, photo.thumbnail_byte_count,
        photo.thumbnail_width, photo.thumbnail_height, photo.thumbnail_type, photo.problem, photo.caption
        """

    /// How many columns those are: further ones begin here.
    static let selectedCount = 31

    static let joins = """
        JOIN album ON album.number = photo.album JOIN device ON device.number = photo.contributor
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
            contributors: [contributor], added: row.unsigned(7), modified: row[8], details: details(row),
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
