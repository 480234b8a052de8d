import Synchronization
import Testing

@testable import SharedFolder

/// Work on several things at a time.
@Suite(.timeLimit(.minutes(1))) struct ConcurrentMapTests {
    private struct Refusal: Error {}

    /// Lets work go on once so many pieces of it are under way.
    private final class Gathering: Sendable {
        private struct State {
            var underWayCount = 0
            var mostCount = 0
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let count: Int
        private let state = Mutex(State())

        init(of count: Int) { self.count = count }

        /// The most that were under way at one time.
        var mostCount: Int { state.withLock { $0.mostCount } }

        func join() async {
            await withCheckedContinuation { continuation in
                let all = state.withLock { state in
                    state.underWayCount += 1
                    state.mostCount = Swift.max(state.mostCount, state.underWayCount)
                    state.waiting.append(continuation)
                    guard state.waiting.count == count else { return [CheckedContinuation<Void, Never>]() }
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for one in all { one.resume() }
            }
            state.withLock { $0.underWayCount -= 1 }
        }
    }

    /// So many are under way at a time, and no more; what comes of them is in their order. Catches work one after the other,
    /// which never comes to an end here.
    @Test func someAreUnderWayAtATime() async throws {
        let gathering = Gathering(of: 4)
        let values = try await (0..<40).concurrentMap(atMost: 4) { number in
            await gathering.join()
            return 2 * number
        }
        #expect(values == (0..<40).map { 2 * $0 })
        #expect(gathering.mostCount == 4)
        let none = try await [Int]().concurrentMap(atMost: 4) { $0 }
        #expect(none.isEmpty)
        let few = try await [7, 8].concurrentMap(atMost: 4) { $0 }
        #expect(few == [7, 8])
    }

    /// Where one fails, those that were begun end first, and no other is begun.
    @Test func theFirstFailureEndsIt() async throws {
        let begun = Mutex<[Int]>([])
        let ended = Mutex<[Int]>([])
        await #expect(throws: Refusal.self) {
            _ = try await (0..<100).concurrentMap(atMost: 2) { number in
                begun.withLock { $0.append(number) }
                defer { ended.withLock { $0.append(number) } }
                if number == 1 { throw Refusal() }
                await Task.yield()
            }
        }
        #expect(begun.withLock { $0.sorted() } == ended.withLock { $0.sorted() })
        #expect(begun.withLock { $0.count } < 100)
    }
}
