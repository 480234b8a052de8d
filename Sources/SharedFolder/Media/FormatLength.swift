import FolderEngine

/// Whether a file is shorter than its own format says: what a copy that stopped halfway looks like.
///
/// It asks for length, not for health: a damaged file of full length is complete.
enum FormatLength {
    /// How many chunks, boxes, blocks or segments are looked at; beyond, the rest is taken to be fine.
    static let partCountMax = 200_000

    /// Reads what is needed to follow the format's structure, of a JPEG with something behind its end all that is before.
    /// Blocks. Formats that do not tell their length are never short.
    static func isShort(descriptor: Int32, byteCount: UInt64, type: MediaType) -> Bool {
        var file = FileBytes(descriptor: descriptor, byteCount: byteCount)
        switch type {
        case .jpeg: return isShortJPEG(&file)
        case .png: return isShortPNG(&file)
        case .gif: return isShortGIF(&file)
        case .webp, .avi: return isShortRIFF(&file)
        case .bmp: return (file.littleEndian(at: 2, byteCount: 4) ?? 0) > byteCount
        case .heic, .heif, .avif: return isShortBoxes(&file, needing: ["meta", "moov"])
        case .mp4, .quickTime, .m4v, .threeGPP, .cr3: return isShortBoxes(&file, needing: ["moov", "moof"])
        case .jxl: return file.byte(at: 0) == 0 && isShortBoxes(&file, needing: ["jxlc", "jxlp"])
        case .tiff, .dng, .nef, .cr2, .arw, .pef, .srw, .orf: return TIFFLength.isShort(&file)
        case .raf: return isShortRAF(&file)
        case .matroska, .webm: return isShortMatroska(&file)
        default: return false
        }
    }

    /// Complete once an end-of-image marker follows the entropy-coded data (ITU-T T.81, B.1); what comes behind it,
    /// such as a motion photo's film, is not looked at. That data has no such marker within: where the file ends with
    /// one, nobody has to read it.
    private static func isShortJPEG(_ file: inout FileBytes) -> Bool {
        var offset: UInt64 = 2
        for _ in 0..<partCountMax {
            guard let found = file.find(0xFF, from: offset), var marker = file.byte(at: found + 1) else { return true }
            offset = found + 1
            while marker == 0xFF {
                offset += 1
                guard let next = file.byte(at: offset) else { return true }
                marker = next
            }
            offset += 1
            if marker == 0xD9 { return false }
            // Stuffed zeros, restarts, and what damage made up inside the data: no segment, go on behind it.
            guard marker >= 0xC0, marker != 0xD8, !(0xD0...0xD7).contains(marker), marker < 0xF0 || marker == 0xFE
            else {
                if marker == 0 || (0xD0...0xD7).contains(marker) {
                    guard let next = endOfData(&file, from: offset) else { return true }
                    offset = next
                }
                continue
            }
            guard let length = file.bigEndian(at: offset, byteCount: 2), length >= 2 else { return true }
            offset += length
            if offset > file.byteCount { return true }
            if marker == 0xDA, endsWithEndOfImage(&file, behind: offset) { return false }
        }
        return false
    }

    private static func endsWithEndOfImage(_ file: inout FileBytes, behind offset: UInt64) -> Bool {
        file.byteCount - offset >= 2 && file.bytes(at: file.byteCount - 2, count: 2) == [0xFF, 0xD9]
    }

    /// Skips entropy-coded data fast: to the next 0xFF that is neither stuffed nor a restart.
    private static func endOfData(_ file: inout FileBytes, from offset: UInt64) -> UInt64? {
        var offset = offset
        while let found = file.find(0xFF, from: offset) {
            guard let marker = file.byte(at: found + 1) else { return nil }
            if marker != 0, !(0xD0...0xD7).contains(marker) { return found }
            offset = found + 2
        }
        return nil
    }

    /// Complete with its IEND chunk.
    private static func isShortPNG(_ file: inout FileBytes) -> Bool {
        var offset: UInt64 = 8
        for _ in 0..<partCountMax {
            guard let length = file.bigEndian(at: offset, byteCount: 4),
                let kind = file.bytes(at: offset + 4, count: 4)
            else { return true }
            offset += 12 + length
            if offset > file.byteCount { return true }
            if kind == Array("IEND".utf8) { return false }
        }
        return false
    }

    /// Complete with its trailer (GIF89a, 27).
    private static func isShortGIF(_ file: inout FileBytes) -> Bool {
        guard let flags = file.byte(at: 10) else { return true }
        var offset: UInt64 = 13 + colorTableByteCount(flags)
        for _ in 0..<partCountMax {
            guard let kind = file.byte(at: offset) else { return true }
            switch kind {
            case 0x3B: return false
            case 0x21: offset += 2
            case 0x2C:
                guard let flags = file.byte(at: offset + 9) else { return true }
                offset += 11 + colorTableByteCount(flags)
            // Damage; how long the file was meant to be is not known.
            default: return false
            }
            guard let end = endOfBlocks(&file, from: offset) else { return true }
            offset = end
        }
        return false
    }

    private static func colorTableByteCount(_ flags: UInt8) -> UInt64 {
        flags & 0x80 == 0 ? 0 : 3 << (UInt64(flags & 7) + 1)
    }

    private static func endOfBlocks(_ file: inout FileBytes, from offset: UInt64) -> UInt64? {
        var offset = offset
        while let length = file.byte(at: offset) {
            offset += 1 + UInt64(length)
            if length == 0 { return offset }
        }
        return nil
    }

    /// A size of 0 is a recording's that did not know its length.
    private static func isShortRIFF(_ file: inout FileBytes) -> Bool {
        guard let size = file.littleEndian(at: 4, byteCount: 4) else { return true }
        return size != 0 && size != 0xFFFF_FFFF && 8 + size > file.byteCount
    }

    /// Follows the outermost boxes (ISO/IEC 14496-12, 4.2) to the end; one of `needed` must be among them.
    private static func isShortBoxes(_ file: inout FileBytes, needing needed: [String]) -> Bool {
        var offset: UInt64 = 0
        var hasNeeded = false
        for _ in 0..<partCountMax {
            let rest = Int(min(8, file.byteCount - offset))
            if rest < 8 { return !hasNeeded || file.bytes(at: offset, count: rest)?.contains { $0 != 0 } ?? true }
            guard var size = file.bigEndian(at: offset, byteCount: 4), let kind = file.bytes(at: offset + 4, count: 4)
            else { return true }
            // Zeros where a box should begin: room that was made for bytes still to come.
            if size == 0, kind == [0, 0, 0, 0] { return !hasNeeded }
            if needed.contains(String(decoding: kind, as: UTF8.self)) { hasNeeded = true }
            if size == 0 { return !hasNeeded }
            if size == 1 {
                guard let large = file.bigEndian(at: offset + 8, byteCount: 8) else { return true }
                size = large
            }
            // No box is that small: damage, or a trailer of another kind. Nothing more is known of the length.
            if size < 8 { return !hasNeeded }
            let (end, overflow) = offset.addingReportingOverflow(size)
            if overflow || end > file.byteCount { return true }
            offset = end
        }
        return !hasNeeded
    }

    /// The header names where JPEG, CFA header and CFA data lie.
    private static func isShortRAF(_ file: inout FileBytes) -> Bool {
        for offset: UInt64 in [84, 92, 100] {
            guard let start = file.bigEndian(at: offset, byteCount: 4),
                let length = file.bigEndian(at: offset + 4, byteCount: 4)
            else { return true }
            if start + length > file.byteCount { return true }
        }
        return false
    }

    /// EBML header, then one segment, whose size may be unknown (RFC 8794, 6.2).
    private static func isShortMatroska(_ file: inout FileBytes) -> Bool {
        guard let header = elementSize(&file, at: 4) else { return true }
        guard let headerSize = header.size else { return false }
        let segment = 4 + header.byteCount + headerSize
        guard segment < file.byteCount, let body = elementSize(&file, at: segment + 4) else { return true }
        guard let size = body.size else { return false }
        return segment + 4 + body.byteCount + size > file.byteCount
    }

    /// An EBML variable-size integer; the size is `nil` where it stands for "unknown".
    private static func elementSize(
        _ file: inout FileBytes, at offset: UInt64
    ) -> (size: UInt64?, byteCount: UInt64)? {
        guard let first = file.byte(at: offset), first != 0 else { return nil }
        let count = first.leadingZeroBitCount + 1
        guard let word = file.bigEndian(at: offset, byteCount: count) else { return nil }
        let mask = (UInt64(1) << UInt64(7 * count)) - 1
        return (word & mask == mask ? nil : word & mask, UInt64(count))
    }
}
