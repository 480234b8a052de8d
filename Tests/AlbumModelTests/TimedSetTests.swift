import Synchronization
import Testing

@testable import AlbumModel

/// An element that counts how often its bytes are hashed.
private struct CountedElement: TimedElement {
    final class Counter: Sendable {
        private let total = Mutex(0)

        var count: Int { total.withLock(\.self) }

        func add() { total.withLock { $0 += 1 } }
    }

    var dot: Dot
    var clock: ClockReading
    var word: Int
    let counter: Counter

    var group: Int? { word % 7 }

    func update(_ hasher: inout ManifestHasher) {
        counter.add()
        hasher.update(dot)
        hasher.update(word)
    }

    static func == (left: CountedElement, right: CountedElement) -> Bool {
        (left.dot, left.clock, left.word) == (right.dot, right.clock, right.word)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(dot) }
}

/// A timed set holds what a sorted array holds, however many elements it has, and is in digests by what it holds alone.
@Suite struct TimedSetTests {
    private let counter = CountedElement.Counter()

    private func element(_ number: Int, clock: Int, word: Int = 0) -> CountedElement {
        let dot = Dot(replica: Author(UInt8(number % 5 + 1)).replica, sequence: UInt64(number / 5 + 1), branch: 7)
        return CountedElement(
            dot: dot, clock: ClockReading(microseconds: UInt64(clock)), word: word, counter: counter)
    }

    private func hash(_ set: TimedSet<CountedElement>) -> [UInt8] {
        var hasher = ManifestHasher()
        set.update(&hasher)
        return Array(hasher.finalize())
    }

    private func sorted(_ elements: [CountedElement]) -> [CountedElement] {
        elements.sorted { ($0.clock, $0.dot) < ($1.clock, $1.dot) }
    }

    /// Random changes over few and many elements and back, each checked against an array.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func holdsWhatAnArrayHolds(_ seed: UInt64) {
        var random = TestRandom(state: seed)
        var set = TimedSet<CountedElement>()
        var known: [CountedElement] = []
        for step in 0..<600 {
            let isRemoval = Int.random(in: 0..<10, using: &random) < (step / 100 % 2 == 0 ? 2 : 8)
            let new = element(
                Int.random(in: 0..<120, using: &random), clock: Int.random(in: 1...30, using: &random),
                word: Int.random(in: 0..<20, using: &random))
            if isRemoval {
                let dot = known.randomElement(using: &random)?.dot ?? new.dot
                #expect(set.remove(dot) == known.first { $0.dot == dot })
                known.removeAll { $0.dot == dot }
            } else {
                let isNew = !known.contains { $0.dot == new.dot }
                #expect(set.insert(new) == isNew)
                if isNew { known = sorted(known + [new]) }
            }
            #expect(Array(set) == known)
            #expect(set.count == known.count && set.isEmpty == known.isEmpty)
            #expect(set.first == known.first && set.last == known.last)
            #expect(set.latest(5) == known.suffix(5).reversed())
            #expect(set.find(new.dot) == known.first { $0.dot == new.dot })
            #expect(known.indices.allSatisfy { set[$0] == known[$0] })
            for group in 0..<7 {
                #expect(set.elements(of: group, limit: 3) == Array(known.filter { $0.group == group }.prefix(3)))
            }
            let firsts = (0..<7).compactMap { group in known.first { $0.group == group } }
            #expect(set.firstOfGroups(limit: 7) == sorted(firsts))
        }
    }

    /// Sets of the same elements are equal and have one hash, whatever was in them before; others have others.
    @Test(arguments: [0, 3, 5, 8, 9, 40]) func hashesAreOfWhatIsThere(_ count: Int) {
        var random = TestRandom(state: UInt64(count) + 1)
        let elements = (0..<count).map { element($0, clock: 100 - $0, word: $0) }
        let guests = (200..<260).map { element($0, clock: $0) }
        var expected = TimedSet<CountedElement>()
        for element in elements { expected.insert(element) }
        for _ in 0..<5 {
            var other = TimedSet<CountedElement>()
            for element in (elements + guests).shuffled(using: &random) { other.insert(element) }
            for guest in guests.shuffled(using: &random) { other.remove(guest.dot) }
            #expect(other == expected)
            #expect(hash(other) == hash(expected))
        }
        var more = expected
        more.insert(guests[0])
        #expect(more != expected && hash(more) != hash(expected))
        guard let first = elements.first else { return }
        var changed = expected
        changed.remove(first.dot)
        changed.insert(element(0, clock: 100, word: 99))
        #expect(changed != expected && hash(changed) != hash(expected))
    }

    /// Of many elements each is hashed when it comes and when it goes, and never again.
    @Test func eachElementIsHashedOnce() {
        var set = TimedSet<CountedElement>()
        for number in 0..<2000 {
            set.insert(element(number, clock: number))
            _ = hash(set)
        }
        #expect(counter.count < 2000 + 100)
        let before = counter.count
        for number in 0..<2000 where set.count > 100 { set.remove(element(number, clock: 0).dot) }
        #expect(counter.count - before == 1900)
    }

    /// Of too many groups the first of all and some others are listed, the same whatever came first.
    @Test func groupsAreBounded() {
        var one = TimedSet<Photo.Add>()
        var other = TimedSet<Photo.Add>()
        let adds = (1...50).map { number in
            Photo.Add(
                PhotoAddition(
                    album: AlbumName.identifier("Beach"), blob: blob(1), byteCount: 1, pieceListHash: nil, name: "a",
                    mediaType: "", modified: 0),
                Catalog.Origin(
                    dot: Dot(replica: Author(UInt8(number)).replica, sequence: 1, branch: 1),
                    clock: ClockReading(microseconds: UInt64(1000 - number)), author: Author(UInt8(number)).device,
                    received: 0))
        }
        for add in adds { one.insert(add) }
        for add in adds.reversed() { other.insert(add) }
        let listed = one.firstOfGroups(limit: 10)
        #expect(listed == other.firstOfGroups(limit: 10))
        #expect(listed.map(\.author) == [Author(50).device] + (1...9).reversed().map { Author($0).device })
        #expect(one.firstOfGroups(limit: 50).count == 50)
    }

    /// A set is one machine word, so a photo stays as small as it was.
    @Test func fewElementsCostLittle() {
        #expect(MemoryLayout<TimedSet<Photo.Add>>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<Register<String>>.size == 2 * MemoryLayout<Int>.size)
    }
}
