import AlbumModel

/// What a look at a file means: a person's new photo is shared at once, other changes wait to be judged.
extension FolderJudge {
    mutating func conclude(
        _ job: CandidateBook.Job, _ finding: LookFinding, now: MonotonicInstant
    ) -> [FolderDirective] {
        let path = job.path
        func finish(_ outcome: CandidateBook.Outcome) -> [FolderDirective] { [.finish(.look(job, outcome))] }
        switch finding {
        case .settled:
            skipped.remove(path)
            damaged.remove(path)
            settled(path, now: now)
            return finish(.settled)
        case .absent:
            skipped.remove(path)
            schedule.foundAbsent(path, isTold: job.isVanishTold, now: now)
            return finish(.settled)
        case .pending: return finish(.settled)
        case .away(let mount):
            noteUnreachable([path], away: [mount], now: now)
            return finish(.settled)
        case .unreadable(let reason): return skip(path, reason, isUnread: true) + finish(.settled)
        case .noPhoto(let reason, let signature):
            // Whatever photo was here has been overwritten. A save that a full disk refused leaves an empty file, which is no
            // person's word.
            let isMeant = job.isLive && signature.byteCount > 0
            let held = hold([(path, .other(signature))], explained: isMeant ? [path] : [], now: now)
            return held + skip(path, reason) + finish(.settled)
        case .waiting: return finish(.waiting)
        case .changed: return finish(.changed)
        case .unavailable:
            schedule.rescan(now: now)
            return finish(.changed)
        case .damaged(let signature): return noteDamage(at: job, signature, now: now)
        case .sameFile(let other, let photo, let signature, let isMoved):
            return follow(other, photo, signature, to: job, isMoved: isMoved, now: now) + finish(.settled)
        case .taken where looks.isTakenAway(path): return finish(.changed)
        // Its file goes just now: what is found there would be recorded, and then be gone. It is there, so it may go.
        case .taken where state.isLeaving(path):
            settled(path, now: now)
            return finish(.changed)
        case .taken(let taken):
            damaged.remove(path)
            looks.finds(taken.blob.id, job)
            return arrive(taken, job, now: now)
        case .failed(let reason): return postpone(job, reason)
        }
    }

    func postpone(_ job: CandidateBook.Job, _ reason: String) -> [FolderDirective] {
        [.report(.postponed(path: job.path.text, reason: reason)), .finish(.look(job, .failed))]
    }

    /// The bytes are not the photo's, and nobody says that they are meant: they are told of, and not shared.
    private mutating func noteDamage(
        at job: CandidateBook.Job, _ signature: FileSignature, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard let record = state.files[job.path] else { return [.finish(.look(job, .changed))] }
        damaged.insert(job.path, seen: signature, known: record.signature)
        settled(job.path, now: now)
        // Where it is a hard link, the blob's file has the same bytes.
        return skip(job.path, DamagedFiles.reason) + [
            .report(.overwritten(path: job.path.text, blob: record.photo.blob)),
            .finish(.look(job, .settled)),
        ]
    }

    /// A known file of the album is here under another name, or under this one as well.
    private mutating func follow(
        _ other: FolderPath, _ photo: PhotoKey, _ signature: FileSignature, to job: CandidateBook.Job, isMoved: Bool,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        skipped.remove(job.path)
        if isMoved, !isAdopting {
            let found = PendingChanges.Found(
                id: photo.blob, blob: nil, mediaType: "", signature: signature, isShort: false, isLive: job.isLive)
            return hold([(other, .absent), (job.path, .photo(found))], now: now)
        }
        guard let record = state.files[other], record.photo == photo else { return [] }
        let origin = isMoved ? record.origin(movedFrom: other, to: job.path) : .duplicate
        let dropped = isMoved ? state.drop(other) : []
        let recorded = state.record(job.path, FileRecord(photo: photo, signature: signature, origin: origin))
        return Self.commit(dropped + recorded)
    }
}

// MARK: A photo that is not known there

extension FolderJudge {
    private mutating func arrive(
        _ taken: TakenPhoto, _ job: CandidateBook.Job, now: MonotonicInstant
    ) -> [FolderDirective] {
        let path = job.path
        let isPlaced = state.interrupted[path]?.blob == taken.blob.id
        switch Arrival(
            taken.blob.id, taken.signature, record: state.files[path], isPlaced: isPlaced, isAdopting: isAdopting)
        {
        case .known(let isRenewed):
            settled(path, now: now)
            if isRenewed { pending.renew(path, now: now) }
            return [.askStanding(taken, job)]
        case .anew: return forget([path], now: now) + [.askStanding(taken, job)]
        case .changed:
            skipped.remove(path)
            let found = PendingChanges.Now.photo(taken.found(isLive: job.isLive))
            return hold([(path, found)], now: now) + [.finish(.look(job, .settled))]
        // Something else was found here, which a judgement may be about to record: this one comes after it.
        case .new where pending.paths[path]?.found != nil:
            skipped.remove(path)
            let found = PendingChanges.Now.photo(taken.found(isLive: job.isLive))
            return hold([(path, found)], now: now) + [.finish(.look(job, .settled))]
        case .new:
            let unasked = sources(of: taken, job).filter { pending.paths[$0] == nil }
            if unasked.isEmpty { return arrived(taken, job, absent: [], now: now) }
            return [.check(FolderCheck(.sources(taken, job), unasked))]
        }
    }

    /// Files that held these bytes: the new one may be where one of them went.
    private func sources(of taken: TakenPhoto, _ job: CandidateBook.Job) -> [FolderPath] {
        state.paths(of: taken.blob.id).filter { $0 != job.path && state.files[$0]!.origin != .removed }.sorted()
    }

    /// - Parameter absent: Of the files that held these bytes those that are not there any more.
    mutating func arrived(
        _ taken: TakenPhoto, _ job: CandidateBook.Job, absent: Set<FolderPath>,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        let lost: [Difference] = sources(of: taken, job).compactMap { other in
            pending.paths[other].map { (other, $0) } ?? (absent.contains(other) ? (other, .absent) : nil)
        }
        if lost.isEmpty { return [.askStanding(taken, job)] }
        skipped.remove(job.path)
        let found = PendingChanges.Now.photo(taken.found(isLive: job.isLive))
        return hold(lost + [(job.path, found)], now: now) + [.finish(.look(job, .settled))]
    }

    mutating func place(
        _ taken: TakenPhoto, _ job: CandidateBook.Job, _ standing: PhotoStanding, _ album: AlbumID?,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        guard standing != .unknown, let album else { return contribute(taken, job) }
        let photo = PhotoKey(album: album, blob: taken.blob.id)
        if standing != .present, !job.isLive, state.interrupted[job.path] == photo {
            return leavePlaced(
                FileRecord(photo: photo, signature: taken.signature, origin: .placed), job, now: now)
        }
        let copies = state.paths(of: photo).subtracting([job.path])
        if copies.isEmpty { return decide(taken, job, photo, standing, among: [], nil, now: now) }
        return [.check(FolderCheck(.copies(taken, job, photo, standing), copies))]
    }

    /// This program placed the file, and ended before it was known; meanwhile the photo went from its album, or was hidden.
    /// So does the file now.
    private mutating func leavePlaced(
        _ record: FileRecord, _ job: CandidateBook.Job, now: MonotonicInstant
    ) -> [FolderDirective] {
        skipped.remove(job.path)
        let changes = state.record(job.path, record) + state.leave(job.path, record.photo)
        // Not here: whoever takes it away waits until its bytes are not being found any more.
        schedule.takeAwaySoon(now: now)
        return Self.commit(changes) + [.finish(.look(job, .settled))]
    }

    /// Decides what the bytes mean in their album.
    mutating func decide(
        _ taken: TakenPhoto, _ job: CandidateBook.Job, _ photo: PhotoKey, _ standing: PhotoStanding,
        among copies: [FolderPath], _ answer: FolderCheck.Answer?, now: MonotonicInstant
    ) -> [FolderDirective] {
        let vanished = answer?.absent ?? []
        let decision = DropDecision.decide(
            standing: standing, isLive: job.isLive,
            isSameAtPath: (state.files[job.path]?.photo ?? state.interrupted[job.path]) == photo,
            others: copies.filter { !vanished.contains($0) }, vanished: vanished, wasGone: state.gone[photo] != nil)
        guard let record = decision.record(photo, taken.signature, at: job.path, in: state) else {
            return comeBack(photo, job, now: now) + contribute(taken, job)
        }
        if decision == .adoptRemoved { looks.foundRemoved(job.path, now: now) }
        return remember(record, job, replacing: decision.replaced, wasHidden: standing == .hidden)
    }

    /// That a person deleted the photo ends before its album has it again: else a crash in between, and a file that goes
    /// unseen, leave a photo that nobody places.
    private mutating func comeBack(
        _ photo: PhotoKey, _ job: CandidateBook.Job, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard state.gone[photo] != nil else { return [] }
        looks.comesBack(job)
        return Self.commit(letBack(photo, now: now))
    }

    private func contribute(_ taken: TakenPhoto, _ job: CandidateBook.Job) -> [FolderDirective] {
        let drop = Drop(
            job.path, blob: taken.blob, mediaType: taken.mediaType, modified: taken.signature.modified,
            isLive: job.isLive, isShort: taken.isShort)
        return [.contribute(drop, taken, job)]
    }

    mutating func contributed(
        _ taken: TakenPhoto, _ job: CandidateBook.Job, _ album: AlbumID, now: MonotonicInstant
    ) -> [FolderDirective] {
        renamings.check([.album(album)], now: now)
        let photo = PhotoKey(album: album, blob: taken.blob.id)
        let record = FileRecord(photo: photo, signature: taken.signature, origin: .dropped)
        return remember(record, job, replacing: nil, wasHidden: false)
    }

    /// - Parameters:
    ///   - replaced: The path that the file takes the place of.
    ///   - wasHidden: Its photo was not to be seen here.
    private mutating func remember(
        _ record: FileRecord, _ job: CandidateBook.Job, replacing replaced: FolderPath?, wasHidden: Bool
    ) -> [FolderDirective] {
        let (path, photo) = (job.path, record.photo)
        let wasGone = (state.gone[photo] != nil || looks.isComingBack(job)) && record.origin != .removed
        let changes = (replaced.map { state.drop($0) } ?? []) + state.record(path, record)
        skipped.remove(path)
        let isBack = wasGone || wasHidden
        // First: once folder state has the file, nobody finds it anew.
        let back: [FolderDirective] =
            isBack ? [.report(.returned(path: path.text, album: photo.album, blob: photo.blob))] : []
        let stored = FolderNotice.stored(photo.blob, byteCount: record.signature.byteCount)
        return back + Self.commit(changes) + [.report(stored), .finish(.look(job, .settled))]
    }
}
