package import AlbumModel

/// Directories follow the names of their albums: which are renamed, when, and what follows.
///
/// A directory whose files went while they are known would be a person's removal, one with files that are not known new
/// photos. So records follow in one step, and nobody looks at anything from the moment of the intent on.
extension FolderJudge {
    /// The next directory to rename.
    mutating func nextRenaming(now: MonotonicInstant) -> FolderDirective? {
        guard let due = renamings.deadline, due <= now, mayRename else { return nil }
        for album in renamings.order {
            guard let directory = misnamedDirectory(of: album), isMovable(directory, album) else {
                renamings.settle(album)
                continue
            }
            guard isAtRest(directory, now: now) else { continue }
            renamings.handOut(album)
            return .renameDirectory(album, directory)
        }
        renamings.putOff(now: now)
        return nil
    }

    /// The turns in which a directory is renamed: nobody finds, places, puts back or takes away a file of it. **Must** be
    /// asked for in the turn of judging.
    package func turnsOfRenaming(_ directory: FolderPath) -> Set<Turn> {
        Set(state.files.filter { $0.key.isBelow(directory) }.map { .photo($0.value.photo.blob) })
    }

    /// Begins to rename a directory, whose intent is to be committed first. From then on no work is handed out, until
    /// ``FolderInput/renamed(_:_:)``.
    ///
    /// - Parameters:
    ///   - turns: That the task has.
    ///   - inode: Of the directory.
    ///   - entries: Of the folder itself.
    /// - Returns: `nil` where it cannot be renamed now.
    package mutating func beginRenaming(
        _ album: AlbumID, _ directory: FolderPath, turns: Set<Turn>, inode: UInt64, beside entries: [FolderWalk.Entry],
        now: MonotonicInstant
    ) -> DirectoryRenaming? {
        guard renamings.phase == .handedOut, mayRename, misnamedDirectory(of: album) == directory,
            isMovable(directory, album), isAtRest(directory, now: now),
            turnsOfRenaming(directory).isSubset(of: turns),
            let target = renamings.names[album]?.freeDirectory(of: album, beside: entries),
            !state.isUsed(target), isAtRest(target, now: now)
        else { return nil }
        let renaming = DirectoryRenaming(album: album, former: directory, directory: target, inode: inode)
        renamings.begin(Set(state.files.keys.compactMap { renaming.target(of: $0) }), now: now)
        state.begin(renaming)
        return renaming
    }

    /// Nothing is on its way anywhere.
    var mayRename: Bool {
        schedule.isAtRest && scan.phase == .idle && adoption == .over && isHeldKnown && state.renaming == nil
    }

    /// The directory that holds most files of an album, if none that holds some has its name.
    private func misnamedDirectory(of album: AlbumID) -> FolderPath? {
        guard let names = renamings.names[album], let directory = state.directory(of: album) else { return nil }
        return state.directories(of: album).contains { names.fits($0, of: album) } ? nil : directory
    }

    /// Whether a directory may be renamed at all: it is one album's, on the folder's own disk, and all of it can be looked
    /// at.
    private func isMovable(_ directory: FolderPath, _ album: AlbumID) -> Bool {
        Set(state.albums(in: directory).keys) == [album] && !gaps.covers(directory)
            && ![Set(gaps.reasons.keys), Set(mounts.identities.keys)].joined().contains {
                $0 == directory || $0.isBelow(directory)
            }
    }

    /// Nothing in a directory waits for anything, and nobody seems to be putting files there.
    private func isAtRest(_ directory: FolderPath, now: MonotonicInstant) -> Bool {
        let waiting = [
            schedule.unsettled(below: directory), Array(pending.paths.keys), Array(state.intents.keys),
            Array(state.interrupted.keys), Array(state.leaving.keys), Array(state.fresh.suspects),
        ]
        return renamings.isQuiet(directory, now: now) && !waiting.joined().contains { $0.isBelow(directory) }
    }

    mutating func renamed(
        _ renaming: DirectoryRenaming, _ outcome: DirectoryRenaming.Outcome, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard renamings.phase == .underWay, state.renaming == renaming else { return [] }
        renamings.end(outcome == .done ? renaming.album : nil, now: now)
        return settle(renaming, outcome, now: now)
    }

    mutating func notRenamed(now: MonotonicInstant) -> [FolderDirective] {
        if renamings.phase == .handedOut { renamings.end(nil, now: now) }
        return []
    }

    /// What is known follows the directory.
    private mutating func settle(
        _ renaming: DirectoryRenaming, _ outcome: DirectoryRenaming.Outcome, now: MonotonicInstant
    ) -> [FolderDirective] {
        switch outcome {
        case .done:
            skipped.remove(below: renaming.former)
            damaged.follow(renaming)
            pending.follow(renaming)
            schedule.follow(renaming, now: now)
        case .unchanged: renamings.expectNoEchoes()
        case .unknown:
            // Nothing of either is judged until a scan has found out.
            for directory in [renaming.former, renaming.directory] { noteUnanswered(directory, now: now) }
            schedule.rescan(now: now)
        }
        let changes = state.settle(renaming, outcome)
        // Whoever was to take them away looked for them under their former names.
        if state.leaving.keys.contains(where: { $0.isBelow(renaming.directory) }) { schedule.takeAwaySoon(now: now) }
        return Self.commit(changes)
    }

    // MARK: After a crash

    /// Asks what became of a renaming that was not settled, before files that may have moved are looked for.
    mutating func recogniseRenaming() -> [FolderDirective] {
        guard let renaming = state.renaming else { return beginMending() }
        scan.phase = .settling
        return [.recogniseRenaming(renaming, state.files.filter { $0.key.isBelow(renaming.former) })]
    }

    mutating func recognised(
        _ renaming: DirectoryRenaming, former: DirectorySight, directory: DirectorySight, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard scan.phase == .settling, state.renaming == renaming else { return [] }
        let outcome = renaming.outcome(former: former, directory: directory)
        // What is not settled is a gap of this scan.
        return (outcome == .unknown ? [] : settle(renaming, outcome, now: now)) + beginMending()
    }
}
