/// What a file is by its content, never by its name.
public struct MediaType: Hashable, Sendable {
    /// Such as `image/jpeg`.
    public let name: String
    /// Lower case, without the dot; the first is the one to give to a file that has none of them.
    public let fileExtensions: [String]

    private init(_ name: String, _ fileExtensions: [String]) {
        self.name = name
        self.fileExtensions = fileExtensions
    }

    /// The type of this name, such as a peer gave with a photo; `nil` if it is none that we share.
    public static func named(_ name: String) -> MediaType? {
        known.first { $0.name == name }
    }

    /// The type of a file that begins with these bytes; `nil` if it is no photo or video, nor a photo's sidecar.
    ///
    /// 4 KiB are enough for every type; fewer are fine for a file that has no more.
    ///
    /// - Parameter name: the file's: text is a sidecar only if it is called so.
    package static func sniff(_ bytes: [UInt8], name: String) -> MediaType? {
        sniffByMagic(bytes) ?? sniffTIFF(bytes) ?? sniffBoxes(bytes) ?? sniffTransportStream(bytes)
            ?? sniffSidecar(bytes, name: name)
    }

    /// Why a file is not shared whose bytes begin with these and are of no type.
    package static func reasonToSkip(_ bytes: [UInt8]) -> String {
        let signature: [UInt8] = [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
        let codestream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
        guard bytes.starts(with: signature) || bytes.starts(with: codestream) else {
            return "it is not a photo or a video"
        }
        return "it is a JPEG 2000 picture, which few programs show; share a copy as JPEG or PNG"
    }

    /// Whether it tells about a photo and shows nothing itself.
    public var isSidecar: Bool { self == Self.xmp || self == Self.adjustments }
}

extension MediaType {
    package static let jpeg = MediaType("image/jpeg", ["jpg", "jpeg", "jpe", "jfif", "mpo", "insp"])
    package static let png = MediaType("image/png", ["png", "apng"])
    package static let gif = MediaType("image/gif", ["gif"])
    package static let webp = MediaType("image/webp", ["webp"])
    package static let bmp = MediaType("image/bmp", ["bmp", "dib"])
    package static let heic = MediaType("image/heic", ["heic", "heif", "hif"])
    package static let heif = MediaType("image/heif", ["heif", "heic", "hif"])
    package static let avif = MediaType("image/avif", ["avif"])
    package static let jxl = MediaType("image/jxl", ["jxl"])
    package static let dng = MediaType("image/x-adobe-dng", ["dng"])
    package static let nef = MediaType("image/x-nikon-nef", ["nef", "nrw"])
    package static let cr2 = MediaType("image/x-canon-cr2", ["cr2"])
    package static let cr3 = MediaType("image/x-canon-cr3", ["cr3"])
    package static let arw = MediaType("image/x-sony-arw", ["arw", "sr2", "srf"])
    package static let pef = MediaType("image/x-pentax-pef", ["pef"])
    package static let srw = MediaType("image/x-samsung-srw", ["srw"])
    package static let raf = MediaType("image/x-fuji-raf", ["raf"])
    package static let orf = MediaType("image/x-olympus-orf", ["orf"])
    package static let rw2 = MediaType("image/x-panasonic-rw2", ["rw2", "raw", "rwl"])
    package static let x3f = MediaType("image/x-sigma-x3f", ["x3f"])
    // A RAW file that we do not tell from a TIFF keeps its name.
    package static let tiff = MediaType(
        "image/tiff",
        [
            "tif", "tiff", "dng", "nef", "nrw", "cr2", "arw", "sr2", "srf", "pef", "srw", "3fr", "fff", "iiq", "erf",
            "mef",
            "mos", "kdc", "dcr", "rwl", "gpr",
        ])
    package static let mp4 = MediaType("video/mp4", ["mp4", "m4v", "mpg4", "insv", "lrv"])
    package static let quickTime = MediaType("video/quicktime", ["mov", "qt"])
    package static let m4v = MediaType("video/x-m4v", ["m4v", "mp4"])
    package static let threeGPP = MediaType("video/3gpp", ["3gp", "3g2", "3gpp"])
    package static let avi = MediaType("video/x-msvideo", ["avi"])
    package static let matroska = MediaType("video/x-matroska", ["mkv"])
    package static let webm = MediaType("video/webm", ["webm"])
    package static let transportStream = MediaType("video/mp2t", ["mts", "m2ts", "ts", "m2t"])
    package static let mpeg = MediaType("video/mpeg", ["mpg", "mpeg", "vob", "mod"])
    package static let windowsMedia = MediaType("video/x-ms-wmv", ["wmv", "asf"])

    /// What photo editors write beside a photo.
    package static let xmp = MediaType("application/rdf+xml", ["xmp"])
    /// Apple's list of edits.
    package static let adjustments = MediaType("application/x-apple-adjustments", ["aae"])

    package static let known: [MediaType] = [
        jpeg, png, gif, webp, bmp, heic, heif, avif, jxl, dng, nef, cr2, cr3, arw, pef, srw, raf, orf, rw2, x3f, tiff,
        mp4, quickTime, m4v, threeGPP, avi, matroska, webm, transportStream, mpeg, windowsMedia,
        xmp, adjustments,
    ]
}

extension MediaType {
    private static func sniffByMagic(_ bytes: [UInt8]) -> MediaType? {
        func has(_ magic: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: magic) }
        func has(_ magic: String, at offset: Int = 0) -> Bool { has(Array(magic.utf8), at: offset) }
        if has([0xFF, 0xD8, 0xFF]) { return jpeg }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return png }
        if has("GIF87a") || has("GIF89a") { return gif }
        if has("RIFF") && has("WEBP", at: 8) { return webp }
        if has("RIFF") && has("AVI ", at: 8) { return avi }
        if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) { return jxl }
        if has("FUJIFILMCCD-RAW") { return raf }
        if has("IIRO") || has("IIRS") || has("MMOR") { return orf }
        if has([0x49, 0x49, 0x55, 0x00]) { return rw2 }
        if has("FOVb") { return x3f }
        if has([0x1A, 0x45, 0xDF, 0xA3]) {
            let header = String(decoding: bytes.prefix(64), as: UTF8.self)
            return header.contains("webm") ? webm : header.contains("matroska") ? matroska : nil
        }
        if has([0, 0, 1, 0xBA]) || has([0, 0, 1, 0xB3]) { return mpeg }
        if has([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return windowsMedia }
        // "BM" alone begins many a text: two reserved words are zero, and the second header has one of few sizes.
        let bitmapHeaders: [UInt8] = [12, 40, 52, 56, 64, 108, 124]
        if has("BM"), has([0, 0, 0, 0], at: 6), bytes.count > 18, bitmapHeaders.contains(bytes[14]),
            has([0, 0, 0], at: 15)
        {
            return bmp
        }
        return nil
    }

    /// TIFF, and the RAW formats that are TIFF with a maker's tags.
    private static func sniffTIFF(_ bytes: [UInt8]) -> MediaType? {
        guard let order = TIFFByteOrder(bytes) else { return nil }
        guard order.word16(bytes, at: 2) == 42 || order.word16(bytes, at: 2) == 43 else { return nil }
        if bytes.dropFirst(8).starts(with: Array("CR".utf8)) { return cr2 }
        guard order.word16(bytes, at: 2) == 42, let start = order.word32(bytes, at: 4),
            let count = order.word16(bytes, at: Int(start))
        else { return tiff }
        var maker = ""
        var isReduced = false
        var isPentaxCoded = false
        for index in 0..<min(count, 512) {
            let entry = Int(start) + 2 + index * 12
            guard let tag = order.word16(bytes, at: entry) else { break }
            switch tag {
            case 0xC612: return dng
            case 0xFE: isReduced = order.word32(bytes, at: entry + 8) == 1
            case 0x103: isPentaxCoded = order.word16(bytes, at: entry + 8) == 0xFFFF
            case 0x10F: maker = text(bytes, at: order.word32(bytes, at: entry + 8))
            default: break
            }
        }
        // A TIFF that a camera or its software wrote has the maker too; what a RAW shows first is a reduced image.
        if maker.hasPrefix("NIKON"), isReduced { return nef }
        if maker.hasPrefix("SONY"), isReduced { return arw }
        if maker.hasPrefix("SAMSUNG"), isReduced { return srw }
        if maker.hasPrefix("PENTAX") || maker.hasPrefix("RICOH"), isPentaxCoded { return pef }
        return tiff
    }

    private static func text(_ bytes: [UInt8], at offset: UInt32?) -> String {
        guard let offset, Int(offset) < bytes.count else { return "" }
        return String(decoding: bytes[Int(offset)...].prefix(16).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// ISO base media files (ISO/IEC 14496-12) by their brands, and QuickTime files older than brands.
    private static func sniffBoxes(_ bytes: [UInt8]) -> MediaType? {
        guard bytes.count >= 12 else { return nil }
        let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let kind = String(decoding: bytes[4..<8], as: UTF8.self)
        guard kind == "ftyp" else {
            let isBox = ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(kind)
            return isBox && (size >= 8 || size <= 1) ? quickTime : nil
        }
        let end = min(bytes.count, max(16, size))
        let major = String(decoding: bytes[8..<12], as: UTF8.self)
        var brands = [major]
        for offset in stride(from: 16, to: end - 3, by: 4) {
            brands.append(String(decoding: bytes[offset..<offset + 4], as: UTF8.self))
        }
        if major == "crx " { return cr3 }
        if brands.contains("avif") || brands.contains("avis") { return avif }
        let coded: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
        if brands.contains(where: coded.contains) { return heic }
        if brands.contains("mif1") || brands.contains("msf1") { return heif }
        if major == "qt  " { return quickTime }
        if major.hasPrefix("3g") { return threeGPP }
        if major.hasPrefix("M4V") { return m4v }
        // Sound alone, and JPEG 2000, are no photos or videos of ours.
        if major.hasPrefix("M4A") || major.hasPrefix("M4B") || major.hasPrefix("jp") { return nil }
        return mp4
    }

    /// MPEG-2 transport streams: a sync byte every 188 bytes, or every 192 after a time stamp (cameras' AVCHD).
    private static func sniffTransportStream(_ bytes: [UInt8]) -> MediaType? {
        for (first, step) in [(0, 188), (4, 192)] where bytes.count > first + 3 * step {
            if (0...3).allSatisfy({ bytes[first + $0 * step] == 0x47 }) { return transportStream }
        }
        return nil
    }

    private static func sniffSidecar(_ bytes: [UInt8], name: String) -> MediaType? {
        let name = name.lowercased()
        let text = String(decoding: bytes, as: UTF8.self)
        if name.hasSuffix(".xmp"), text.contains("<x:xmpmeta") || text.contains("<rdf:RDF") { return xmp }
        if name.hasSuffix(".aae"), text.hasPrefix("bplist00") || text.contains("<plist") { return adjustments }
        return nil
    }
}
