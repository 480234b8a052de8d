import Synchronization

/// Lets only so many tasks at a time take work and look at files, in the order in which they came.
///
/// Each waiter is a task of the caller's, who bounds the queue.
final class WorkPlaces: Sendable {
    private struct State {
        var freeCount: Int
        /// Those that wait, the first of them first.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) {
        precondition(count > 0, "somebody has a place")
        state = Mutex(State(freeCount: count))
    }

    /// Waits for a place.
    func take() async -> WorkPlace {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.freeCount == 0 else {
                    state.freeCount -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return WorkPlace(in: self)
    }

    /// Whoever waits gets the place itself, so that nobody who comes now is faster.
    fileprivate func passOn() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.freeCount += 1
            return nil
        }
        next?.resume()
    }
}

/// One of the ``WorkPlaces``. Given up once, at the latest with its last reference.
final class WorkPlace: Sendable {
    private let places: WorkPlaces
    private let isHeld = Atomic<Bool>(true)

    fileprivate init(in places: WorkPlaces) {
        self.places = places
    }

    deinit {
        leave()
    }

    func leave() {
        guard isHeld.exchange(false, ordering: .sequentiallyConsistent) else { return }
        places.passOn()
    }
}
