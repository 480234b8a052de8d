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
            state.withLock { $0.waiters.append(continuation) }
            dispatch()
        }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        dispatch()
    }

    /// What is to be done about something that happened.
    func handle(_ input: FolderInput) -> [FolderDirective] {
        let directives = state.withLock { $0.judge.handle(input, now: .now) }
        dispatch()
        return directives
    }

    func read<Result: Sendable>(_ body: (FolderJudge) -> Result) -> Result { state.withLock { body($0.judge) } }

    /// The same facts with the values that are known now.
    func newest(_ changes: [FactChange]) -> [FactChange] {
        read { $0.newest(changes) }
    }

    func change<Result: Sendable>(_ body: (inout FolderJudge, MonotonicInstant) -> Result) -> Result {
        let result = state.withLock { body(&$0.judge, .now) }
        dispatch()
        return result
    }

    func touched(_ path: FolderPath) {
        change { $0.schedule.noticed(touched: [path], vanished: [], isLive: true, now: $1) }
    }

    func rescan() { change { $0.schedule.rescan(now: $1) } }

    func judgeSoon() { change { $0.schedule.judgeSoon(now: $1) } }

    func awaitSync() { change { $0.schedule.awaitSync(now: $1) } }

    /// Gives work that is due to those who wait.
    private func dispatch() {
        let (handed, isEarlier) = state.withLock { state in
            var handed: [(CheckedContinuation<FolderDirective?, Never>, FolderDirective?)] = []
            let now = MonotonicInstant.now
            while !state.waiters.isEmpty {
                let work = state.isStopped ? nil : state.judge.next(now: now)
                if work == nil, !state.isStopped { break }
                handed.append((state.waiters.removeLast(), work))
            }
            guard let deadline = state.deadline else { return (handed, false) }
            return (handed, state.announced.map { deadline < $0 } ?? true)
        }
        for (waiter, work) in handed { waiter.resume(returning: work) }
        if isEarlier { wake() }
    }
}
