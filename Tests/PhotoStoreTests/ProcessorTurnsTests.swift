import Glibc
import StoreProbe
import Synchronization
import Testing

@testable import PhotoStore

/// Of many threads that want one, only so many have a turn at a time, and all have theirs.
@Test(arguments: [1, 2, 9])
func turnsAreLimited(count: Int) throws {
    let turns = ProcessorTurns(count: count)
    let insideCount = Mutex(0)
    let insideCountMax = Mutex(0)
    let doneCount = Mutex(0)
    try onThreads(8) { _ in
        for _ in 0..<200 {
            turns.perform {
                let inside = insideCount.withLock { count in
                    count += 1
                    return count
                }
                insideCountMax.withLock { $0 = max($0, inside) }
                sched_yield()
                insideCount.withLock { $0 -= 1 }
                doneCount.withLock { $0 += 1 }
            }
        }
    }
    #expect(insideCountMax.withLock { $0 } <= count)
    #expect(doneCount.withLock { $0 } == 8 * 200)
}

/// Work that fails passes its turn on.
@Test func turnsEndWithAnError() {
    let turns = ProcessorTurns(count: 1)
    #expect(throws: CancellationError.self) { try turns.perform { () throws -> Void in throw CancellationError() } }
    #expect(turns.perform { 7 } == 7)
}

/// Whoever had a turn while others need the processor more rests before the next one, for as long as four turns.
@Test func turnsAreFollowedByRests() throws {
    let turns = ProcessorTurns(count: 1)
    turns.yield(true)
    var took = Duration.zero
    let clock = ContinuousClock()
    let all = clock.measure {
        for _ in 0..<5 {
            turns.perform {
                let start = clock.now
                while clock.now - start < .milliseconds(2) {}
                took += clock.now - start
            }
        }
    }
    #expect(all >= took * 5)
}

/// A turn that waited for a disk is followed by no long rest.
@Test func restsAreShort() {
    #expect(ProcessorTurns.rest(after: .milliseconds(2)) == .milliseconds(8))
    #expect(ProcessorTurns.rest(after: .seconds(30)) == .milliseconds(50))
}

/// Files that several threads take in at once, more of them than there are turns, all become blobs.
@Test func ingestFromManyThreads() throws {
    let home = TemporaryHome()
    let store = try home.store()
    let cuts = (0..<6).map { Cut(Samples.bytes((2 << 20) + $0, seed: 200 + UInt64($0))) }
    for (number, cut) in cuts.enumerated() { _ = try home.write(cut.pieces.flatMap { $0 }, to: "\(number).jpg") }
    try onThreads(6) { thread in _ = try store.ingest(path: home.path + "/\(thread).jpg") }
    #expect(store.held() == Dictionary(uniqueKeysWithValues: cuts.map { ($0.id, $0.byteCount) }))
}
