package import AlbumModel

/// Directories follow the names of their albums, and placed files those of their photos: which are renamed, when, and what
/// follows.
///
/// A directory whose files went while they are known would be a person's removal, one with files that are not known new
/// photos; and a file that a person renamed is called so for everyone. So records follow in one step, and nobody looks at
/// anything from the moment of the intent on.
extension FolderJudge {
    /// The next directory or file to rename.
    mutating func nextRenaming(now: MonotonicInstant) -> FolderDirective? {
        guard let due = renamings.deadline, due <= now, mayRename else { return nil }
        for _ in 0..<renamings.count {
            guard let subject = renamings.next() else { break }
            guard let path = misnamed(subject) else {
                renamings.forget(subject)
                continue
            }
            guard isMovable(path, subject) else {
                renamings.settle(subject)
                continue
            }
            guard isAtRest(path, subject, now: now) else { continue }
            renamings.handOut(now: now)
            return .rename(subject, path)
        }
        renamings.putOff(now: now)
        listings.forgetAll()
        return nil
    }

    /// The names of photos from now on, as far as they may be news. Of those whose files have them nothing is kept.
    mutating func name(_ names: [PhotoKey: PhotoName], now: MonotonicInstant) {
        // One that is just being renamed may have to be renamed once more.
        let misnamed = names.filter { photo, name in
            misnamedFile(of: photo, called: name) != nil || state.renaming?.subject == .photo(photo)
        }
        for photo in names.keys where misnamed[photo] == nil { renamings.forget(.photo(photo)) }
        renamings.name(misnamed, now: now)
    }

    /// The turns in which a directory or file is renamed: nobody finds, places, puts back or takes away a file of it.
    /// **Must** be asked for in the turn of judging.
    package func turnsOfRenaming(_ path: FolderPath) -> Set<Turn> {
        Set(state.files(at: path).map { .photo($0.value.photo.blob) })
    }

    /// The names beside a file that is to be renamed, where they need not be listed again.
    package func namesBeside(_ path: FolderPath, now: MonotonicInstant) -> DirectoryNames? {
        // Where not everything is watched nobody tells what gets a name meanwhile.
        guard scan.toldLimit == nil, let names = listings.names(in: path.parent, now: now) else { return nil }
        // One that this program placed since is in no listing.
        return names.contains(path.name) ? names : nil
    }

    /// Begins to rename a directory or file, whose intent is to be committed first. From then on no work is handed out, until
    /// ``FolderInput/renamed(_:_:)``.
    ///
    /// - Parameters:
    ///   - turns: That the task has.
    ///   - look: What stands there.
    /// - Returns: `nil` where it cannot be renamed now.
    package mutating func beginRenaming(
        _ subject: FolderRenaming.Subject, _ path: FolderPath, turns: Set<Turn>, _ look: FolderRenaming.Look,
        now: MonotonicInstant
    ) -> FolderRenaming? {
        guard renamings.phase == .handedOut, mayRename, misnamed(subject) == path, isMovable(path, subject),
            isAtRest(path, subject, now: now), turnsOfRenaming(path).isSubset(of: turns)
        else { return nil }
        guard let target = freeName(of: subject, at: path, look) else {
            keepNote(of: subject, at: path, look.names)
            return nil
        }
        guard isAtRest(target, subject, now: now) else { return nil }
        let renaming = FolderRenaming(subject, former: path, target: target, inode: look.inode)
        renamings.begin(Set(state.files(at: path).keys.compactMap { renaming.target(of: $0) }), now: now)
        state.begin(renaming)
        if renaming.isOfFile { listings.keep(look.names, of: path.parent, now: now) }
        return renaming
    }

    /// Nothing is on its way anywhere.
    var mayRename: Bool {
        schedule.isAtRest && scan.phase == .idle && adoption == .over && isHeldKnown && state.renaming == nil
    }

    /// What has not the name that it should have.
    private func misnamed(_ subject: FolderRenaming.Subject) -> FolderPath? {
        switch subject {
        case .album(let album): renamings.albums[album].flatMap { misnamedDirectory(of: album, called: $0) }
        case .photo(let photo): renamings.photos[photo].flatMap { misnamedFile(of: photo, called: $0) }
        }
    }

    /// The directory that holds most files of an album, if none that holds some has its name.
    private func misnamedDirectory(of album: AlbumID, called names: AlbumNames) -> FolderPath? {
        guard let directory = state.directory(of: album) else { return nil }
        return state.directories(of: album).contains { names.fits($0, of: album) } ? nil : directory
    }

    /// The file of a photo that this program placed, if it has not the photo's name, or has a note that it needs no longer.
    /// One that a person put there, or gave another name, is called as they like.
    private func misnamedFile(of photo: PhotoKey, called name: PhotoName) -> FolderPath? {
        let placed = state.paths(of: photo).filter { path in
            state.files[path]!.origin == .placed || PlantedFault.isPlanted(.ownFilesRenamed)
        }
        guard let path = placed.min() else { return nil }
        if !name.fits(path, of: photo.blob) { return path }
        return name.pathWithoutNote(path, of: photo.blob).flatMap { isFree($0) ? path : nil }
    }

    /// Whether folder state has nothing at a path, and nothing is being found there.
    private func isFree(_ path: FolderPath) -> Bool { state.isFree(path) && looks.found(at: path) == nil }

    /// Where only the disk has the name that a file is to have instead of its note, as of a file that is no photo, that may
    /// be so for ever: the file stays as it is until it is named once more. A listing that was made for another file may
    /// show one that was taken away since, of which nobody tells again: the next attempt makes its own.
    private mutating func keepNote(of subject: FolderRenaming.Subject, at path: FolderPath, _ names: DirectoryNames) {
        guard let begun = renamings.lastHandOut, names.listed >= begun, case .photo(let photo) = subject,
            let name = renamings.photos[photo], name.fits(path, of: photo.blob)
        else { return }
        renamings.forget(subject)
    }

    /// Whether a directory, or a file in it, may be renamed at all: it is one album's, on the folder's own disk, and all of
    /// it can be looked at; and the file is the only one of its photo there, and not damaged.
    private func isMovable(_ path: FolderPath, _ subject: FolderRenaming.Subject) -> Bool {
        let directory = subject.directory(of: path)
        if case .photo(let photo) = subject {
            let isDamaged = state.files[path].map { damaged.contains(path, known: $0.signature) } ?? true
            if directory == .root || isDamaged || state.paths(of: photo).count > 1 { return false }
        }
        return Set(state.albums(in: directory).keys) == [subject.album] && !gaps.covers(path)
            && ![Set(gaps.reasons.keys), Set(mounts.identities.keys)].joined().contains { $0.isWithin(directory) }
    }

    /// Nothing at a path or below it waits for anything, and nobody seems to be putting files into the album's directory.
    private func isAtRest(_ path: FolderPath, _ subject: FolderRenaming.Subject, now: MonotonicInstant) -> Bool {
        // First: many photos are asked about one after the other while somebody copies files to their album.
        guard renamings.isQuiet(subject.directory(of: path), now: now) else { return false }
        let isUnsettled = subject.isOfFile ? schedule.isUnsettled(path) : schedule.isUnsettled(within: path)
        let photos = [state.intents, state.interrupted, state.leaving]
        return !isUnsettled && !subject.concernsAny(of: pending.paths, at: path)
            && !photos.contains { subject.concernsAny(of: $0, at: path) }
            && !subject.concernsAny(of: state.fresh.suspects, at: path)
    }

    /// The first name that nothing has, on disk or in folder state, and that is better than the one that is there.
    private func freeName(
        of subject: FolderRenaming.Subject, at path: FolderPath, _ look: FolderRenaming.Look
    ) -> FolderPath? {
        switch subject {
        case .album(let album):
            let directory = renamings.albums[album]?.freeDirectory(of: album, beside: look.names)
            return directory.flatMap { state.isUsed($0) ? nil : $0 }
        case .photo(let photo):
            guard let type = look.type, let name = renamings.photos[photo] else { return nil }
            let candidates = name.names(in: path.parent, of: photo.blob, type)
            // Never a later one: else a file would go from one to the next again and again.
            let names = candidates.before(String(decoding: path.name, as: UTF8.self)) ?? Array(candidates)
            return names.lazy.filter { !look.names.isTaken($0) }.map { path.parent.appending($0.utf8) }
                .first { isFree($0) }
        }
    }

    mutating func renamed(
        _ renaming: FolderRenaming, _ outcome: FolderRenaming.Outcome, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard renamings.phase == .underWay, state.renaming == renaming else { return [] }
        guard case .done = outcome else {
            renamings.end(nil, now: now)
            listings.forgetAll()
            return settle(renaming, outcome, now: now)
        }
        renamings.end(renaming.subject, now: now)
        if renaming.isOfFile { listings.follow(renaming) } else { listings.forgetAll() }
        let directives = settle(renaming, outcome, now: now)
        // There may be another name since.
        if misnamed(renaming.subject) != nil {
            renamings.check([renaming.subject], now: now)
        } else {
            renamings.forget(renaming.subject)
        }
        if renamings.count == 0 { listings.forgetAll() }
        return directives
    }

    mutating func notRenamed(now: MonotonicInstant) -> [FolderDirective] {
        guard renamings.phase == .handedOut else { return [] }
        renamings.end(nil, now: now)
        listings.forgetAll()
        return []
    }

    /// What is known follows the directory or file.
    private mutating func settle(
        _ renaming: FolderRenaming, _ outcome: FolderRenaming.Outcome, now: MonotonicInstant
    ) -> [FolderDirective] {
        switch outcome {
        case .done:
            if renaming.isOfFile { skipped.remove(renaming.former) } else { skipped.remove(below: renaming.former) }
            damaged.follow(renaming)
            pending.follow(renaming)
            schedule.follow(renaming, now: now)
        case .unchanged: renamings.expectNoEchoes()
        case .unknown:
            // Nothing of either is judged until a scan has found out.
            for path in [renaming.former, renaming.target] { noteUnanswered(path, now: now) }
            schedule.rescan(now: now)
        }
        let changes = state.settle(renaming, outcome)
        // Whoever was to take them away looked for them under their former names.
        if renaming.subject.concernsAny(of: state.leaving, at: renaming.target) { schedule.takeAwaySoon(now: now) }
        return Self.commit(changes)
    }

    // MARK: After a crash

    /// Asks what became of a renaming that was not settled, before files that may have moved are looked for.
    mutating func recogniseRenaming() -> [FolderDirective] {
        guard let renaming = state.renaming else { return beginMending() }
        scan.phase = .settling
        return [.recogniseRenaming(renaming, state.files(at: renaming.former))]
    }

    mutating func recognised(
        _ renaming: FolderRenaming, former: NameSight, target: NameSight, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard scan.phase == .settling, state.renaming == renaming else { return [] }
        let outcome = renaming.outcome(former: former, target: target)
        // What is not settled is a gap of this scan.
        return (outcome == .unknown ? [] : settle(renaming, outcome, now: now)) + beginMending()
    }
}
