import AlbumModel
import FolderEngine
import Synchronization

/// Hands out the folder's work to those who wait for some: a lock around the ``WorkSchedule``, which decides.
final class WorkQueue: Sendable {
    private struct State {
        var schedule: WorkSchedule
        var isStopped = false
        var waiters: [CheckedContinuation<WorkSchedule.Work?, Never>] = []
        /// When ``tick()`` said that it wants to be called next.
        var announced: MonotonicInstant?

        /// When time alone makes work for somebody who waits.
        var deadline: MonotonicInstant? { waiters.isEmpty ? nil : schedule.deadline }
    }

    private let state: Mutex<State>
    /// Called, outside the lock, when ``tick()`` should be called earlier than it said.
    private let wake: @Sendable () -> Void

    init(settings: FolderSettings, wake: @escaping @Sendable () -> Void) {
        let schedule = WorkSchedule(
            patience: settings.patience, judging: settings.judging, syncInterval: settings.syncInterval,
            eventCountMax: settings.eventCountMax, now: .now)
        state = Mutex(State(schedule: schedule))
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
    func next() async -> WorkSchedule.Work? {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiters.append(continuation) }
            dispatch()
        }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        dispatch()
    }

    func touched(_ paths: [FolderPath], isLive: Bool) {
        noticed(touched: paths, vanished: [], isLive: isLive)
    }

    func noticed(touched: [FolderPath], vanished: [FolderPath], isLive: Bool, isVanishTold: Bool? = nil) {
        if touched.isEmpty, vanished.isEmpty { return }
        change {
            $0.noticed(touched: touched, vanished: vanished, isLive: isLive, isVanishTold: isVanishTold, now: $1)
        }
    }

    func foundAbsent(_ path: FolderPath, isTold: Bool) { change { $0.foundAbsent(path, isTold: isTold, now: $1) } }

    func finishVanished() { change { schedule, _ in schedule.finishVanished() } }

    func rescan() { change { $0.rescan(now: $1) } }

    func rescan(within delay: Duration) { change { $0.rescan(within: delay, now: $1) } }

    func finishScan(isAvailable: Bool, after interval: Duration) {
        change { $0.finishScan(isAvailable: isAvailable, after: interval, now: $1) }
    }

    func awaitJudging() { change { $0.awaitJudging(now: $1) } }

    func judgeSoon() { change { $0.judgeSoon(now: $1) } }

    func finishJudging() { change { schedule, _ in schedule.finishJudging() } }

    func awaitSync() { change { $0.awaitSync(now: $1) } }

    func finishSync(isWantedAgain: Bool) { change { $0.finishSync(isWantedAgain: isWantedAgain, now: $1) } }

    func finish(_ path: FolderPath, _ outcome: CandidateBook.Outcome) { change { $0.finish(path, outcome, now: $1) } }

    func judge(_ path: FolderPath, _ seen: CandidateBook.Observation) -> CandidateBook.Verdict {
        state.withLock { $0.schedule.judge(path, seen, now: .now) }
    }

    var unsettled: (paths: [FolderPath: FileSignature?], isScanComplete: Bool) {
        state.withLock { $0.schedule.unsettled(now: .now) }
    }

    func unsettled(below directory: FolderPath) -> [FolderPath] {
        state.withLock { $0.schedule.unsettled(below: directory) }
    }

    var unsettledByteCounts: Set<UInt64> { state.withLock { $0.schedule.unsettledByteCounts } }

    var isLookedThrough: Bool { state.withLock { $0.schedule.isLookedThrough } }

    /// Gives work that is due to those who wait.
    private func dispatch() {
        let (handed, isEarlier) = state.withLock { state in
            var handed: [(CheckedContinuation<WorkSchedule.Work?, Never>, WorkSchedule.Work?)] = []
            let now = MonotonicInstant.now
            while !state.waiters.isEmpty {
                let work = state.isStopped ? nil : state.schedule.next(now: now)
                if work == nil, !state.isStopped { break }
                handed.append((state.waiters.removeLast(), work))
            }
            guard let deadline = state.deadline else { return (handed, false) }
            return (handed, state.announced.map { deadline < $0 } ?? true)
        }
        for (waiter, work) in handed { waiter.resume(returning: work) }
        if isEarlier { wake() }
    }

    private func change(_ body: (inout WorkSchedule, MonotonicInstant) -> Void) {
        state.withLock { body(&$0.schedule, .now) }
        dispatch()
    }
}
