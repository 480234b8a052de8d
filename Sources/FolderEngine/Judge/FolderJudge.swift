package import AlbumModel

/// Decides what events, listings and looks mean for the folder's files: what is found, what is gone, what waits for a
/// person, and what is looked at next.
///
/// A value type without I/O: equal inputs give equal directives. The shell takes work by ``next(in:now:)`` when
/// ``nextDeadline`` has come, and hands in what happened by ``handle(_:in:now:)``. Several pieces of work may be under way;
/// one scan and one judgement at a time. Folder state is handed in, since files are also placed and taken away.
package struct FolderJudge: Sendable {
    let root: String
    let settings: FolderSettings
    let names: OwnNames
    package var schedule: WorkSchedule
    package var pending: PendingChanges
    package internal(set) var mounts: KnownMounts
    /// What the last scan could not look at.
    package internal(set) var gaps: FolderGaps
    package internal(set) var skipped: SkippedList
    package internal(set) var damaged = DamagedFiles()
    package internal(set) var adoption: Adoption
    /// Photos that are being found, from the look that took their bytes until all is done that follows from it.
    var finds: [FolderPath: BlobID] = [:]
    /// Files that went while they were being looked at: what the look took of one is nobody's find.
    var takenAwayAmidLooks: Set<FolderPath> = []
    var scan = Scan()
    var round: JudgingRound?
    /// When scans found files of removed photos: the event that tells who put one there may come just after.
    private var removedFinds: [FolderPath: MonotonicInstant] = [:]

    /// - Parameters:
    ///   - root: The folder's path, for sentences.
    ///   - heldID: Of the group that waited for a person when the agent ended.
    package init(
        root: String, settings: FolderSettings, names: OwnNames, mounts: KnownMounts, adoption: Adoption,
        heldID: UInt64?, now: MonotonicInstant
    ) {
        self.root = root
        self.settings = settings
        self.names = names
        self.mounts = mounts
        self.adoption = adoption
        schedule = WorkSchedule(
            patience: settings.patience, judging: settings.judging, syncInterval: settings.syncInterval,
            eventCountMax: settings.eventCountMax, now: now)
        pending = PendingChanges(heldID: heldID)
        gaps = FolderGaps(delayFirst: settings.gapFirst, delayMax: settings.gapMax)
        skipped = SkippedList(countMax: settings.skippedCountMax)
    }

    /// When ``next(in:now:)`` may have something that it has not now; `nil` while nothing waits for a time.
    package var nextDeadline: MonotonicInstant? { schedule.deadline }

    /// What differs from folder state then is no person's doing: the state is older than the folder, or newer.
    package var isAdopting: Bool { adoption != .over }

    /// The work that comes next, each begun by one directive; `nil` while none is due.
    package mutating func next(in state: inout FolderState, now: MonotonicInstant) -> FolderDirective? {
        switch schedule.next(now: now) {
        case .look(let job): return state.isEcho(job.path) ? .finish(.look(job.path, .settled)) : .look(job)
        case .vanished(let paths): return .check(FolderCheck(.vanished(paths), paths.keys))
        case .judge: return .judge
        case .scan:
            scan.phase = .surveying
            return .survey
        case .synchronize: return .synchronize(state.fresh.paths, noted: state.fresh.noted)
        case .takeAway: return resumeTakingAway(in: state).first ?? next(in: &state, now: now)
        case nil: return nil
        }
    }

    package mutating func handle(
        _ input: FolderInput, in state: inout FolderState, now: MonotonicInstant
    ) -> [FolderDirective] {
        switch input {
        case .noticed(let events): notice(events, in: state, now: now)
        case .surveyed(let complaint, let table): return surveyed(complaint, table, in: &state)
        case .recognised(let directories, let table): return recognised(directories, table, in: &state)
        case .mended(let path, let record, let outcome): return mended(path, record, outcome, in: &state, now: now)
        case .listed(let directory, let listing): return listed(directory, listing, in: &state, now: now)
        case .sighted(let sights): return sighted(sights, in: &state, now: now)
        case .watched(let limit): return watched(limit)
        case .scanInterrupted: interruptScan(now: now)
        case .looked(let job, let answer): return looked(at: job, answer, in: &state, now: now)
        case .compared(let comparison, let answer): return compared(comparison, answer, in: &state, now: now)
        case .examined(let job, let signature, let answer):
            return examined(job, signature, answer, in: &state, now: now)
        case .imported(let file, let answer): return imported(file, answer, in: &state, now: now)
        case .synchronized(let noted, let missed): return synchronized(noted, missed: missed, in: &state, now: now)
        case .checked(let check, let answer): return checked(check, answer, in: &state, now: now)
        case .broughtBack(let path, let record, let outcome):
            return broughtBack(path, record, outcome, in: &state, now: now)
        case .standing(let taken, let job, let standing, let album):
            return place(taken, job, standing, album, in: &state, now: now)
        case .contributed(let taken, let job, let album): return contributed(taken, job, album, in: &state)
        case .notContributed(let job, let reason): return postpone(job, reason)
        case .identified(let albums): return identified(albums, in: &state, now: now)
        case .evidence(let older, let withdrawn, let gone):
            return decide(older: older, withdrawn: withdrawn, goneDirectories: gone, in: &state, now: now)
        case .settled(let albums): return settled(albums, in: &state, now: now)
        case .overtaken: return judgeAnew()
        case .judge(let newID): return judge(newID: newID)
        case .notJudged:
            round = nil
            schedule.awaitJudging(now: now)
        case .finished(let work): return finished(work, now: now)
        case .confirmed: pending.confirmed.formUnion(pending.heldPaths)
        case .undone(let path, let record, let outcome): undone(path, record, outcome, now: now)
        case .undoingEnded: return endUndoing(in: state)
        case .disksGivenUp(let table): return giveUpDisks(table, now: now)
        case .placed(let path, let photo, let outcome): return placed(path, photo, outcome, in: &state, now: now)
        case .putBack(let path, let record, let signature): return putBack(path, record, signature, in: &state)
        case .unwanted(let photos): return unwanted(photos, in: &state)
        case .letBack(let photos): return commit(photos.flatMap { state.letBack($0) })
        case .started:
            if !state.fresh.isEmpty { schedule.awaitSync(now: now) }
            return resumeTakingAway(in: state)
        case .takenAway(let files, let outcomes): return takenAway(files, outcomes, in: &state, now: now)
        case .adopt: if adoption.begin() { schedule.rescan(now: now) }
        }
        return []
    }

    /// An event is not later than this.
    private static let lateness = Duration.seconds(10)
    private static let removedFindCountMax = 1000

    mutating func foundRemoved(_ path: FolderPath, now: MonotonicInstant) {
        if removedFinds.count == Self.removedFindCountMax { removedFinds = [:] }
        removedFinds[path] = now
    }

    /// Whether an event says of a file that is known as it is what the scan that found it could not: who put it there.
    func mayBeAnew(_ path: FolderPath, isLive: Bool, now: MonotonicInstant) -> Bool {
        guard isLive, let found = removedFinds[path] else { return false }
        return now <= found + Self.lateness
    }

    private mutating func finished(_ work: FolderWork, now: MonotonicInstant) -> [FolderDirective] {
        switch work {
        case .look(let path, let outcome):
            finds[path] = nil
            takenAwayAmidLooks.remove(path)
            schedule.finish(path, outcome, now: now)
        case .vanished: schedule.finishVanished()
        case .judging: schedule.finishJudging()
        case .scan: finishScan(now: now)
        }
        guard adoption != .over, adoption.finish(isLookedThrough: schedule.isLookedThrough) else { return [] }
        return [.commit([FactChange(kind: Adoption.fact, key: [], value: nil)])]
    }
}

// MARK: What is noticed

extension FolderJudge {
    private mutating func notice(_ events: [FolderEvent], in state: FolderState, now: MonotonicInstant) {
        for event in events {
            switch event {
            case .vanished(let path): skipped.remove(path)
            case .directoryVanished(let directory): skipped.remove(below: directory)
            case .touched, .rescanNeeded, .mountsChanged: break
            }
        }
        let news = FolderNews(
            events, marker: names.marker, isPassing: names.isPassing, mounts: Set(mounts.identities.keys)
        ) { directory in
            // These first: what is not on the way into folder state any more is in it.
            schedule.unsettled(below: directory).sorted() + state.files.keys.filter { $0.isBelow(directory) }.sorted()
        }
        // Where not everything is watched nobody tells where a file went: that is found out before its loss is judged.
        let isPartlyWatched = scan.toldLimit != nil && news.vanished.contains { state.files[$0] != nil }
        if news.isScanNeeded || isPartlyWatched { schedule.rescan(now: now) }
        schedule.noticed(touched: news.touched, vanished: news.vanished, isLive: true, now: now)
    }

    /// Nobody can tell whether these files are there: they stay as they are until a scan can.
    mutating func noteUnreachable(_ paths: [FolderPath], away: Set<FolderPath>, now: MonotonicInstant) {
        if paths.isEmpty { return }
        gaps.add(unreachable: paths, away: away)
        rescanGaps(now: now)
    }

    /// A look at a path gave an error: it stays as it is until a scan can look at it.
    mutating func noteUnanswered(_ path: FolderPath, now: MonotonicInstant) {
        gaps.add(path, .unanswered)
        rescanGaps(now: now)
    }

    private mutating func rescanGaps(now: MonotonicInstant) {
        if let delay = gaps.delay { schedule.rescan(within: delay, now: now) }
    }

    private mutating func giveUpDisks(_ table: MountTable?, now: MonotonicInstant) -> [FolderDirective] {
        let disks = gaps.reasons.filter { $0.value == .away || $0.value == .otherDisk }.keys.sorted()
        if disks.isEmpty { return [] }
        schedule.rescan(now: now)
        return commit(mounts.giveUp(disks, for: table))
    }

    func commit(_ changes: [FactChange]) -> [FolderDirective] { changes.isEmpty ? [] : [.commit(changes)] }
}
