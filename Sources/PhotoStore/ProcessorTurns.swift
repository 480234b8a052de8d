import Synchronization

/// Lets only so many threads at a time do what takes a processor, in the order in which they came.
///
/// Each waiter is a thread of the caller's pool, which bounds the queue.
final class ProcessorTurns: Sendable {
    private struct State {
        var freeCount: Int
        /// Those that wait, the first of them first; true once it is their turn.
        var waiting: [Monitor<Bool>] = []
    }

    private let state: Mutex<State>

    init(count: Int) {
        precondition(count > 0, "somebody has a turn")
        state = Mutex(State(freeCount: count))
    }

    /// Does the work once it is the caller's turn.
    func perform<Value>(_ work: () throws -> Value) rethrows -> Value {
        wait()
        defer { passOn() }
        return try work()
    }

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
