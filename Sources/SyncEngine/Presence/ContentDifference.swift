import WireFormat

/// How one content differs from another, as pieces of the other and what is new.
enum ContentDifference {
    /// The older content is looked for in words of so many bytes …
    private static let wordByteCount = 8
    /// … and a shorter common run is not worth a piece.
    private static let runByteCountMin = 16

    /// Pieces that make `content` of `base`: the more alike both are, the fewer and shorter.
    static func pieces(of content: [UInt8], from base: [UInt8]) -> [SummaryDifference.Piece] {
        let places = words(of: base)
        var pieces: [SummaryDifference.Piece] = []
        var added: [UInt8] = []
        var copied = 0..<0
        var index = 0
        // What follows a change is mostly where it would be without it: that is looked at before the words.
        while index < content.count {
            let next = run(content, index, base, copied.upperBound + added.count)
            let elsewhere = word(content, index).flatMap { places[$0] }
            guard let found = next ?? elsewhere.flatMap({ run(content, index, base, $0) }) else {
                added.append(content[index])
                index += 1
                continue
            }
            if !copied.isEmpty || !added.isEmpty { pieces.append(.init(copied: copied, added: added)) }
            (copied, added) = (found, [])
            index += found.count
        }
        pieces.append(.init(copied: copied, added: added))
        return pieces
    }

    /// `nil` where a piece names bytes that the base does not have.
    static func content(_ pieces: [SummaryDifference.Piece], of base: [UInt8]) -> [UInt8]? {
        var content: [UInt8] = []
        content.reserveCapacity(pieces.reduce(0) { $0 + $1.copied.count + $1.added.count })
        for piece in pieces {
            guard piece.copied.upperBound <= base.count else { return nil }
            content += base[piece.copied]
            content += piece.added
        }
        return content
    }

    /// The bytes of `base` from `place` on that `content` has from `index` on; `nil` for a few.
    private static func run(_ content: [UInt8], _ index: Int, _ base: [UInt8], _ place: Int) -> Range<Int>? {
        var count = 0
        while index + count < content.count, place + count < base.count, content[index + count] == base[place + count] {
            count += 1
        }
        return count >= runByteCountMin ? place..<place + count : nil
    }

    /// Where each whole word of the base is first found.
    private static func words(of base: [UInt8]) -> [UInt64: Int] {
        var places: [UInt64: Int] = [:]
        for place in stride(from: 0, to: base.count, by: wordByteCount) {
            if let word = word(base, place), places[word] == nil { places[word] = place }
        }
        return places
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> UInt64? {
        guard index + wordByteCount <= bytes.count else { return nil }
        return bytes[index..<index + wordByteCount].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
