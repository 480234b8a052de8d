import Glibc
import Synchronization

/// Lets only so many threads at a time do what takes a processor, in the order in which they came; and while somebody
/// else needs it more, a fifth of the time.
///
/// Each waiter is a thread of the caller's pool, which bounds the queue.
final class ProcessorTurns: Sendable {
    private struct State {
        var freeCount: Int
        /// Those that wait, the first of them first; true once it is their turn.
        var waiting: [Monitor<Bool>] = []
    }

    private let state: Mutex<State>
    private let isYielding = Atomic(false)

    init(count: Int) {
        precondition(count > 0, "somebody has a turn")
        state = Mutex(State(freeCount: count))
    }

    /// Does the work once it is the caller's turn.
    func perform<Value>(_ work: () throws -> Value) rethrows -> Value {
        wait()
        defer { passOn() }
        let start = ContinuousClock.now
        defer { rest(since: start) }
        return try work()
    }

    /// Tells whether others need the processor more, from now on.
    func yield(_ isYielding: Bool) { self.isYielding.store(isYielding, ordering: .relaxed) }

    /// Keeps the turn for a while in which nothing is done.
    private func rest(since start: ContinuousClock.Instant) {
        guard isYielding.load(ordering: .relaxed) else { return }
        let workEnd = ContinuousClock.now
        let end = workEnd + Self.rest(after: workEnd - start)
        while isYielding.load(ordering: .relaxed), ContinuousClock.now < end { usleep(500) }
    }

    /// While others need the processor more, a turn is followed by a rest four times as long; but not by a long one, since
    /// it may have waited for a disk.
    static func rest(after work: Duration) -> Duration { min(work * 4, .milliseconds(50)) }

    private func wait() {
        let waiter = state.withLock { state -> Monitor<Bool>? in
            guard state.freeCount == 0 else {
                state.freeCount -= 1
                return nil
            }
            let waiter = Monitor(false)
            state.waiting.append(waiter)
            return waiter
        }
        waiter?.wait { $0 ? () : nil }
    }

    /// Whoever waits gets the turn itself, so that nobody who comes now is faster.
    private func passOn() {
        let next = state.withLock { state -> Monitor<Bool>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.freeCount += 1
            return nil
        }
        next?.withLock { $0 = true }
    }
}
