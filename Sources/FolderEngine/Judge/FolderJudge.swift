package import AlbumModel

/// Decides what events, listings and looks mean for the folder's files: what is found, what is gone, what waits for a
/// person, and what is looked at next.
///
/// A value type without I/O: equal inputs give equal directives. The shell takes work by ``next(now:)`` when
/// ``nextDeadline`` has come, and hands in what happened by ``handle(_:now:)``. Several pieces of work may be under way;
/// one scan and one judgement at a time.
package struct FolderJudge: Sendable {
    let root: String
    let settings: FolderSettings
    let names: OwnNames
    package internal(set) var state: FolderState
    package var schedule: WorkSchedule
    package var pending: PendingChanges
    package internal(set) var mounts: KnownMounts
    /// What the last scan could not look at.
    package internal(set) var gaps: FolderGaps
    package internal(set) var skipped: SkippedList
    package internal(set) var damaged = DamagedFiles()
    package internal(set) var adoption: Adoption
    var looks = LooksUnderWay()
    var leavings = LeavingUnderWay()
    var scan = Scan()
    var round: JudgingRound?
    var renamings: RenamingSchedule
    var listings: SharedListings
    /// Which tasks of the shell may go on.
    package private(set) var turns = TurnTable()

    /// - Parameters:
    ///   - root: The folder's path, for sentences.
    ///   - heldID: Of the group that waited for a person when the agent ended.
    package init(
        root: String, settings: FolderSettings, names: OwnNames, state: FolderState, mounts: KnownMounts,
        adoption: Adoption, heldID: UInt64?, now: MonotonicInstant
    ) {
        self.root = root
        self.settings = settings
        self.names = names
        self.state = state
        self.mounts = mounts
        self.adoption = adoption
        schedule = WorkSchedule(
            patience: settings.patience, judging: settings.judging, syncInterval: settings.syncInterval,
            eventCountMax: settings.eventCountMax, now: now)
        pending = PendingChanges(heldID: heldID)
        gaps = FolderGaps(delayFirst: settings.gapFirst, delayMax: settings.gapMax)
        skipped = SkippedList(countMax: settings.skippedCountMax)
        renamings = RenamingSchedule(
            delayFirst: settings.renamingDelay, delayMax: settings.gapMax, waitMax: settings.renamingWaitMax)
        // A directory with something new stays as it is for that long: by then it is listed again.
        listings = SharedListings(lifetime: settings.renamingDelay)
    }

    /// When ``next(now:)`` may have something that it has not now; `nil` while nothing waits for a time.
    package var nextDeadline: MonotonicInstant? {
        if renamings.phase == .underWay { return nil }
        return [schedule.deadline, mayRename ? renamings.deadline : nil].compactMap(\.self).min()
    }

    /// What differs from folder state then is no person's doing: the state is older than the folder, or newer.
    package var isAdopting: Bool { adoption != .over }

    /// The work that comes next, each begun by one directive; `nil` while none is due.
    package mutating func next(now: MonotonicInstant) -> FolderDirective? {
        if renamings.phase == .underWay { return nil }
        switch schedule.next(now: now) {
        case .look(let job): return beginLook(looks.begin(job))
        case .vanished(let paths): return askAbout(vanished: paths) ?? next(now: now)
        case .judge: return .judge
        case .scan:
            scan.phase = .surveying
            scan.isOvertaken = false
            return .survey
        case .synchronize: return .synchronize(state.fresh.paths, noted: state.fresh.noted)
        case .takeAway: return resumeTakingAway().first ?? next(now: now)
        case nil: return nextRenaming(now: now)
        }
    }

    /// `nil` where this program is about to know of all of them.
    private mutating func askAbout(vanished paths: [FolderPath: Bool]) -> FolderDirective? {
        let asked = paths.filter { path, isTold in
            !state.isLeaving(path) || !leavings.keep(vanished: path, isTold: isTold)
        }
        if asked.isEmpty {
            schedule.finishVanished()
            return nil
        }
        return .check(FolderCheck(.vanished(asked), asked.keys, waiting: pending.waiting(at: asked.keys)))
    }

    private mutating func beginLook(_ job: CandidateBook.Job) -> FolderDirective {
        if state.isEcho(job.path) { return .finish(.look(job, .settled)) }
        looks.ask(.look, job)
        return .look(job)
    }

    package mutating func handle(_ input: FolderInput, now: MonotonicInstant) -> [FolderDirective] {
        if let (question, job) = input.answered, !looks.close(question, job) { return [] }
        let directives = respond(to: input, now: now)
        for case (let question, let job)? in directives.map(\.question) { looks.ask(question, job) }
        return directives + answers()
    }

    private mutating func respond(to input: FolderInput, now: MonotonicInstant) -> [FolderDirective] {
        switch input {
        case .noticed(let events): notice(events, now: now)
        case .surveyed(let complaint, let table): return surveyed(complaint, table)
        case .recognised(let directories, let table): return recognised(directories, table)
        case .mended(let path, let record, let outcome): return mended(path, record, outcome, now: now)
        case .listed(let directory, let listing): return listed(directory, listing, now: now)
        case .sighted(let sights): return sighted(sights, now: now)
        case .watched(let limit): return watched(limit)
        case .scanInterrupted: interruptScan(now: now)
        case .looked(let job, let answer): return looked(at: job, answer, now: now)
        case .compared(let comparison, let answer): return compared(comparison, answer, now: now)
        case .examined(let job, let signature, let answer):
            return examined(job, signature, answer, now: now)
        case .imported(let file, let answer): return imported(file, answer, now: now)
        case .synchronized(let noted, let missed): return synchronized(noted, missed: missed, now: now)
        case .checked(let check, let answer): return checked(check, answer, now: now)
        case .broughtBack(let path, let record, let outcome):
            return broughtBack(path, record, outcome, now: now)
        case .standing(let taken, let job, let standing, let album):
            return place(taken, job, standing, album, now: now)
        case .contributed(let taken, let job, let album): return contributed(taken, job, album, now: now)
        case .notContributed(let job, let reason): return postpone(job, reason)
        case .identified(let albums): return identified(albums, now: now)
        case .evidence(let older, let withdrawn, let gone):
            return decide(older: older, withdrawn: withdrawn, goneDirectories: gone, now: now)
        case .settling: return settling(now: now)
        case .settled(let albums): return settled(albums, now: now)
        case .overtaken: return judgeAnew()
        case .judge(let newID): return judge(newID: newID)
        case .notJudged:
            round = nil
            schedule.awaitJudging(now: now)
        case .finished(let work): return finished(work, now: now)
        case .confirmed(let version): return confirmed(version)
        case .undone(let path, let record, let outcome): undone(path, record, outcome, now: now)
        case .undoingEnded: return endUndoing()
        case .disksGivenUp(let table): return giveUpDisks(table, now: now)
        case .placed(let ends): return placed(ends, now: now)
        case .putBack(let path, let record, let signature): return putBack(path, record, signature)
        case .unwanted(let photos): return unwanted(photos, now: now)
        case .letBack(let photos): return Self.commit(photos.flatMap { letBack($0, now: now) })
        case .started:
            if !state.fresh.isEmpty { schedule.awaitSync(now: now) }
            return resumeTakingAway()
        case .takenAway(let files, let outcomes): return takenAway(files, outcomes, now: now)
        case .damaged(let blob, let inode): return damaged(blob, inode: inode)
        case .setAside(let path, let record, let outcome): return setAside(path, record, outcome, now: now)
        case .relinked(let path, let record, let signature): return relinked(path, record, signature)
        case .named(let names): renamings.name(names, now: now)
        case .photosNamed(let names): name(names, now: now)
        case .renamed(let renaming, let outcome): return renamed(renaming, outcome, now: now)
        case .notRenamed: return notRenamed(now: now)
        case .renamingRecognised(let renaming, let former, let target):
            return recognised(renaming, former: former, target: target, now: now)
        case .adopt: if adoption.begin() { schedule.rescan(now: now) }
        case .turnsWanted(let task, let turns): return self.turns.add(task, turns).map { .begin($0) }
        case .turnsOver(let task): return turns.remove(task).map { .begin($0) }
        case .asked(let task): return asked(task)
        case .waited(let task): return waited(task)
        case .stopped: pending.questions.end()
        }
        return []
    }

    private mutating func finished(_ work: FolderWork, now: MonotonicInstant) -> [FolderDirective] {
        switch work {
        case .look(let job, let outcome):
            guard looks.isUnderWay(job) else { return [] }
            looks.end(job)
            schedule.finish(job.path, outcome, now: now)
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
    private mutating func notice(_ events: [FolderEvent], now: MonotonicInstant) {
        for event in events {
            switch event {
            case .vanished(let path): skipped.remove(path)
            case .directoryVanished(let directory): skipped.remove(below: directory)
            // Where events were lost, one of a mount may be among them.
            case .mountsChanged, .rescanNeeded:
                mounts.mountsChanged()
                scan.isOvertaken = true
            case .touched: break
            }
        }
        let news = FolderNews(
            events, marker: names.marker, isPassing: names.isPassing, mounts: Set(mounts.identities.keys)
        ) { directory in
            // These first: what is not on the way into folder state any more is in it.
            schedule.unsettled(below: directory).sorted() + state.files.keys.filter { $0.isBelow(directory) }.sorted()
        }
        // Where not everything is watched nobody tells where a file went: that is found out before its loss is judged.
        // What this program renames is known to be elsewhere: a scan for each file would never end.
        let isPartlyWatched =
            scan.toldLimit != nil
            && news.vanished.contains { state.files[$0] != nil && state.renaming?.target(of: $0) == nil }
        if news.isScanNeeded || isPartlyWatched { schedule.rescan(now: now) }
        var echoes: [FolderPath] = []
        var touched: [FolderPath] = []
        for path in news.touched {
            if renamings.isEcho(path, now: now) { echoes.append(path) } else { touched.append(path) }
        }
        for path in touched where state.files[path] == nil && state.intents[path] == nil {
            renamings.stir(path.albumDirectory, now: now)
            listings.noticed(new: path)
        }
        for path in news.vanished { listings.noticed(vanished: path, isOurs: state.renaming?.former == path) }
        schedule.noticed(touched: echoes, vanished: [], isLive: false, now: now)
        schedule.noticed(touched: touched, vanished: news.vanished, isLive: true, now: now)
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
        return Self.commit(mounts.giveUp(disks, for: table))
    }

    /// As a method of the value its argument could not change that in place: Swift would copy the judge first.
    static func commit(_ changes: [FactChange]) -> [FolderDirective] { changes.isEmpty ? [] : [.commit(changes)] }
}
