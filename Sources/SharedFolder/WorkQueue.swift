import AlbumModel
import FolderEngine
import Synchronization

/// Hands out the folder's work: files to look at, vanished paths to judge, scans.
///
/// A lock around pure decisions. Paths that wait are bounded by `eventCountMax`; beyond, they are dropped and a scan
/// finds them again.
final class WorkQueue: Sendable {
    enum Work: Hashable, Sendable {
        case look(CandidateBook.Job)
        /// Paths at which there may be nothing any more, and whether an event told so of each.
        case vanished([FolderPath: Bool])
        /// What vanished or changed has been quiet for long enough.
        case judge
        case scan
        /// The disk is to take the files that came of late.
        case synchronize
    }

    private enum ScanPhase: Hashable {
        case due(MonotonicInstant)
        case running(isWantedAgain: Bool)
    }

    /// When the changes that wait are judged: `due`, put off by each further change until `latest`.
    private struct Judging {
        var due: MonotonicInstant
        var latest: MonotonicInstant
    }

    private struct State {
        var book: CandidateBook
        /// With whether an event told of it.
        var vanished: [FolderPath: Bool] = [:]
        /// How many are at work on paths that vanished.
        var vanishedWorkCount = 0
        var judging: Judging?
        var isJudging = false
        var syncDue: MonotonicInstant?
        var isSyncing = false
        var scan = ScanPhase.due(.now)
        /// The folder is there; until a scan has seen it, nothing else is handed out.
        var isAvailable = false
        var isStopped = false
        var waiters: [CheckedContinuation<Work?, Never>] = []
        /// When ``tick()`` said that it wants to be called next.
        var announced: MonotonicInstant?

        /// When time alone makes work for somebody who waits.
        var deadline: MonotonicInstant? {
            if waiters.isEmpty { return nil }
            var times = isAvailable ? [book.nextDeadline].compactMap { $0 } : []
            if let judging, mayJudge { times.append(judging.due) }
            if case .due(let time) = scan { times.append(time) }
            if let syncDue, !isSyncing { times.append(syncDue) }
            return times.min()
        }

        /// Nothing is on its way that may belong to the group.
        var mayJudge: Bool {
            if case .running = scan { return false }
            return isAvailable && !isJudging && !book.isBusy && vanished.isEmpty && vanishedWorkCount == 0
        }
    }

    private let eventCountMax: Int
    private let quiet: Duration
    private let quietMax: Duration
    private let syncInterval: Duration
    private let state: Mutex<State>
    /// Called, outside the lock, when ``tick()`` should be called earlier than it said.
    private let wake: @Sendable () -> Void

    init(settings: FolderSettings, wake: @escaping @Sendable () -> Void) {
        eventCountMax = settings.eventCountMax
        quiet = settings.judging.quiet
        quietMax = settings.judging.waitMax
        syncInterval = settings.syncInterval
        state = Mutex(State(book: CandidateBook(patience: settings.patience)))
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
    func next() async -> Work? {
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

    /// What was noticed together, at once: else what appeared could be looked at and judged before it is known what
    /// vanished with it. Paths may vanish that are not known yet: one may be on its way into folder state right now.
    /// `isLive`: events told of it, it was not found by looking; `isVanishTold`, where that differs, of what vanished.
    func noticed(touched: [FolderPath], vanished: [FolderPath], isLive: Bool, isVanishTold: Bool? = nil) {
        if touched.isEmpty, vanished.isEmpty { return }
        let isTold = isVanishTold ?? isLive
        change { state, now in
            for path in touched {
                guard state.book.count < eventCountMax else {
                    want(scan: &state, at: now)
                    break
                }
                state.book.notice(path, isLive: isLive, now: now)
            }
            for path in vanished {
                guard insert(vanished: path, isTold: isTold, &state, at: now) else { return }
                state.book.vanished(path, isTold: isTold, now: now)
            }
        }
    }

    /// The look at a path found nothing there; another look would find no more.
    func foundAbsent(_ path: FolderPath, isTold: Bool) {
        change { state, now in _ = insert(vanished: path, isTold: isTold, &state, at: now) }
    }

    private func insert(vanished path: FolderPath, isTold: Bool, _ state: inout State, at now: MonotonicInstant) -> Bool
    {
        guard state.vanished.count < eventCountMax else {
            want(scan: &state, at: now)
            return false
        }
        state.vanished[path, default: false] = state.vanished[path] == true || isTold
        return true
    }

    /// The paths that ``Work/vanished(_:)`` handed out wait to be judged now, or are of no interest.
    func finishVanished() {
        change { state, _ in state.vanishedWorkCount -= 1 }
    }

    func rescan() {
        change { state, now in want(scan: &state, at: now) }
    }

    /// A scan is wanted by then at the latest, unless one runs: that one says itself when the next is due.
    func rescan(within delay: Duration) {
        change { state, now in
            if case .due(let time) = state.scan { state.scan = .due(min(time, now + delay)) }
        }
    }

    /// Paths that are not settled, each with its last look's signature, and whether the folder has been looked through
    /// since all that was noticed.
    var unsettled: (paths: [FolderPath: FileSignature?], isScanComplete: Bool) {
        state.withLock { state in
            guard case .due(let time) = state.scan, time > .now else { return (state.book.unsettled, false) }
            return (state.book.unsettled, state.isAvailable)
        }
    }

    /// Something is to be judged, once nothing more of its kind has come for a while.
    func awaitJudging() {
        change { state, now in
            let latest = state.judging?.latest ?? now + quietMax
            state.judging = Judging(due: min(now + quiet, latest), latest: latest)
        }
    }

    /// Judges as soon as nothing is on its way, without waiting for quiet.
    func judgeSoon() {
        change { state, now in state.judging = Judging(due: now, latest: now) }
    }

    func finishJudging() {
        change { state, _ in state.isJudging = false }
    }

    /// A file came that the disk may not have for a while.
    func awaitSync() {
        change { state, now in state.syncDue = state.syncDue ?? now + syncInterval }
    }

    func finishSync(isWantedAgain: Bool) {
        change { state, now in
            state.isSyncing = false
            if isWantedAgain { state.syncDue = state.syncDue ?? now + syncInterval }
        }
    }

    /// Paths that are being looked at, or will be.
    func unsettled(below directory: FolderPath) -> [FolderPath] {
        state.withLock { $0.book.unsettled(below: directory) }
    }

    /// Sizes of files that are not settled: one of them may be where a vanished one went.
    var unsettledByteCounts: Set<UInt64> { state.withLock { $0.book.unsettledByteCounts } }

    func judge(_ path: FolderPath, _ seen: CandidateBook.Observation) -> CandidateBook.Verdict {
        state.withLock { $0.book.judge(path, seen, now: .now) }
    }

    func finish(_ path: FolderPath, _ outcome: CandidateBook.Outcome) {
        change { state, now in state.book.finish(path, outcome, now: now) }
    }

    /// Nobody looks through the folder, and every path that was found has been looked at, or waits for a time.
    var isLookedThrough: Bool {
        state.withLock { state in
            if case .running = state.scan { return false }
            return !state.book.isBusy
        }
    }

    /// Ends a scan; the next one comes `after` that time, or at once if one was wanted meanwhile.
    func finishScan(isAvailable: Bool, after interval: Duration) {
        change { state, now in
            state.isAvailable = isAvailable
            let isWanted = state.scan == .running(isWantedAgain: true)
            // While the folder is away its events mean little, and asking faster does not bring it back.
            state.scan = .due(isWanted && isAvailable ? now : now + interval)
        }
    }

    /// Gives work that is due to those who wait.
    private func dispatch() {
        let (handed, isEarlier) = state.withLock { state in
            var handed: [(CheckedContinuation<Work?, Never>, Work?)] = []
            let now = MonotonicInstant.now
            while !state.waiters.isEmpty {
                let work = state.isStopped ? nil : take(&state, now: now)
                if work == nil, !state.isStopped { break }
                handed.append((state.waiters.removeLast(), work))
            }
            guard let deadline = state.deadline else { return (handed, false) }
            return (handed, state.announced.map { deadline < $0 } ?? true)
        }
        for (waiter, work) in handed { waiter.resume(returning: work) }
        if isEarlier { wake() }
    }

    private func take(_ state: inout State, now: MonotonicInstant) -> Work? {
        if case .due(let time) = state.scan, time <= now {
            state.scan = .running(isWantedAgain: false)
            return .scan
        }
        if let due = state.syncDue, due <= now, !state.isSyncing {
            state.syncDue = nil
            state.isSyncing = true
            return .synchronize
        }
        guard state.isAvailable else { return nil }
        if let job = state.book.next(now: now) { return .look(job) }
        // What appeared is looked at first, so that a renamed file is seen under its new name before its old one goes.
        if !state.vanished.isEmpty, state.book.lookingCount == 0 {
            defer { state.vanished = [:] }
            state.vanishedWorkCount += 1
            return .vanished(state.vanished)
        }
        guard let judging = state.judging, judging.due <= now, state.mayJudge else { return nil }
        state.judging = nil
        state.isJudging = true
        return .judge
    }

    private func want(scan state: inout State, at now: MonotonicInstant) {
        switch state.scan {
        case .due(let time): state.scan = .due(min(time, now))
        case .running: state.scan = .running(isWantedAgain: true)
        }
    }

    private func change(_ body: (inout State, MonotonicInstant) -> Void) {
        state.withLock { body(&$0, .now) }
        dispatch()
    }
}
