import Synchronization
import Testing

@testable import PhotoStore

/// Work that comes while a group is under way goes together in the next one; each has its own outcome, and what comes
/// alone goes alone.
@Test func workThatQueuesUpGoesTogether() throws {
    let groups = Mutex<[[Int]]>([])
    let isFirstUnderWay = Monitor(false)
    let arrived = Monitor(0)
    let commit = GroupCommit<Int> { group in
        groups.withLock { $0.append(group) }
        if group == [0] {
            isFirstUnderWay.withLock { $0 = true }
            // The first group lasts until all others are about to queue up.
            arrived.wait { $0 == 8 ? () : nil }
        }
        return group.map { $0 == 5 ? .failed(BlobError(.absent, "five")) : .done }
    }
    let failed = Mutex<[Int]>([])
    try onThreads(9) { number in
        if number > 0 {
            isFirstUnderWay.wait { $0 ? () : nil }
            arrived.withLock { $0 += 1 }
        }
        do {
            try commit.submit(number)
        } catch {
            failed.withLock { $0.append(number) }
        }
    }
    let seen = groups.withLock { $0 }
    #expect(seen.first == [0])
    #expect(seen.flatMap { $0 }.sorted() == Array(0...8))
    #expect(failed.withLock { $0 } == [5])
    try commit.submit(9)
    #expect(groups.withLock { $0.last } == [9])
}
