import Synchronization
import Testing

@testable import AlbumModel

/// Numbers that count how often they are compared.
private struct CountedNumber: SortKeyed, Comparable {
    final class Counter: Sendable {
        private let total = Mutex(0)

        var count: Int { total.withLock(\.self) }

        func add() { total.withLock { $0 += 1 } }
    }

    var number: Int
    let counter: Counter

    var sortKey: CountedNumber { self }

    static func == (left: CountedNumber, right: CountedNumber) -> Bool { left.number == right.number }

    static func < (left: CountedNumber, right: CountedNumber) -> Bool {
        left.counter.add()
        return left.number < right.number
    }
}

/// Sorted chunks hold what a sorted array holds, and no step costs more than the logarithm of it.
@Suite struct SortedChunksTests {
    private func chunks(_ numbers: [Int], _ counter: CountedNumber.Counter) -> SortedChunks<CountedNumber> {
        var chunks = SortedChunks<CountedNumber>()
        for number in numbers { chunks.insert(CountedNumber(number: number, counter: counter)) }
        return chunks
    }

    /// Random insertions and removals, each checked against an array.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func holdsWhatAnArrayHolds(_ seed: UInt64) {
        var random = TestRandom(state: seed)
        let counter = CountedNumber.Counter()
        var chunks = SortedChunks<CountedNumber>()
        var numbers: [Int] = []
        func key(_ number: Int) -> CountedNumber { CountedNumber(number: number, counter: counter) }
        for step in 0..<2500 {
            // It grows, and then becomes empty.
            let isRemoval = Int.random(in: 0..<10, using: &random) < (step < 1500 ? 3 : 8)
            let known = numbers.randomElement(using: &random)
            let number = isRemoval ? known ?? 0 : Int.random(in: 0..<2000, using: &random)
            let place = numbers.firstIndex { $0 >= number } ?? numbers.endIndex
            let isThere = place < numbers.endIndex && numbers[place] == number
            if isRemoval {
                #expect((chunks.remove(key(number)) != nil) == isThere)
                if isThere { numbers.remove(at: place) }
            } else {
                #expect(chunks.insert(key(number)) == !isThere)
                if !isThere { numbers.insert(number, at: place) }
            }
            #expect(chunks.count == numbers.count && chunks.isEmpty == numbers.isEmpty)
            #expect(chunks.first?.number == numbers.first && chunks.last?.number == numbers.last)
            guard step % 50 == 0 else { continue }
            #expect(chunks.map(\.number) == numbers)
            #expect(chunks.latest(70).map(\.number) == numbers.suffix(70).reversed())
            let rest = chunks.elements(200) { $0.number < number }
            #expect(rest.map(\.number) == Array(numbers.filter { $0 >= number }.prefix(200)))
            #expect(chunks.firstNotBefore { $0.number <= number }?.number == numbers.first { $0 > number })
            for (rank, number) in numbers.enumerated() {
                #expect(chunks.element(at: rank)?.number == number)
                #expect(chunks.rank(of: key(number), below: 100) == (rank < 100 ? rank : nil))
                #expect(chunks.contains(key(number)))
            }
            #expect(chunks.element(at: numbers.count) == nil)
            #expect(!chunks.contains(key(-1)) && chunks.rank(of: key(-1), below: 9) == nil)
        }
    }

    /// Orders in which somebody may send things so that it costs others most.
    private static let orders: [@Sendable (Int) -> [Int]] = [
        { Array(0..<$0) }, { Array((0..<$0).reversed()) },
        // From both ends to the middle, and from the middle to both ends.
        { count in (0..<count).map { $0 % 2 == 0 ? $0 / 2 : count - 1 - $0 / 2 } },
        { count in (0..<count).reversed().map { $0 % 2 == 0 ? $0 / 2 : count - 1 - $0 / 2 } },
        // Each next one just behind a full chunk.
        { count in Array(0..<128) + Array((128..<count).reversed()) },
        { count in
            var random = TestRandom(state: 1)
            return (0..<count).shuffled(using: &random)
        },
    ]

    /// Comparisons grow as n log n, and chunks are full by half at least: an insertion moves one chunk, and one place of
    /// each chunk behind it.
    @Test(arguments: 0..<6) func stepsCostTheLogarithm(_ order: Int) {
        for count in [4000, 8000] {
            let counter = CountedNumber.Counter()
            var chunks = chunks(Self.orders[order](count), counter)
            let most = 2 + Int.bitWidth - count.leadingZeroBitCount
            #expect(counter.count <= count * most, "\(count) insertions")
            #expect(chunks.count == count)
            #expect(chunks.chunkCount <= 2 * count / SortedChunks<CountedNumber>.chunkCountMax + 2)
            let before = counter.count
            for number in Self.orders[order](count) { chunks.remove(CountedNumber(number: number, counter: counter)) }
            #expect(counter.count - before <= count * most, "\(count) removals")
            #expect(chunks.isEmpty && chunks.chunkCount == 0)
        }
    }
}
