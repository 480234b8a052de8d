/// Makes HEIF and AVIF files readable to the libheif of today's systems (before 1.17), which refuses them although they
/// are sound.
///
/// - A reference from one item to several is an error to it ("Metadata not correctly assigned to image", "Too many
///   auxiliary image references"). Since the iPhone 15, metadata belong to the photo and to its tone-mapped form at
///   once. Nothing of a picture hangs on these references (the box `iref` of ISO/IEC 14496-12, 8.11.12): metadata keep
///   their first target only, and auxiliary images that have several keep none.
/// - It takes an image's size from the property `ispe` even where that stands behind a rotation or a crop, and then
///   finds that what it decoded has another size. `ispe` is put before them (the box `ipma` of ISO/IEC 23008-12, 9.3.1):
///   it is the size before anything is turned, wherever it stands.
///
/// The copy is as long as the file, so that nothing moves in it: what becomes free is taken from boxes that say nothing.
enum HEIFRepair {
    private struct Box {
        var kind: ArraySlice<UInt8>
        /// With its header.
        var whole: Range<Int>
        var content: Range<Int>
    }

    private static let headerByteCount = 8
    private static let boxCountMax = 4096
    /// Where data lie, which is always in the same file, and what is room already.
    private static let idleKinds = ["dinf", "free", "skip"].map { Array($0.utf8)[...] }

    /// `nil` if there is nothing to repair, or nothing that can be.
    static func repaired(_ file: [UInt8]) -> [UInt8]? {
        guard let meta = boxes(file, file.indices).first(where: { $0.kind.elementsEqual("meta".utf8) }),
            meta.content.count > 4
        else { return nil }
        let content = meta.content.dropFirst(4)
        let parts = boxes(file, content)
        guard parts.last?.whole.upperBound == content.upperBound else { return nil }
        var kept: [UInt8] = [], isChanged = false
        for part in parts where !idleKinds.contains(part.kind) {
            let bytes = repaired(part, file)
            kept += bytes ?? Array(file[part.whole])
            if bytes != nil { isChanged = true }
        }
        let room = content.count - kept.count
        guard isChanged, room == 0 || room >= headerByteCount else { return nil }
        if room > 0 { kept += box("free", Array(repeating: 0, count: room - headerByteCount)) }
        var repaired = file
        repaired.replaceSubrange(content, with: kept)
        return repaired
    }

    /// A part of `meta`, repaired; `nil` where there is nothing amiss.
    private static func repaired(_ part: Box, _ file: [UInt8]) -> [UInt8]? {
        switch String(decoding: part.kind, as: UTF8.self) {
        case "iref": references(part, file)
        case "iprp": properties(part, file)
        default: nil
        }
    }

    // MARK: References

    /// Of version 0, which has numbers of 16 bits.
    private static func references(_ list: Box, _ file: [UInt8]) -> [UInt8]? {
        guard list.content.count > 4, file[list.content.lowerBound] == 0 else { return nil }
        var kept: [UInt8] = [], isChanged = false
        for reference in boxes(file, list.content.dropFirst(4)) {
            guard reference.content.count >= 4 else { return nil }
            let count = number(file, reference.content.lowerBound + 2, 2)
            guard reference.content.count == 4 + 2 * count else { return nil }
            switch String(decoding: reference.kind, as: UTF8.self) {
            case "auxl" where count > 1: isChanged = true
            case "cdsc" where count > 1:
                let from = file[reference.content.prefix(2)], to = file[reference.content.dropFirst(4).prefix(2)]
                kept += box("cdsc", from + [0, 1] + to)
                isChanged = true
            default: kept += file[reference.whole]
            }
        }
        return isChanged ? box("iref", file[list.content.prefix(4)] + kept) : nil
    }

    // MARK: Properties

    private static func properties(_ list: Box, _ file: [UInt8]) -> [UInt8]? {
        let parts = boxes(file, list.content)
        guard let store = parts.first(where: { $0.kind.elementsEqual("ipco".utf8) }) else { return nil }
        let kinds = boxes(file, store.content).map { $0.kind.elementsEqual("ispe".utf8) }
        var bytes = Array(file[list.whole])
        for part in parts where part.kind.elementsEqual("ipma".utf8) {
            guard let sorted = associations(part, file, isSize: kinds) else { return nil }
            let start = part.content.lowerBound - list.whole.lowerBound
            bytes.replaceSubrange(start..<start + sorted.count, with: sorted)
        }
        return bytes.elementsEqual(file[list.whole]) ? nil : bytes
    }

    /// The content of the box with each item's size first among its properties; `nil` where it is cut short.
    private static func associations(_ list: Box, _ file: [UInt8], isSize: [Bool]) -> [UInt8]? {
        guard list.content.count >= 8 else { return nil }
        var bytes = Array(file[list.content])
        // Version 1 has longer items; bit 0 of the flags makes associations longer.
        let itemByteCount = bytes[0] == 0 ? 2 : 4, entryByteCount = bytes[3] & 1 == 1 ? 2 : 1
        let mask = entryByteCount == 2 ? 0x7FFF : 0x7F
        var offset = 8
        for _ in 0..<number(bytes, 4, 4) {
            guard offset + itemByteCount < bytes.count else { return nil }
            let start = offset + itemByteCount + 1
            let count = Int(bytes[start - 1])
            offset = start + count * entryByteCount
            guard offset <= bytes.count else { return nil }
            let entries = (0..<count).map { bytes[start + $0 * entryByteCount..<start + ($0 + 1) * entryByteCount] }
            func isSizeEntry(_ entry: ArraySlice<UInt8>) -> Bool {
                let index = entry.reduce(0) { $0 << 8 | Int($1) } & mask
                return index > 0 && index <= isSize.count && isSize[index - 1]
            }
            let sorted = entries.filter(isSizeEntry) + entries.filter { !isSizeEntry($0) }
            bytes.replaceSubrange(start..<offset, with: sorted.flatMap { $0 })
        }
        return bytes
    }

    // MARK: Boxes

    /// The boxes of a part of the file, up to the first one that reaches beyond it. One without a size ends with the
    /// part; sizes of 64 bits, which no photo needs, end the search.
    private static func boxes(_ file: [UInt8], _ range: Range<Int>) -> [Box] {
        var found: [Box] = [], rest = range
        while rest.count >= headerByteCount, found.count < boxCountMax {
            let start = rest.lowerBound, said = number(file, start, 4)
            let byteCount = said == 0 ? rest.count : said
            guard byteCount >= headerByteCount, byteCount <= rest.count else { break }
            let whole = start..<start + byteCount, content = whole.dropFirst(headerByteCount)
            found.append(Box(kind: file[start + 4..<start + 8], whole: whole, content: content))
            rest = rest.dropFirst(byteCount)
        }
        return found
    }

    private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        let byteCount = headerByteCount + content.count
        return (0..<4).map { UInt8(truncatingIfNeeded: byteCount >> (24 - 8 * $0)) } + Array(kind.utf8) + content
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ byteCount: Int) -> Int {
        bytes[offset..<offset + byteCount].reduce(0) { $0 << 8 | Int($1) }
    }
}
