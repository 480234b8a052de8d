import NIOCore

/// Writes a listing of photos as JSON, byte for byte what ``ReportJSON`` writes, some ten times as fast: an album has
/// thousands of photos, and a person waits for them.
struct PhotosText {
    private var bytes: ByteBuffer

    /// The line that answers a request for photos.
    static func line(_ report: PhotosReport) -> ByteBuffer {
        var text = PhotosText(bytes: ByteBuffer())
        // A photo takes about 270 bytes.
        text.bytes.reserveCapacity(report.photos.count * 320 + 1024)
        text.raw(#"{"result":"#)
        text.report(report)
        text.raw("}\n")
        return text.bytes
    }

    private mutating func report(_ report: PhotosReport) {
        raw(#"{"album":"#)
        string(report.album)
        raw(#","album_id":"#)
        string(report.albumID)
        raw(#","photos":"#)
        list(report.photos) { $0.photo($1) }
        raw("}")
    }

    /// Keys in alphabetical order.
    private mutating func photo(_ photo: PhotosReport.Photo) {
        raw(#"{"by":"#)
        optional(photo.by)
        raw(#","bytes":"#)
        raw(String(photo.bytes))
        raw(#","caption":"#)
        optional(photo.caption)
        raw(#","contributors":"#)
        list(photo.contributors) { $0.string($1) }
        raw(#","copies":"#)
        raw(photo.copies.map { String($0) } ?? "null")
        raw(#","file":"#)
        optional(photo.file)
        raw(photo.here ? #","here":true"# : #","here":false"#)
        raw(#","id":"#)
        string(photo.id)
        raw(#","name":"#)
        string(photo.name)
        raw(#","tags":"#)
        list(photo.tags) { $0.string($1) }
        raw(#","taken":"#)
        optional(photo.taken)
        raw(#","type":"#)
        string(photo.type)
        raw(#","where":"#)
        list(photo.where) { $0.string($1) }
        raw("}")
    }

    private mutating func list<Element>(_ elements: [Element], _ write: (inout PhotosText, Element) -> Void) {
        raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(",") }
            write(&self, element)
        }
        raw("]")
    }

    private mutating func optional(_ text: String?) {
        if let text { string(text) } else { raw("null") }
    }

    private mutating func string(_ text: String) {
        raw("\"")
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            raw(text)
        } else {
            for scalar in text.unicodeScalars { escaped(scalar) }
        }
        raw("\"")
    }

    private mutating func escaped(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": raw(#"\""#)
        case "\\": raw(#"\\"#)
        case "\u{8}": raw(#"\b"#)
        case "\u{9}": raw(#"\t"#)
        case "\u{A}": raw(#"\n"#)
        case "\u{C}": raw(#"\f"#)
        case "\u{D}": raw(#"\r"#)
        case _ where scalar.value < 0x20:
            let digits = String(scalar.value, radix: 16)
            raw(#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits)
        default: raw(String(scalar))
        }
    }

    private mutating func raw(_ text: String) { bytes.writeString(text) }
}
