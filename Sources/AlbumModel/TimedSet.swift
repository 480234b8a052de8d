import Crypto

/// When a change was made: of two changes the later one has the greater clock, or the greater dot at one time.
struct ChangeTime: Hashable, Comparable, SortKeyed {
    var clock: ClockReading
    var dot: Dot

    init(clock: ClockReading, dot: Dot) {
        self.clock = clock
        self.dot = dot
    }

    init(_ element: some TimedElement) {
        self.init(clock: element.clock, dot: element.dot)
    }

    var sortKey: ChangeTime { self }

    static func < (left: ChangeTime, right: ChangeTime) -> Bool {
        (left.clock, left.dot) < (right.clock, right.dot)
    }
}

/// What one change put somewhere: a value into a register, an add into a set.
public protocol TimedElement: Hashable, Sendable {
    /// What several elements may have in common that are shown as one.
    associatedtype Group: Comparable & Sendable
    var dot: Dot { get }
    var clock: ClockReading { get }
    /// `nil` where every element is shown by itself.
    var group: Group? { get }
    /// Bytes that tell it from every other one.
    func update(_ hasher: inout ManifestHasher)
}

/// Elements in the order of time, each found by its dot: the first one comes first.
///
/// Nearly all sets have a few elements, in one array. Sets of more are kept so that no step costs more than the logarithm of
/// their number: a million people may say something of one photo at once.
public struct TimedSet<Element: TimedElement>: Hashable, Sendable {
    /// More than so many are kept in another way, and are in digests by the sum of their hashes.
    static var fewCountMax: Int { 8 }

    private enum Storage: Sendable {
        /// In the order of time.
        case few([Element])
        indirect case many(ManyTimed<Element>)
    }

    private var storage = Storage.few([])

    public init() {}

    public var count: Int {
        switch storage {
        case .few(let few): few.count
        case .many(let many): many.count
        }
    }

    public var isEmpty: Bool { count == 0 }

    /// The earliest.
    public var first: Element? {
        switch storage {
        case .few(let few): few.first
        case .many(let many): many.first
        }
    }

    /// The latest.
    public var last: Element? {
        switch storage {
        case .few(let few): few.last
        case .many(let many): many.last
        }
    }

    /// The element that `rank` others come before, which must be fewer than all.
    public subscript(rank: Int) -> Element {
        switch storage {
        case .few(let few): few[rank]
        case .many(let many): many.element(at: rank)!
        }
    }

    func find(_ dot: Dot) -> Element? {
        switch storage {
        case .few(let few): few.first { $0.dot == dot }
        case .many(let many): many.find(dot)
        }
    }

    /// At most `limit` of the latest, the last one first.
    func latest(_ limit: Int) -> [Element] {
        switch storage {
        case .few(let few): few.suffix(limit).reversed()
        case .many(let many): many.latest(limit)
        }
    }

    // MARK: Groups

    /// At most `limit` of the first elements of a group.
    func elements(of group: Element.Group, limit: Int) -> [Element] {
        switch storage {
        case .few(let few): Array(few.filter { $0.group == group }.prefix(limit))
        case .many(let many): many.elements(of: group, limit: limit)
        }
    }

    /// The least group that is not less than `group`.
    func firstGroup(notBefore group: Element.Group) -> Element.Group? {
        switch storage {
        case .few(let few): few.lazy.compactMap(\.group).filter { $0 >= group }.min()
        case .many(let many): many.firstGroup(notBefore: group)
        }
    }

    /// The first element of each group, in the order of time. Of more than `limit` groups that which has the first of all
    /// elements and the least others.
    func firstOfGroups(limit: Int) -> [Element] {
        switch storage {
        case .few(let few):
            var groups: [Element.Group?] = []
            return few.filter { element in
                let group = element.group
                guard !groups.contains(where: { $0 == group }) else { return false }
                groups.append(group)
                return true
            }
        case .many(let many): return many.firstOfGroups(limit: limit)
        }
    }

    // MARK: Changes

    /// - Parameter isSorted: false puts it after all others, where it does not belong.
    /// - Returns: false where an element of this dot is there already: the new one is left out.
    @discardableResult
    mutating func insert(_ element: Element, isSorted: Bool = true) -> Bool {
        if var many = takeMany() {
            let isNew = many.insert(element)
            storage = .many(many)
            return isNew
        }
        var few = takeFew()
        let isNew = !few.contains { $0.dot == element.dot }
        if isNew {
            let place = isSorted ? few.firstIndex { ChangeTime(element) < ChangeTime($0) } : nil
            few.insert(element, at: place ?? few.endIndex)
        }
        storage = few.count > Self.fewCountMax ? .many(ManyTimed(few)) : .few(few)
        return isNew
    }

    @discardableResult
    mutating func remove(_ dot: Dot) -> Element? {
        if var many = takeMany() {
            let removed = many.remove(dot)
            // Not at once when it is few again: else it could change its kind with every step.
            storage = many.count > Self.fewCountMax / 2 ? .many(many) : .few(many.latest(many.count).reversed())
            return removed
        }
        guard case .few(let known) = storage, let index = known.firstIndex(where: { $0.dot == dot }) else { return nil }
        return removeFew(at: index)
    }

    private mutating func removeFew(at index: Int) -> Element {
        var few = takeFew()
        defer { storage = .few(few) }
        return few.remove(at: index)
    }

    /// Takes the elements out, so that nobody else refers to their arrays while they change: else they would be copied.
    private mutating func takeMany() -> ManyTimed<Element>? {
        guard case .many(let many) = storage else { return nil }
        storage = .few([])
        return many
    }

    private mutating func takeFew() -> [Element] {
        guard case .few(let few) = storage else { return [] }
        storage = .few([])
        return few
    }

    /// The same bytes for the same elements, whichever came or went before.
    func update(_ hasher: inout ManifestHasher) {
        hasher.update(UInt64(count))
        switch storage {
        case .few(let few): for element in few { element.update(&hasher) }
        case .many(let many) where many.count > Self.fewCountMax: hasher.update(raw: many.sum.bytes)
        case .many: for element in self { element.update(&hasher) }
        }
    }

    public static func == (left: TimedSet, right: TimedSet) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(last?.dot)
    }
}

extension TimedSet: Sequence {
    public struct Iterator: IteratorProtocol {
        private var few: IndexingIterator<[Element]>
        private var times: SortedChunks<ChangeTime>.Iterator?
        private let many: ManyTimed<Element>?

        fileprivate init(few: [Element], many: ManyTimed<Element>?) {
            self.few = few.makeIterator()
            self.many = many
            times = many?.times.makeIterator()
        }

        public mutating func next() -> Element? {
            guard let many else { return few.next() }
            return times?.next().flatMap { many.find($0.dot) }
        }
    }

    public func makeIterator() -> Iterator {
        switch storage {
        case .few(let few): Iterator(few: few, many: nil)
        case .many(let many): Iterator(few: [], many: many)
        }
    }
}

extension TimedSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) {
        for element in elements { insert(element) }
    }
}

/// Elements by their dots, with their order in time and by groups.
private struct ManyTimed<Element: TimedElement>: Sendable {
    private struct ByDot: SortKeyed {
        var element: Element

        var sortKey: Dot { element.dot }
    }

    private struct ByGroup: Comparable, SortKeyed {
        var group: Element.Group
        var time: ChangeTime

        var sortKey: ByGroup { self }

        static func < (left: ByGroup, right: ByGroup) -> Bool {
            left.group == right.group ? left.time < right.time : left.group < right.group
        }
    }

    private var elements = SortedChunks<ByDot>()
    private(set) var times = SortedChunks<ChangeTime>()
    private var groups = SortedChunks<ByGroup>()
    private(set) var sum = HashSum()

    init(_ elements: [Element]) {
        for element in elements { insert(element) }
    }

    var count: Int { elements.count }
    var first: Element? { times.first.flatMap { find($0.dot) } }
    var last: Element? { times.last.flatMap { find($0.dot) } }

    func find(_ dot: Dot) -> Element? { elements.find(dot)?.element }

    func element(at rank: Int) -> Element? { times.element(at: rank).flatMap { find($0.dot) } }

    func latest(_ limit: Int) -> [Element] { times.latest(limit).compactMap { find($0.dot) } }

    func elements(of group: Element.Group, limit: Int) -> [Element] {
        groups.elements(limit) { $0.group < group }.prefix { $0.group == group }.compactMap { find($0.time.dot) }
    }

    func firstGroup(notBefore group: Element.Group) -> Element.Group? {
        groups.firstNotBefore { $0.group < group }?.group
    }

    func firstOfGroups(limit: Int) -> [Element] {
        var found: [ChangeTime] = []
        var next = groups.first
        while let first = next, found.count < limit {
            found.append(first.time)
            next = groups.firstNotBefore { $0.group <= first.group }
        }
        if let first = times.first, next != nil, !found.isEmpty, !found.contains(first) {
            found[found.count - 1] = first
        }
        return found.sorted().compactMap { find($0.dot) }
    }

    @discardableResult
    mutating func insert(_ element: Element) -> Bool {
        guard elements.insert(ByDot(element: element)) else { return false }
        let time = ChangeTime(element)
        times.insert(time)
        if let group = element.group { groups.insert(ByGroup(group: group, time: time)) }
        sum.insert(Self.hash(element))
        return true
    }

    mutating func remove(_ dot: Dot) -> Element? {
        guard let element = elements.remove(dot)?.element else { return nil }
        let time = ChangeTime(element)
        times.remove(time)
        if let group = element.group { groups.remove(ByGroup(group: group, time: time)) }
        sum.remove(Self.hash(element))
        return element
    }

    private static func hash(_ element: Element) -> SHA256Digest {
        var hasher = ManifestHasher()
        element.update(&hasher)
        return hasher.finalize()
    }
}
