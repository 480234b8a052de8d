/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2): an MP4, a MOV, a HEIC.
struct MediaBox: Hashable {
    /// Boxes of one level that are looked at: a file of a phone has a dozen.
    private static let countMax = 256

    var type: [UInt8]
    var payload: Range<UInt64>

    /// The first box of a type in a part of a file; `nil` where there is none, or the boxes before it are damaged.
    static func first(_ type: String, in span: FileSpan) -> MediaBox? {
        var offset = span.range.lowerBound
        for _ in 0..<countMax {
            guard let box = MediaBox(at: offset, in: span) else { return nil }
            if box.type.elementsEqual(type.utf8) { return box }
            offset = box.payload.upperBound
        }
        return nil
    }

    /// All boxes of a part of a file; `nil` where they do not fill it exactly, or are too many.
    static func all(in span: FileSpan) -> [MediaBox]? {
        var boxes: [MediaBox] = [], offset = span.range.lowerBound
        while offset < span.range.upperBound {
            guard boxes.count < countMax, let box = MediaBox(at: offset, in: span) else { return nil }
            boxes.append(box)
            offset = box.payload.upperBound
        }
        return boxes
    }

    private init?(at offset: UInt64, in span: FileSpan) {
        guard let header = span.bytes(at: offset, count: 8) else { return nil }
        type = Array(header[4...])
        var headerByteCount: UInt64 = 8
        var byteCount = header[..<4].bigEndian
        switch byteCount {
        case 0:
            byteCount = span.range.upperBound - offset
        case 1:
            guard let long = span.bytes(at: offset + 8, count: 8) else { return nil }
            headerByteCount = 16
            byteCount = long.bigEndian
        default: break
        }
        guard byteCount >= headerByteCount, byteCount <= span.range.upperBound - offset else { return nil }
        payload = offset + headerByteCount..<offset + byteCount
    }

    /// How long the film in this part of a file runs, in seconds, by its movie header (8.2.2).
    static func duration(ofFilmIn span: FileSpan) -> Double? {
        guard let movie = first("moov", in: span),
            let header = first("mvhd", in: span.part(movie.payload)),
            let version = span.bytes(at: header.payload.lowerBound, count: 1)?[0]
        else { return nil }
        let (offset, width): (UInt64, Int) = version == 1 ? (20, 8) : (12, 4)
        let fields = span.part(header.payload)
            .bytes(at: header.payload.lowerBound + offset, count: UInt64(4 + width))
        guard let fields, fields[..<4].bigEndian > 0 else { return nil }
        // All ones: it is not known.
        guard fields[4...].contains(where: { $0 != 0xFF }) else { return nil }
        return Double(fields[4...].bigEndian) / Double(fields[..<4].bigEndian)
    }
}
