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

/// However many threads come, one group is done at a time, each piece of work once, and each thread is told what became of
/// its own.
@Test func eachThreadIsToldOfItsOwnWork() throws {
    let isUnderWay = Mutex(false)
    let done = Mutex<[Int]>([])
    let overlapCount = Mutex(0)
    let commit = GroupCommit<Int> { group in
        let isAlone = isUnderWay.withLock { isUnderWay in
            defer { isUnderWay = true }
            return !isUnderWay
        }
        if !isAlone { overlapCount.withLock { $0 += 1 } }
        done.withLock { $0 += group }
        isUnderWay.withLock { $0 = false }
        return group.map { $0 % 3 == 0 ? .failed(BlobError(.absent, "\($0)")) : .done }
    }
    try onThreads(12) { thread in
        for number in stride(from: thread, to: 2400, by: 12) {
            do {
                try commit.submit(number)
                if number % 3 == 0 { throw CancellationError() }
            } catch let error as BlobError {
                guard number % 3 == 0, error.message == "\(number)" else { throw CancellationError() }
            }
        }
    }
    #expect(done.withLock { $0.sorted() } == Array(0..<2400))
    #expect(overlapCount.withLock { $0 } == 0)
}
