/// Makes HEIF files of newer phones readable to libheif before 1.17.
///
/// Since the iPhone 15, a tone map belongs to two images at once, and so do the metadata. These releases take a
/// reference from one item to several for an error ("Too many auxiliary image references", "Metadata not correctly
/// assigned to image") and refuse the whole file. Nothing of a picture hangs on these references, so a copy of the file
/// in memory gets its list of references (the box `iref` of ISO/IEC 14496-12, 8.11.12) written anew in the same
/// length, each of metadata with its first target only, and none of auxiliary images that has several.
enum HEIFRepair {
    private struct Reference {
        var kind: [UInt8]
        var from: Int
        var to: [Int]

        var byteCount: Int { 12 + 2 * to.count }

        var bytes: [UInt8] {
            Self.number(byteCount, 4) + kind + Self.number(from, 2) + Self.number(to.count, 2)
                + to.flatMap { Self.number($0, 2) }
        }

        static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
            (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
    }

    private static let referenceCountMax = 4096

    /// `nil` if there is nothing to repair, or nothing that can be.
    static func repaired(_ file: [UInt8]) -> [UInt8]? {
        guard let list = listOfReferences(file), let old = references(file, list) else { return nil }
        var new: [Reference] = []
        for reference in old {
            if reference.to.count > 1, reference.kind == Array("auxl".utf8) { continue }
            var kept = reference
            if reference.kind == Array("cdsc".utf8) { kept.to = Array(reference.to.prefix(1)) }
            new.append(kept)
        }
        let freed = list.count - new.reduce(0) { $0 + $1.byteCount }
        guard freed >= 12, freed.isMultiple(of: 2) else { return nil }
        // A kind that nobody knows fills what was freed.
        new.append(Reference(kind: Array("skip".utf8), from: 0, to: Array(repeating: 0, count: (freed - 12) / 2)))
        var repaired = file
        repaired.replaceSubrange(list, with: new.flatMap(\.bytes))
        return repaired
    }

    /// Where the references stand, that is the content of `meta`/`iref` of version 0, which has numbers of 16 bits.
    private static func listOfReferences(_ file: [UInt8]) -> Range<Int>? {
        guard let meta = box("meta", in: 0..<file.count, of: file), meta.count > 4,
            let list = box("iref", in: meta.dropFirst(4), of: file), list.count > 4, file[list.lowerBound] == 0
        else { return nil }
        return list.dropFirst(4)
    }

    /// The content of the first such box; boxes without a size, or of more than 32 bits, end the search.
    private static func box(_ kind: String, in range: Range<Int>, of file: [UInt8]) -> Range<Int>? {
        var rest = range
        while rest.count >= 8 {
            let byteCount = number(file, rest.lowerBound, 4)
            guard byteCount >= 8, byteCount <= rest.count else { return nil }
            let start = rest.lowerBound
            if file[start + 4..<start + 8].elementsEqual(kind.utf8) { return start + 8..<start + byteCount }
            rest = rest.dropFirst(byteCount)
        }
        return nil
    }

    private static func references(_ file: [UInt8], _ list: Range<Int>) -> [Reference]? {
        var found: [Reference] = [], rest = list
        while !rest.isEmpty {
            guard rest.count >= 12, found.count < referenceCountMax else { return nil }
            let start = rest.lowerBound, count = number(file, start + 10, 2)
            guard number(file, start, 4) == 12 + 2 * count, 12 + 2 * count <= rest.count else { return nil }
            let targets = (0..<count).map { number(file, start + 12 + 2 * $0, 2) }
            found.append(
                Reference(kind: Array(file[start + 4..<start + 8]), from: number(file, start + 8, 2), to: targets))
            rest = rest.dropFirst(12 + 2 * count)
        }
        return found
    }

    private static func number(_ file: [UInt8], _ offset: Int, _ byteCount: Int) -> Int {
        file[offset..<offset + byteCount].reduce(0) { $0 << 8 | Int($1) }
    }
}
