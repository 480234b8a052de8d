import AlbumModel

extension FolderJudge {
    /// One look through the whole folder.
    ///
    /// idle → surveying → recognising (where another disk may be mounted) → settling (where something was about to be
    /// renamed) → mending (after a power cut), file by file → listing and sighting, directory by directory → asking →
    /// ending → idle. A folder that is not there goes from surveying to ending.
    struct Scan: Sendable {
        enum Phase: Hashable, Sendable {
            case idle, surveying, recognising, settling, asking, ending
            case mending(FolderPath)
            case listing(FolderPath)
            case sighting(Set<FolderPath>)
        }

        var phase = Phase.idle
        var walk: FolderWalk?
        /// Known mounts that hold another disk, and no file that was known when it was asked which disk it is.
        var emptyMounts: Set<FolderPath> = []
        /// Whether some disk is known by its files since this scan.
        var hasRecognised = false
        /// Whether mounts changed since it began: the files that were asked for may be another disk's.
        var isOvertaken = false
        /// What the comparison of the mounts showed.
        var mountGaps: [FolderPath: FolderGaps.Reason] = [:]
        /// Assumed until the first scan, so that a missing folder is told of.
        var isAvailable = true
        /// Files that the disk may have lost, the next one last, …
        var suspects: [FolderPath] = []
        /// … and those of which nobody could tell.
        var unmended: [FolderPath] = []
        /// What was last told of directories that cannot be watched.
        var toldLimit: String?
    }

    mutating func surveyed(_ complaint: String?, _ table: MountTable?) -> [FolderDirective] {
        guard scan.phase == .surveying else { return [] }
        let wasAvailable = scan.isAvailable
        let complaint = complaint ?? adoption.importComplaint(root: root)
        scan.isAvailable = complaint == nil
        // Also once it is there again: a look may have ended meanwhile.
        let suspected = complaint == nil && wasAvailable ? [] : Self.commit(state.fresh.suspectAll())
        if let complaint {
            scan.phase = .ending
            return suspected + (wasAvailable ? [.report(.unavailable(complaint))] : []) + [.finish(.scan)]
        }
        let news: [FolderDirective] = suspected + (wasAvailable ? [] : [.report(.available)])
        scan.phase = .recognising
        let questionable = mounts.questionable(table)
        scan.emptyMounts = []
        if questionable.isEmpty { return news + recognised([], table) }
        let files = questionable.map { directory in
            // Also those that are to go: somebody may bring their photos back.
            (directory, state.files.filter { $0.key.isBelow(directory) })
        }
        scan.emptyMounts = Set(files.filter { $0.1.isEmpty && mounts.identities[$0.0] != nil }.map(\.0))
        return news + [.recognise(Dictionary(uniqueKeysWithValues: files), table)]
    }

    /// Whether a file of the disk that was at a known mount before may be on its way into folder state. Of another disk's
    /// files nothing is.
    private func awaitsFiles(below mount: FolderPath) -> Bool {
        schedule.isLooking(below: mount) || pending.paths.contains { $0.key.isBelow(mount) && $0.value.found != nil }
            || state.intents.keys.contains { $0.isBelow(mount) }
            || state.files.keys.contains { $0.isBelow(mount) }
    }

    mutating func recognised(_ directories: Set<FolderPath>, _ table: MountTable?) -> [FolderDirective] {
        guard scan.phase == .recognising else { return [] }
        let known = directories.subtracting(scan.emptyMounts.filter { awaitsFiles(below: $0) })
        let survey = mounts.survey(table, recognised: known)
        if scan.isOvertaken { mounts.mountsChanged() }
        scan.hasRecognised = !known.isEmpty
        let suspected = gaps.returned(survey.gaps).flatMap { state.fresh.suspect(below: $0) }
        scan.mountGaps = survey.gaps
        return Self.commit(survey.changes + suspected) + recogniseRenaming()
    }

    mutating func beginMending() -> [FolderDirective] {
        (scan.suspects, scan.unmended) = (state.fresh.suspects.sorted().reversed(), [])
        return mendNext()
    }

    mutating func beginWalk() -> [FolderDirective] {
        var gaps = FolderGaps(delayFirst: .zero, delayMax: .zero)
        gaps.found(scan.mountGaps)
        let renaming = state.renaming.map { [$0.former, $0.target] } ?? []
        for path in scan.unmended + renaming { gaps.add(path, .unanswered) }
        var walk = FolderWalk(gaps: gaps.reasons)
        let root = walk.nextDirectory()!
        scan.walk = walk
        scan.phase = .listing(root)
        return [.list(root)]
    }

    mutating func listed(
        _ directory: FolderPath, _ listing: FolderWalk.Listing, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard scan.phase == .listing(directory), var walk = scan.walk.take() else { return [] }
        let paths = walk.listed(directory, listing)
        scan.walk = walk
        if paths.isEmpty { return goOn(now: now) }
        scan.phase = .sighting(Set(paths))
        return [.sight(paths)]
    }

    mutating func sighted(_ sights: [FolderPath: FolderInput.EntrySight], now: MonotonicInstant) -> [FolderDirective] {
        guard case .sighting(let paths) = scan.phase, var walk = scan.walk.take() else { return [] }
        for path in paths.sorted() {
            switch sights[path] {
            case .present(let signature):
                let isKnown = state.isKnown(path, signature)
                walk.looked(at: path, .present(isKnown: isKnown, byteCount: signature.byteCount))
            case .absent: walk.looked(at: path, .absent)
            case .failed(let number): walk.looked(at: path, .failed(number))
            case .own: walk.looked(at: path, .own)
            // Nobody looked.
            case nil: walk.looked(at: path, .failed(FolderGaps.unansweredNumber))
            }
        }
        scan.walk = walk
        return goOn(now: now)
    }

    private mutating func goOn(now: MonotonicInstant) -> [FolderDirective] {
        guard var walk = scan.walk.take() else { return [] }
        if let directory = walk.nextDirectory() {
            scan.walk = walk
            scan.phase = .listing(directory)
            return [.list(directory)]
        }
        scan.phase = .asking
        return conclude(walk.finish(), now: now) + [.askWatcher]
    }

    private mutating func conclude(_ listing: FolderListing, now: MonotonicInstant) -> [FolderDirective] {
        skipped.keep { listing.mayHold($0) }
        // Those that wait to be judged are known to be gone.
        let files = state.files.keys.filter { pending.paths[$0] != .absent }
        let missing = listing.missing(of: files).sorted()
        schedule.noticed(touched: listing.unsettled, vanished: missing, isLive: false, now: now)
        schedule.lists(listing.byteCounts)
        let before = gaps.reasons
        gaps.found(listing.gaps)
        // What cannot be looked at may hold files of photos that would get a second one.
        if listing.gaps.isEmpty { adoption.scanned() }
        renamings.checkAll(now: now)
        // Something may be there of which nobody told.
        listings.forgetAll()
        // What a person is to decide upon may be over, or known from before a restart only; and what was put off because
        // nobody could look may be seen now.
        if pending.held != nil || schedule.isJudgingPutOff { schedule.awaitJudging(now: now) }
        let isSomethingBack = before.keys.contains { listing.gaps[$0] == nil }
        return [.tellGaps] + (isSomethingBack || scan.hasRecognised ? resumeTakingAway() : [])
    }

    mutating func watched(_ limit: String?) -> [FolderDirective] {
        guard scan.phase == .asking else { return [] }
        scan.phase = .ending
        let told = scan.toldLimit
        scan.toldLimit = limit
        let isNews = limit != nil && limit != told
        return (isNews ? [.report(.watchLimit(limit!))] : []) + [.finish(.scan)]
    }

    mutating func finishScan(now: MonotonicInstant) {
        guard scan.phase == .ending else { return }
        scan.phase = .idle
        guard scan.isAvailable else {
            return schedule.finishScan(isAvailable: false, after: settings.markerInterval, now: now)
        }
        let interval = scan.toldLimit == nil ? settings.rescanInterval : settings.fallbackRescanInterval
        schedule.finishScan(isAvailable: true, after: min(interval, gaps.delay ?? interval), now: now)
    }

    mutating func interruptScan(now: MonotonicInstant) {
        guard scan.phase != .idle else { return }
        scan.phase = .idle
        scan.walk = nil
        schedule.finishScan(isAvailable: false, after: settings.markerInterval, now: now)
    }
}
