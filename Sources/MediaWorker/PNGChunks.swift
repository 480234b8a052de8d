/// Whether a PNG says more of itself than libvips hands out, which reads EXIF and XMP only before the pixels, no more
/// than fifty texts, and none of those profiles that ImageMagick writes as text.
enum PNGChunks {
    private static let signatureByteCount = 8
    /// Of 8 KiB each, as most programs write them, enough for 512 MiB.
    private static let chunkCountMax = 1 << 16
    /// The longest keyword (PNG 1.2, 4.2.3), and the zero behind it.
    private static let keywordByteCountMax = 80
    /// In keywords: dates, and EXIF and its like written as digits of text.
    private static let keywords = ["Creation Time", "create-date", "date:create", "Raw profile type"]
    private static let keywordOfXMP = "XML:com.adobe.xmp"

    static func holdMore(in file: borrowing HandedFile) -> Bool {
        var offset = signatureByteCount, isBehindPixels = false
        for _ in 0..<chunkCountMax {
            let header = file.read(at: offset, count: 8)
            guard header.count == 8 else { return false }
            switch String(decoding: header[4...], as: UTF8.self) {
            case "IDAT": isBehindPixels = true
            case "IEND": return false
            case "eXIf" where isBehindPixels: return true
            case "tEXt", "zTXt", "iTXt":
                let start = file.read(at: offset + 8, count: keywordByteCountMax)
                let keyword = String(decoding: start.prefix { $0 != 0 }, as: UTF8.self)
                if keywords.contains(where: keyword.contains) || isBehindPixels && keyword == keywordOfXMP {
                    return true
                }
            default: break
            }
            offset += 12 + header[..<4].reduce(0) { $0 << 8 | Int($1) }
        }
        return false
    }
}
