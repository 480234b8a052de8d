/// What kind of file it is by its first bytes: enough to know who is to read it.
public enum Container: UInt8, Sendable, CaseIterable {
    case unknown = 0
    case jpeg = 1
    case png = 2
    case webp = 3
    case gif = 4
    case heif = 5
    case avif = 6
    case jpegXL = 7
    /// TIFF, or a RAW format that is TIFF with a maker's tags.
    case tiff = 8
    /// A RAW format with a structure of its own.
    case raw = 9
    case video = 10
    case bitmap = 11
    /// Adobe's or Apple's description of a photo's edits.
    case sidecar = 12
}

extension Container {
    /// How many bytes a file's beginning needs to have for ``init(start:)``.
    public static let startByteCount = 4096

    public init(start: [UInt8]) {
        self = Self.byMagic(start) ?? Self.byBoxes(start) ?? Self.byText(start) ?? .unknown
    }

    private static func byMagic(_ start: [UInt8]) -> Container? {
        func has(_ magic: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: magic) }
        func has(_ magic: String, at offset: Int = 0) -> Bool { has(Array(magic.utf8), at: offset) }
        if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if has("RIFF") && has("WEBP", at: 8) { return .webp }
        if has("RIFF") && has("AVI ", at: 8) { return .video }
        if has("GIF87a") || has("GIF89a") { return .gif }
        if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) { return .jpegXL }
        if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) { return .tiff }
        if has([0x49, 0x49, 0x2B, 0]) || has([0x4D, 0x4D, 0, 0x2B]) { return .tiff }
        if has("FUJIFILMCCD-RAW") || has("IIRO") || has("IIRS") || has("MMOR") || has("FOVb") { return .raw }
        if has([0x49, 0x49, 0x55, 0]) { return .raw }
        if has([0x1A, 0x45, 0xDF, 0xA3]) || has([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .video }
        if has([0, 0, 1, 0xBA]) || has([0, 0, 1, 0xB3]) { return .video }
        if has("BM") && has([0, 0, 0, 0], at: 6) && has([0, 0, 0], at: 15) { return .bitmap }
        // MPEG transport streams: a sync byte every 188 bytes, or every 192 after a time stamp.
        for (first, step) in [(0, 188), (4, 192)] where start.count > first + 3 * step {
            if (0...3).allSatisfy({ start[first + $0 * step] == 0x47 }) { return .video }
        }
        return nil
    }

    /// ISO base media files (ISO/IEC 14496-12) by their brands, and QuickTime files older than brands.
    private static func byBoxes(_ start: [UInt8]) -> Container? {
        guard start.count >= 12 else { return nil }
        let byteCount = start[0..<4].reduce(0) { $0 << 8 | Int($1) }
        func word(at offset: Int) -> String { String(decoding: start[offset..<offset + 4], as: UTF8.self) }
        guard word(at: 4) == "ftyp" else {
            return ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(word(at: 4)) ? .video : nil
        }
        let end = min(start.count, max(16, byteCount))
        let brands = [word(at: 8)] + stride(from: 16, to: end - 3, by: 4).map(word)
        if brands[0] == "crx " { return .raw }
        if brands.contains("avif") || brands.contains("avis") { return .avif }
        let still: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
        return brands.contains(where: still.contains) ? .heif : .video
    }

    private static func byText(_ start: [UInt8]) -> Container? {
        let text = String(decoding: start.prefix(1024), as: UTF8.self)
        guard text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).hasPrefix("<") else { return nil }
        let words = ["<x:xmpmeta", "<?xpacket", "<rdf:RDF", "adjustmentFormatIdentifier"]
        return words.contains(where: text.contains) ? .sidecar : nil
    }
}
