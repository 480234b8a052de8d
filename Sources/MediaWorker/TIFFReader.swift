/// Reads the directories of a TIFF structure, which EXIF is, from bytes that may be anything.
///
/// Offsets count from the first byte. What lies outside of the bytes is not there; nothing is followed twice.
struct TIFFReader {
    /// One entry: up to four bytes lie in the directory itself, more where the offset says.
    struct Entry {
        var tag: UInt16
        var type: UInt16
        var count: Int
        /// Where the value begins.
        var offset: Int
    }

    /// Sizes of the types 1 to 13; zero is none.
    private static let typeByteCounts = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
    private static let entryCountMax = 512
    /// ASCII.
    static let textType: UInt16 = 2

    let bytes: [UInt8]
    let isBigEndian: Bool
    /// Where the first directory is.
    let first: Int

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x49, 0x49): isBigEndian = false
        case (0x4D, 0x4D): isBigEndian = true
        default: return nil
        }
        self.bytes = bytes
        first = Self.number(bytes, at: 4, byteCount: 4, isBigEndian: isBigEndian) ?? 0
        guard Self.number(bytes, at: 2, byteCount: 2, isBigEndian: isBigEndian) == 42 else { return nil }
    }

    /// For a directory that stands in something else than a TIFF.
    init(_ bytes: [UInt8], isBigEndian: Bool, first: Int) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
        self.first = first
    }

    /// The entries of the directory there; `nil` where it is cut short or no directory.
    func directory(at offset: Int) -> [Entry]? {
        guard let count = number(at: offset, byteCount: 2), count <= Self.entryCountMax,
            offset + 2 + count * 12 <= bytes.count
        else { return nil }
        return (0..<count).compactMap { entry(at: offset + 2 + $0 * 12) }
    }

    private func entry(at start: Int) -> Entry? {
        guard let tag = number(at: start, byteCount: 2), let type = number(at: start + 2, byteCount: 2),
            let count = number(at: start + 4, byteCount: 4), Self.typeByteCounts.indices.contains(type), type > 0
        else { return nil }
        let byteCount = count * Self.typeByteCounts[type]
        let offset = byteCount <= 4 ? start + 8 : number(at: start + 8, byteCount: 4)
        guard let offset, offset + byteCount <= bytes.count else { return nil }
        return Entry(tag: UInt16(tag), type: UInt16(type), count: count, offset: offset)
    }

    func number(at offset: Int, byteCount: Int) -> Int? {
        Self.number(bytes, at: offset, byteCount: byteCount, isBigEndian: isBigEndian)
    }

    private static func number(_ bytes: [UInt8], at offset: Int, byteCount: Int, isBigEndian: Bool) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        let taken = bytes[offset..<offset + byteCount]
        return isBigEndian
            ? taken.reduce(0) { $0 << 8 | Int($1) } : taken.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension TIFFReader {
    /// The value of an entry of bytes or text, as it stands there.
    func block(_ entry: Entry) -> ArraySlice<UInt8> {
        bytes[entry.offset..<entry.offset + entry.count * Self.typeByteCounts[Int(entry.type)]]
    }

    /// The text of an entry of type ASCII, up to the first zero, without spaces around it.
    func text(_ entry: Entry) -> String? {
        guard [1, Self.textType, 7].contains(entry.type) else { return nil }
        return Text.clean(block(entry).prefix { $0 != 0 })
    }

    /// The numbers of an entry: whole ones and fractions, of which one without a denominator is `nil`.
    func numbers(_ entry: Entry, countMax: Int) -> [Double?] {
        let step = Self.typeByteCounts[Int(entry.type)]
        return (0..<min(entry.count, countMax)).map { value(type: entry.type, at: entry.offset + $0 * step) }
    }

    private func value(type: UInt16, at offset: Int) -> Double? {
        switch type {
        case 1, 7: number(at: offset, byteCount: 1).map(Double.init)
        case 3: number(at: offset, byteCount: 2).map(Double.init)
        case 4, 13: number(at: offset, byteCount: 4).map(Double.init)
        case 9: number(at: offset, byteCount: 4).map { Double(Int32(truncatingIfNeeded: $0)) }
        case 5: fraction(at: offset) { Double($0) }
        case 10: fraction(at: offset) { Double(Int32(truncatingIfNeeded: $0)) }
        default: nil
        }
    }

    private func fraction(at offset: Int, _ part: (Int) -> Double) -> Double? {
        guard let above = number(at: offset, byteCount: 4), let below = number(at: offset + 4, byteCount: 4), below != 0
        else { return nil }
        return part(above) / part(below)
    }
}
