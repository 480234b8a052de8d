/// A value that has its place among others by its key.
protocol SortKeyed: Sendable {
    associatedtype SortKey: Comparable
    var sortKey: SortKey { get }
}

extension AlbumID: SortKeyed { var sortKey: AlbumID { self } }
extension PhotoKey: SortKeyed { var sortKey: PhotoKey { self } }

/// Elements in the order of their keys, each key once.
///
/// They lie in short arrays, so that an insertion or a removal compares the logarithm of their number and moves a few of
/// them: in one array it would move half of them, and of a million each time.
struct SortedChunks<Element: SortKeyed>: Sendable {
    /// Elements of one array: what an insertion moves at most.
    static var chunkCountMax: Int { 128 }

    /// None of them is empty.
    private var chunks: [[Element]] = []
    private(set) var count = 0

    init() {}

    var isEmpty: Bool { count == 0 }
    var first: Element? { chunks.first?.first }
    var last: Element? { chunks.last?.last }
    /// How many arrays there are.
    var chunkCount: Int { chunks.count }

    // MARK: Changes

    /// - Returns: false where the key is there already: the element is left out.
    @discardableResult
    mutating func insert(_ element: Element) -> Bool {
        let place = place { $0.sortKey < element.sortKey }
        guard place.chunk < chunks.count else {
            append(element)
            return true
        }
        guard chunks[place.chunk][place.index].sortKey != element.sortKey else { return false }
        count += 1
        chunks[place.chunk].insert(element, at: place.index)
        if chunks[place.chunk].count > Self.chunkCountMax { split(place.chunk) }
        return true
    }

    /// What comes in order fills its arrays.
    private mutating func append(_ element: Element) {
        count += 1
        // Only counted: whoever holds the array while it grows has it copied.
        guard !chunks.isEmpty, chunks[chunks.count - 1].count < Self.chunkCountMax else {
            return chunks.append([element])
        }
        chunks[chunks.count - 1].append(element)
    }

    private mutating func split(_ chunk: Int) {
        let rest = Array(chunks[chunk][(Self.chunkCountMax / 2)...])
        chunks[chunk].removeLast(rest.count)
        chunks.insert(rest, at: chunk + 1)
    }

    @discardableResult
    mutating func remove(_ key: Element.SortKey) -> Element? {
        let place = place { $0.sortKey < key }
        guard place.chunk < chunks.count, chunks[place.chunk][place.index].sortKey == key else { return nil }
        count -= 1
        let element = chunks[place.chunk].remove(at: place.index)
        if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
        return element
    }

    // MARK: Questions

    func find(_ key: Element.SortKey) -> Element? {
        let place = place { $0.sortKey < key }
        guard place.chunk < chunks.count, chunks[place.chunk][place.index].sortKey == key else { return nil }
        return chunks[place.chunk][place.index]
    }

    func contains(_ key: Element.SortKey) -> Bool { find(key) != nil }

    /// - Parameter isBefore: true of the first elements up to some place, false of all others.
    func firstNotBefore(_ isBefore: (Element) -> Bool) -> Element? {
        let place = place(isBefore)
        return place.chunk < chunks.count ? chunks[place.chunk][place.index] : nil
    }

    /// At most `limit` elements in their order, from the first one of which `isBefore` is not true.
    func elements(_ limit: Int, notBefore isBefore: (Element) -> Bool) -> [Element] {
        var place = place(isBefore)
        var elements: [Element] = []
        while place.chunk < chunks.count, elements.count < limit {
            elements += chunks[place.chunk][place.index...].prefix(limit - elements.count)
            place = Place(chunk: place.chunk + 1, index: 0)
        }
        return elements
    }

    /// At most `limit` of the last elements, the last one first.
    func latest(_ limit: Int) -> [Element] {
        var elements: [Element] = []
        var chunk = chunks.count - 1
        while chunk >= 0, elements.count < limit {
            elements += chunks[chunk].suffix(limit - elements.count).reversed()
            chunk -= 1
        }
        return elements
    }

    /// How many elements come before that of a key; `nil` where there is none, and where those are `limit` or more.
    func rank(of key: Element.SortKey, below limit: Int) -> Int? {
        let place = place { $0.sortKey < key }
        guard place.chunk < chunks.count, chunks[place.chunk][place.index].sortKey == key else { return nil }
        var rank = place.index
        for chunk in chunks[..<place.chunk] {
            guard rank < limit else { return nil }
            rank += chunk.count
        }
        return rank < limit ? rank : nil
    }

    /// The element that so many others come before. It costs a look at each array before it.
    func element(at rank: Int) -> Element? {
        var rest = rank
        for chunk in chunks {
            if chunk.indices.contains(rest) { return chunk[rest] }
            rest -= chunk.count
        }
        return nil
    }

    // MARK: Places

    private struct Place {
        /// The number of arrays for the place after the last element.
        var chunk: Int
        var index: Int
    }

    /// Where the first element lies of which `isBefore` is not true.
    private func place(_ isBefore: (Element) -> Bool) -> Place {
        let chunk = Self.partition(chunks.count) { isBefore(chunks[$0][chunks[$0].count - 1]) }
        guard chunk < chunks.count else { return Place(chunk: chunk, index: 0) }
        return Place(chunk: chunk, index: Self.partition(chunks[chunk].count) { isBefore(chunks[chunk][$0]) })
    }

    /// The first number below `count` of which `isBefore` is not true; `count` where there is none.
    private static func partition(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SortedChunks: Sequence {
    func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { chunks.joined().makeIterator() }
}
