import AlbumModel

extension FolderJudge {
    /// What was found, which folder state has not.
    typealias Difference = (path: FolderPath, now: PendingChanges.Now)

    mutating func checked(
        _ check: FolderCheck, _ answer: FolderCheck.Answer?, now: MonotonicInstant
    ) -> [FolderDirective] {
        switch check.reason {
        case .vanished(let paths):
            return vanished(paths, check.waiting, answer, now: now) + [.finish(.vanished)]
        // Without an answer the files count as there, which adds nothing: the next scan asks again.
        case .sources(let taken, let job):
            return arrived(taken, job, absent: Set(answer?.absent ?? []), now: now)
        case .otherName(let job, let signature, let photo):
            return foundOtherName(check, answer, photo, job, signature, now: now)
        case .copies(let taken, let job, let photo, let standing):
            return decide(taken, job, photo, standing, among: check.paths, answer, now: now)
        case .pending(let waiting): return verified(waiting, answer, now: now)
        }
    }

    /// Holds the files that are gone until they are judged. Nothing is gone of a folder, or of a disk in it, that is not
    /// there.
    ///
    /// - Parameter before: What waited at them when they were asked for. A file that was found at one since may be newer than
    ///   the answer, which came late: that one is asked for once more.
    private mutating func vanished(
        _ paths: [FolderPath: Bool], _ before: [FolderPath: PendingChanges.Now], _ answer: FolderCheck.Answer?,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        // Without an answer the next start's scan finds them.
        guard let answer else { return [] }
        if complaint(answer.complaint) != nil {
            schedule.rescan(now: now)
            return []
        }
        noteUnreachable(answer.paths(.unknown), away: answer.away, now: now)
        let newer = pending.waiting(at: paths.keys).filter { before[$0.key] != $0.value }
        for path in newer.keys.sorted() { schedule.foundAbsent(path, isTold: paths[path] == true, now: now) }
        let absent = answer.paths(.absent).filter { newer[$0] == nil }
        for path in absent { skipped.remove(path) }
        return hold(
            absent.map { ($0, .absent) }, explained: Set(absent.filter { paths[$0] == true }), now: now)
    }

    /// Why the folder is not there, or nothing may be taken in.
    func complaint(_ marker: String?) -> String? { marker ?? adoption.importComplaint(root: root) }

    /// Holds what is found at paths otherwise than in folder state, until it is judged.
    ///
    /// - Parameter explained: paths of which events told; the others were found by looking.
    mutating func hold(
        _ found: [Difference], explained: Set<FolderPath> = [], now: MonotonicInstant
    ) -> [FolderDirective] {
        var directives: [FolderDirective] = []
        var settled: [FolderPath] = []
        var isNews = false
        for (path, sight) in found {
            let record = state.files[path]
            // What this program takes away, or has not got round to, is no person's loss. The disk may have lost one that is
            // wanted again.
            let mayBeLost = state.isReturning(path) && state.fresh.suspects.contains(path)
            let isOurs = sight == .absent && state.leaving[path] != nil && !mayBeLost
            if sight.found == nil, record == nil || isOurs || isAdopting || record?.origin == .removed {
                settled.append(path)
                continue
            }
            // The disk may have lost it: the next scan puts it back first.
            if sight == .absent, state.fresh.suspects.contains(path) {
                schedule.rescan(now: now)
                continue
            }
            if sight == .absent, let record, damaged.contains(path, known: record.signature) {
                directives.append(.bringBack(path, record))
                continue
            }
            guard pending.insert(path, sight, isExplained: explained.contains(path)) else { continue }
            isNews = true
            // Where it was a hard link, the blob's file may hold the new bytes.
            if let record, sight.signature != nil {
                directives.append(.report(.overwritten(path: path.text, blob: record.photo.blob)))
            }
        }
        if isNews { schedule.awaitJudging(now: now) }
        // These first: a file may be found at such a path at once, and its record must be the later one.
        return forget(settled, now: now) + directives
    }

    /// A person deleted a damaged file, which is no word about its photo: the good copy takes its place. Where there is none
    /// to be had, its record goes: nobody takes the photo for deleted then, and it is placed like any that has no file.
    mutating func broughtBack(
        _ path: FolderPath, _ record: FileRecord, _ outcome: FolderInput.BringingBack,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        switch outcome {
        case .done: if damaged.contains(path, known: record.signature) { damaged.remove(path) }
        case .unwanted: break
        // The file may still be on the disk that went away.
        case .unavailable: schedule.rescan(now: now)
        case .failed where wantsBack(path, record):
            damaged.remove(path)
            return forget([path], now: now)
        case .failed: break
        }
        return []
    }

    /// Whether a record's file is to be put back. Many may wait for that, and meanwhile its photo may leave the album, or a
    /// person put another file there. To be asked in the turn of its bytes, right before that.
    package func wantsBack(_ path: FolderPath, _ record: FileRecord, for reason: BringBackReason = .damage) -> Bool {
        guard state.files[path] == record, state.leaving[path] == nil else { return false }
        return switch reason {
        case .damage: damaged.contains(path, known: record.signature)
        case .undoing: pending.heldLosses.contains(path)
        }
    }

    /// The path is as folder state has it.
    mutating func settled(_ path: FolderPath, now: MonotonicInstant) {
        // A person may have undone what waits for their decision.
        if pending.remove(path) { schedule.awaitJudging(now: now) }
    }

    /// The paths' records go, and say nothing about their photos. One that came back to its album while its file was being
    /// taken away waits for a place.
    mutating func forget(_ paths: [FolderPath], now: MonotonicInstant) -> [FolderDirective] {
        let photos = paths.compactMap { path in state.files[path].map { (path, $0.photo) } }
        let returned = Set(photos.filter { state.isReturning($0.0) }.map(\.1))
        let changes = paths.flatMap { state.drop($0) }
        for path in paths { settled(path, now: now) }
        let unplaced = returned.filter { state.paths(of: $0).isEmpty }.sorted()
        return Self.commit(changes) + photos.map { .report(.overwritten(path: $0.text, blob: $1.blob)) }
            + unplaced.map { .report(.unplaced(album: $0.album, blob: $0.blob)) }
    }

    /// Lists a file as skipped, and tells of it once. `isUnread`: nobody could look whether it is a photo.
    mutating func skip(_ path: FolderPath, _ reason: String, isUnread: Bool = false) -> [FolderDirective] {
        guard skipped.insert(path, reason, isUnread: isUnread) else { return [] }
        return [.report(.skipped(SkippedFile(path: path.text, reason: reason)))]
    }
}
