package import AlbumModel

/// Decides which of the folder's work comes next, and when: files to look at, vanished paths, judging, scans, syncs.
///
/// A value type without I/O. Paths that wait are bounded by `eventCountMax`; beyond, they are dropped and a scan finds
/// them again.
package struct WorkSchedule: Sendable {
    package enum Work: Hashable, Sendable {
        case look(CandidateBook.Job)
        /// Paths at which there may be nothing any more, and whether an event told so of each.
        case vanished([FolderPath: Bool])
        /// What vanished or changed has been quiet for long enough.
        case judge
        case scan
        /// The disk is to take the files that came of late.
        case synchronize
        /// Files that are to go.
        case takeAway
    }

    /// due → running (handed out) → due.
    private enum ScanPhase: Hashable {
        case due(MonotonicInstant)
        case running(isWantedAgain: Bool)
    }

    /// When the changes that wait are judged: `due`, put off by each further change until `latest`.
    private struct JudgingTime {
        var due: MonotonicInstant
        var latest: MonotonicInstant
    }

    private let eventCountMax: Int
    private let patienceToJudge: Judging
    private let syncInterval: Duration
    private var book: CandidateBook
    /// With whether an event told of it.
    private var vanished: [FolderPath: Bool] = [:]
    /// Somebody asks about paths that vanished. Those that vanish meanwhile are asked about together: each question lists
    /// whole directories.
    private var isAskingAboutVanished = false
    private var judging: JudgingTime?
    /// How long what was put off waits, while nothing changes.
    private var putOffDelay: Duration?
    private var isJudging = false
    private var syncDue: MonotonicInstant?
    private var isSyncing = false
    private var takingAwayDue: MonotonicInstant?
    private var scan: ScanPhase
    /// The folder is there; until a scan has seen it, nothing else is handed out.
    private var isAvailable = false

    package init(
        patience: Patience, judging: Judging, syncInterval: Duration, eventCountMax: Int, now: MonotonicInstant
    ) {
        self.eventCountMax = eventCountMax
        patienceToJudge = judging
        self.syncInterval = syncInterval
        book = CandidateBook(patience: patience)
        scan = .due(now)
    }

    /// When ``next(now:)`` may have something that it has not now; `nil` while nothing waits for a time.
    package var deadline: MonotonicInstant? {
        var times = isAvailable ? [book.nextDeadline, takingAwayDue].compactMap { $0 } : []
        if let judging, mayJudge { times.append(judging.due) }
        if case .due(let time) = scan { times.append(time) }
        if let syncDue, !isSyncing { times.append(syncDue) }
        return times.min()
    }

    /// Nothing is on its way that may belong to the group.
    private var mayJudge: Bool { isAtRest && !isJudging }

    /// The folder is there, and nobody looks at anything in it or is about to.
    var isAtRest: Bool {
        if case .running = scan { return false }
        return isAvailable && !book.isBusy && vanished.isEmpty && !isAskingAboutVanished
    }

    /// The work that comes next; `nil` while none is due. Whoever takes it says when it is done.
    package mutating func next(now: MonotonicInstant) -> Work? {
        if case .due(let time) = scan, time <= now {
            scan = .running(isWantedAgain: false)
            return .scan
        }
        if let due = syncDue, due <= now, !isSyncing {
            syncDue = nil
            isSyncing = true
            return .synchronize
        }
        guard isAvailable else { return nil }
        if takingAwayDue.take() != nil { return .takeAway }
        if let job = book.next(now: now) { return .look(job) }
        // What appeared is looked at first, so that a renamed file is seen under its new name before its old one goes.
        if !vanished.isEmpty, book.lookingCount == 0, !isAskingAboutVanished {
            defer { vanished = [:] }
            isAskingAboutVanished = true
            return .vanished(vanished)
        }
        guard let due = judging?.due, due <= now, mayJudge else { return nil }
        judging = nil
        isJudging = true
        return .judge
    }
}

// MARK: What is noticed

extension WorkSchedule {
    /// What was noticed together, at once: else what appeared could be looked at and judged before it is known what
    /// vanished with it. Paths may vanish that are not known yet: one may be on its way into folder state right now.
    /// `isLive`: events told of it, it was not found by looking; `isVanishTold`, where that differs, of what vanished.
    package mutating func noticed(
        touched: [FolderPath], vanished: [FolderPath], isLive: Bool, isVanishTold: Bool? = nil, now: MonotonicInstant
    ) {
        let isTold = isVanishTold ?? isLive
        for path in touched {
            guard book.count < eventCountMax else {
                rescan(now: now)
                break
            }
            book.notice(path, isLive: isLive, now: now)
        }
        for path in vanished {
            guard insert(vanished: path, isTold: isTold, now: now) else { return }
            book.vanished(path, isTold: isTold, now: now)
        }
    }

    /// The look at a path found nothing there; another look would find no more.
    package mutating func foundAbsent(_ path: FolderPath, isTold: Bool, now: MonotonicInstant) {
        _ = insert(vanished: path, isTold: isTold, now: now)
    }

    private mutating func insert(vanished path: FolderPath, isTold: Bool, now: MonotonicInstant) -> Bool {
        guard vanished.count < eventCountMax else {
            rescan(now: now)
            return false
        }
        vanished[path, default: false] = vanished[path] == true || isTold
        return true
    }

    /// What vanished from a directory that has another name now is there under that; where it is not, nobody saw it go.
    ///
    /// A file is looked at under its new name, as the event of that has it looked at anyway, and asked about only where nothing
    /// is seen there: a question for each of thousands of files would list their whole directory each time.
    mutating func follow(_ renaming: FolderRenaming, now: MonotonicInstant) {
        if renaming.isOfFile {
            guard vanished.removeValue(forKey: renaming.former) != nil else { return }
            return noticed(touched: [renaming.target], vanished: [], isLive: false, now: now)
        }
        for (former, target, _) in renaming.moved(vanished) {
            vanished[former] = nil
            _ = insert(vanished: target, isTold: false, now: now)
        }
    }

    /// A listing showed the sizes of paths that were noticed.
    package mutating func lists(_ byteCounts: [FolderPath: UInt64]) {
        for (path, byteCount) in byteCounts { book.lists(path, byteCount: byteCount) }
    }

    mutating func sees(_ path: FolderPath, _ signature: FileSignature, now: MonotonicInstant) {
        book.sees(path, signature, now: now)
    }

    func isBeingLookedAt(_ path: FolderPath) -> Bool { book.isBeingLookedAt(path) }

    func isLooking(below directory: FolderPath) -> Bool { book.isLooking(below: directory) }

    /// The paths that ``Work/vanished(_:)`` handed out wait to be judged now, or are of no interest.
    package mutating func finishVanished() { isAskingAboutVanished = false }
}

// MARK: Looks at files

extension WorkSchedule {
    package mutating func judge(
        _ path: FolderPath, _ seen: CandidateBook.Observation, now: MonotonicInstant
    ) -> CandidateBook.Verdict {
        book.judge(path, seen, now: now)
    }

    package mutating func finish(_ path: FolderPath, _ outcome: CandidateBook.Outcome, now: MonotonicInstant) {
        book.finish(path, outcome, now: now)
        // It may be what a judgement waits for.
        if outcome == .settled, isJudgingPutOff { awaitJudging(now: now) }
    }

    /// Paths that are being looked at, or will be.
    package func unsettled(below directory: FolderPath) -> [FolderPath] { book.unsettled(below: directory) }

    /// Whether a path is being looked at, or will be.
    func isUnsettled(_ path: FolderPath) -> Bool { book.isUnsettled(path) }

    /// The same of a directory and all in it.
    func isUnsettled(within directory: FolderPath) -> Bool { book.isUnsettled(within: directory) }

    /// Sizes of files that are not settled: one of them may be where a vanished one went.
    package var unsettledByteCounts: Set<UInt64> { book.unsettledByteCounts }

    package var unseenAlbums: Set<FolderPath> { book.unseenAlbums }

    /// Paths that are not settled, and whether the folder has been looked through since all that was noticed.
    package func unsettled(
        now: MonotonicInstant
    ) -> (paths: [FolderPath: CandidateBook.Unsettled], isScanComplete: Bool) {
        guard case .due(let time) = scan, time > now else { return (book.unsettled, false) }
        return (book.unsettled, isAvailable)
    }

    /// Nobody looks through the folder, and every path that was found has been looked at, or waits for a time.
    package var isLookedThrough: Bool {
        if case .running = scan { return false }
        return !book.isBusy
    }
}

// MARK: Scans, judging, syncs

extension WorkSchedule {
    /// A scan is wanted now, and once more if one runs.
    package mutating func rescan(now: MonotonicInstant) {
        switch scan {
        case .due(let time): scan = .due(min(time, now))
        case .running: scan = .running(isWantedAgain: true)
        }
    }

    /// A scan is wanted by then at the latest, unless one runs: that one says itself when the next is due.
    package mutating func rescan(within delay: Duration, now: MonotonicInstant) {
        if case .due(let time) = scan { scan = .due(min(time, now + delay)) }
    }

    /// Ends a scan; the next one comes `after` that time, or at once if one was wanted meanwhile.
    package mutating func finishScan(isAvailable: Bool, after interval: Duration, now: MonotonicInstant) {
        self.isAvailable = isAvailable
        let isWanted = scan == .running(isWantedAgain: true)
        // While the folder is away its events mean little, and asking faster does not bring it back.
        scan = .due(isWanted && isAvailable ? now : now + interval)
    }

    /// Something is to be judged, once nothing more of its kind has come for a while.
    package mutating func awaitJudging(now: MonotonicInstant) {
        putOffDelay = nil
        let latest = min(judging?.latest ?? now + patienceToJudge.waitMax, now + patienceToJudge.waitMax)
        judging = JudgingTime(due: min(now + patienceToJudge.quiet, latest), latest: latest)
    }

    /// What a judgement put off, if anything, is judged once more when something changes, at the latest after a time that
    /// doubles up to ``Judging/putOffMax`` while nothing does.
    package mutating func putOffJudging(_ isPutOff: Bool, now: MonotonicInstant) {
        guard isPutOff else {
            putOffDelay = nil
            return
        }
        let delay = putOffDelay.map { min($0 * 2, patienceToJudge.putOffMax) } ?? patienceToJudge.quiet
        if judging == nil { judging = JudgingTime(due: now + delay, latest: now + delay) }
        putOffDelay = delay
    }

    /// Whether something that was put off waits for a change.
    package var isJudgingPutOff: Bool { putOffDelay != nil }

    /// Judges as soon as nothing is on its way, without waiting for quiet.
    package mutating func judgeSoon(now: MonotonicInstant) { judging = JudgingTime(due: now, latest: now) }

    package mutating func finishJudging() { isJudging = false }

    /// A file came that the disk may not have for a while.
    package mutating func awaitSync(now: MonotonicInstant) { syncDue = syncDue ?? now + syncInterval }

    package mutating func takeAwaySoon(now: MonotonicInstant) { takingAwayDue = now }

    package mutating func finishSync(isWantedAgain: Bool, now: MonotonicInstant) {
        isSyncing = false
        if isWantedAgain { awaitSync(now: now) }
    }
}
