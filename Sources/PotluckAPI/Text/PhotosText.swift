import AlbumModel

/// Writes a listing of photos as JSON, byte for byte what ``ReportJSON`` writes, some ten times as fast: an album has
/// thousands of photos, and a person waits for them.
struct PhotosText: IteratorProtocol {
    /// A piece is handed out once it is that long: large enough for few writes, small enough that a slow reader's next
    /// one is soon done.
    private static let pieceByteCount = 128 << 10

    private let report: PhotosReport
    /// Whether what is unknown is left out instead of shown as `null`: the reader takes the one for the other.
    private let isBrief: Bool
    private var bytes: [UInt8] = []
    /// How many photos are written; `nil` once the end is.
    private var writtenCount: Int?

    init(_ report: PhotosReport, isBrief: Bool) {
        self.report = report
        self.isBrief = isBrief
        bytes.reserveCapacity(Self.pieceByteCount + 4096)
        raw("{")
        member("album") { text in report.album.map { text.string($0) } ?? text.raw("null") }
        member("album_id") { text in report.albumID.map { text.string($0) } ?? text.raw("null") }
        key("photos")
        raw("[")
        writtenCount = 0
    }

    mutating func next() -> [UInt8]? {
        guard var count = writtenCount else { return nil }
        while count < report.photos.count, bytes.count < Self.pieceByteCount {
            if count > 0 { raw(",") }
            photo(report.photos[count])
            count += 1
        }
        if count == report.photos.count {
            raw("]}")
            writtenCount = nil
        } else {
            writtenCount = count
        }
        defer { bytes.removeAll(keepingCapacity: writtenCount != nil) }
        return bytes
    }

    /// Keys in alphabetical order.
    private mutating func photo(_ photo: PhotosReport.Photo) {
        raw("{")
        if let album = photo.album { member("album") { $0.string(album) } }
        if let albumID = photo.albumID { member("album_id") { $0.string(albumID) } }
        optional("altitude", photo.altitude) { $0.number($1) }
        optional("by", photo.by) { $0.string($1) }
        member("bytes") { $0.raw(String(photo.bytes)) }
        optional("caption", photo.caption) { $0.string($1) }
        if let captions = photo.captions { member("captions") { $0.list(captions) { $0.caption($1) } } }
        if let comments = photo.comments { member("comments") { $0.list(comments) { $0.comment($1) } } }
        member("companions") { $0.list(photo.companions) { $0.companion($1) } }
        member("contributors") { $0.list(photo.contributors) { $0.string($1) } }
        optional("copies", photo.copies) { $0.raw(String($1)) }
        optional("duration", photo.duration) { $0.number($1) }
        member("favourites") { $0.list(photo.favourites) { $0.string($1) } }
        optional("file", photo.file) { $0.string($1) }
        optional("height", photo.height) { $0.raw(String($1)) }
        member("here") { $0.raw(photo.here ? "true" : "false") }
        member("id") { $0.string(photo.id) }
        optional("kind", photo.kind) { $0.string($1.rawValue) }
        optional("latitude", photo.latitude) { $0.number($1) }
        optional("lens", photo.lens) { $0.string($1) }
        optional("longitude", photo.longitude) { $0.number($1) }
        optional("make", photo.make) { $0.string($1) }
        optional("model", photo.model) { $0.string($1) }
        member("name") { $0.string(photo.name) }
        optional("problem", photo.problem) { $0.string($1) }
        member("tags") { $0.list(photo.tags) { $0.string($1) } }
        optional("taken", photo.taken) { $0.string($1) }
        optional("taken_from", photo.takenFrom) { $0.string($1.rawValue) }
        optional("thumbnail", photo.thumbnail) { $0.string($1) }
        member("type") { $0.string(photo.type) }
        member("where") { $0.list(photo.where) { $0.string($1) } }
        optional("width", photo.width) { $0.raw(String($1)) }
        raw("}")
    }

    private mutating func caption(_ caption: PhotosReport.Caption) {
        raw("{")
        optional("by", caption.by) { $0.string($1) }
        member("caption") { $0.string(caption.caption) }
        raw("}")
    }

    private mutating func comment(_ comment: PhotosReport.Comment) {
        raw("{")
        member("at") { $0.string(comment.at.text) }
        member("by") { $0.string(comment.by) }
        if let guest = comment.guest { member("guest") { $0.string(guest) } }
        member("id") { $0.string(comment.id) }
        member("text") { $0.string(comment.text) }
        raw("}")
    }

    private mutating func companion(_ companion: PhotosReport.Companion) {
        raw("{")
        member("bytes") { $0.raw(String(companion.bytes)) }
        member("id") { $0.string(companion.id) }
        member("name") { $0.string(companion.name) }
        member("role") { $0.string(companion.role) }
        raw("}")
    }

    private mutating func optional<Value>(
        _ name: StaticString, _ value: Value?, _ write: (inout PhotosText, Value) -> Void
    ) {
        guard let value else {
            if !isBrief { member(name) { $0.raw("null") } }
            return
        }
        member(name) { write(&$0, value) }
    }

    private mutating func member(_ name: StaticString, _ write: (inout PhotosText) -> Void) {
        key(name)
        write(&self)
    }

    private mutating func key(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { raw(",") }
        raw("\"")
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        raw("\":")
    }

    private mutating func list<Element>(_ elements: [Element], _ write: (inout PhotosText, Element) -> Void) {
        raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(",") }
            write(&self, element)
        }
        raw("]")
    }

    /// The shortest digits that mean this number, without a fraction of zero, as the encoder has it.
    private mutating func number(_ number: Double) {
        let text = number.description
        raw(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    private mutating func string(_ text: String) {
        raw("\"")
        if text.utf8.allSatisfy({
            (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }) {
            raw(text)
        } else {
            var escaped = ""
            for scalar in text.unicodeScalars { Self.append(scalar, to: &escaped) }
            raw(escaped)
        }
        raw("\"")
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\"": text += #"\""#
        case "\\": text += #"\\"#
        case "\u{8}": text += #"\b"#
        case "\u{9}": text += #"\t"#
        case "\u{A}": text += #"\n"#
        case "\u{C}": text += #"\f"#
        case "\u{D}": text += #"\r"#
        case _ where scalar.isUnsafeToShow: text += JSONEscapes.escape(scalar)
        default: text.unicodeScalars.append(scalar)
        }
    }

    private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
