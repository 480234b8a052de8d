import AlbumModel
import FolderEngine
import Synchronization

/// A lock around the ``FolderJudge``, which decides, and hands out its work to those who wait for some.
final class WorkQueue: Sendable {
    private struct State {
        var judge: FolderJudge
        var isStopped = false
        var waiters: [CheckedContinuation<FolderDirective?, Never>] = []
        /// When ``tick()`` said that it wants to be called next.
        var announced: MonotonicInstant?

        /// When time alone makes work for somebody who waits.
        var deadline: MonotonicInstant? { waiters.isEmpty ? nil : judge.nextDeadline }

        /// Takes work that is due, for those who wait.
        mutating func takeDue() -> Due {
            var due = Due()
            let now = MonotonicInstant.now
            while !waiters.isEmpty {
                let work = isStopped ? nil : judge.next(now: now)
                if work == nil, !isStopped { break }
                due.handed.append((waiters.removeLast(), work))
            }
            if let deadline { due.isEarlier = announced.map { deadline < $0 } ?? true }
            return due
        }
    }

    /// What is to be done outside the lock.
    private struct Due {
        var handed: [(waiter: CheckedContinuation<FolderDirective?, Never>, work: FolderDirective?)] = []
        /// Whether ``tick()`` should be called earlier than it said.
        var isEarlier = false
    }

    private let state: Mutex<State>
    /// Called, outside the lock, when ``tick()`` should be called earlier than it said.
    private let wake: @Sendable () -> Void

    init(_ judge: FolderJudge, wake: @escaping @Sendable () -> Void) {
        state = Mutex(State(judge: judge))
        self.wake = wake
    }

    /// Gives out what time has made due; answers when to be called next.
    func tick() -> MonotonicInstant? {
        dispatch()
        return state.withLock { state in
            state.announced = state.deadline
            return state.announced
        }
    }

    /// Waits for work; `nil` once stopped.
    func next() async -> FolderDirective? {
        await withCheckedContinuation { continuation in
            let due = state.withLock { state in
                state.waiters.append(continuation)
                return state.takeDue()
            }
            handOut(due)
        }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        dispatch()
    }

    /// What is to be done about something that happened.
    func handle(_ input: FolderInput) -> [FolderDirective] { change { $0.handle(input, now: $1) } }

    func read<Result: Sendable>(_ body: (FolderJudge) -> Result) -> Result { state.withLock { body($0.judge) } }

    /// The same facts with the values that are known now.
    func newest(_ changes: [FactChange]) -> [FactChange] {
        read { $0.newest(changes) }
    }

    func change<Result: Sendable>(_ body: (inout FolderJudge, MonotonicInstant) -> Result) -> Result {
        let (result, due) = state.withLock { state in (body(&state.judge, .now), state.takeDue()) }
        handOut(due)
        return result
    }

    func touched(_ path: FolderPath) {
        change { $0.schedule.noticed(touched: [path], vanished: [], isLive: true, now: $1) }
    }

    func rescan() { change { $0.schedule.rescan(now: $1) } }

    func judgeSoon() { change { $0.schedule.judgeSoon(now: $1) } }

    func awaitSync() { change { $0.schedule.awaitSync(now: $1) } }

    /// Gives work that is due to those who wait.
    private func dispatch() { handOut(state.withLock { $0.takeDue() }) }

    private func handOut(_ due: Due) {
        for (waiter, work) in due.handed { waiter.resume(returning: work) }
        if due.isEarlier { wake() }
    }
}
