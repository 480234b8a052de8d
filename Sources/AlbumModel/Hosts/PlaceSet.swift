/// A set of small numbers from 0, one bit each.
struct PlaceSet: Hashable, Sendable {
    /// Without zeros at the end, so that equal sets have equal words.
    private var words: [UInt64] = []

    init() {}

    var isEmpty: Bool { words.isEmpty }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Ascending.
    var places: [Int] {
        words.indices.flatMap { word in
            (0..<64).lazy.filter { words[word] & 1 << UInt64($0) != 0 }.map { 64 * word + $0 }
        }
    }

    func contains(_ place: Int) -> Bool {
        place / 64 < words.count && words[place / 64] & 1 << UInt64(place % 64) != 0
    }

    mutating func insert(_ place: Int) {
        grow(to: place / 64 + 1)
        words[place / 64] |= 1 << UInt64(place % 64)
    }

    mutating func formUnion(_ other: PlaceSet) {
        grow(to: other.words.count)
        for (word, bits) in other.words.enumerated() { words[word] |= bits }
    }

    func subtracting(_ other: PlaceSet) -> PlaceSet {
        var rest = self
        for word in 0..<min(words.count, other.words.count) { rest.words[word] &= ~other.words[word] }
        while rest.words.last == 0 { rest.words.removeLast() }
        return rest
    }

    func intersects(_ other: PlaceSet) -> Bool { zip(words, other.words).contains { $0 & $1 != 0 } }

    private mutating func grow(to count: Int) {
        if words.count < count { words += [UInt64](repeating: 0, count: count - words.count) }
    }
}
