package import AlbumModel

/// A group of changes, judged: which of its steps are done, which wait for a person, and why.
///
/// What only others can tell it asks for as ``questions``; nothing is decided without the ``Evidence`` that answers them.
package struct ChangeGroup: Sendable {
    /// What has to be found out before anything is decided.
    package struct Questions: Hashable, Sendable {
        /// Paths at which a scan found another photo, and its bytes: were they in the album before, and removed?
        package var standings: [FolderPath: BlobID]
        /// Paths at which a photo of the album has a file under another name: does the album still show it?
        package var renamed: [FolderPath: BlobID]
        /// Directories of which the only file is gone: are they gone as well?
        package var directories: Set<FolderPath>

        package var isEmpty: Bool { standings.isEmpty && renamed.isEmpty && directories.isEmpty }
    }

    /// The answers.
    package struct Evidence: Hashable, Sendable {
        /// Of ``Questions/standings`` those that hold what was removed from the album, or replaced, earlier.
        package var older: Set<FolderPath>
        /// Of ``Questions/renamed`` those whose album does not show the photo any more.
        package var withdrawn: Set<FolderPath>
        /// Paths of which an event told what became of them.
        package var explained: Set<FolderPath>
        /// Of ``Questions/directories`` those that are not certainly there.
        package var goneDirectories: Set<FolderPath>

        package init(
            older: Set<FolderPath>, withdrawn: Set<FolderPath>, explained: Set<FolderPath>,
            goneDirectories: Set<FolderPath>
        ) {
            self.older = older
            self.withdrawn = withdrawn
            self.explained = explained
            self.goneDirectories = goneDirectories
        }
    }

    /// What a person said, and what is still on its way.
    package struct Circumstances: Hashable, Sendable {
        /// The brake is on: every further loss waits as well.
        package var isHeld: Bool
        /// Paths of which a person said that their loss is meant.
        package var confirmed: Set<FolderPath>
        /// Sizes of files that are not settled: one of them may be where a vanished one went.
        package var unsettledByteCounts: Set<UInt64>
        /// Albums' directories with files that no look has shown yet: likewise.
        package var unseenAlbums: Set<FolderPath>
        /// Photos that are being found, or were where nobody can look for the moment, with their albums' directories.
        package var uncertain: [BlobID: Set<FolderPath>]
        /// Paths that changed again and again while they were judged.
        package var restless: Set<FolderPath>

        package init(
            isHeld: Bool, confirmed: Set<FolderPath>, unsettledByteCounts: Set<UInt64>,
            unseenAlbums: Set<FolderPath>, uncertain: [BlobID: Set<FolderPath>], restless: Set<FolderPath> = []
        ) {
            self.isHeld = isHeld
            self.confirmed = confirmed
            self.unsettledByteCounts = unsettledByteCounts
            self.unseenAlbums = unseenAlbums
            self.uncertain = uncertain
            self.restless = restless
        }
    }

    package struct Decision: Hashable, Sendable {
        /// To be done now.
        package var free: [Judgement.Step] = []
        /// For a person to decide, with all that would overwrite the records of what they decide upon.
        package var held: [Judgement.Step] = []
        /// To be judged once more later, with all that would overwrite the records of these.
        package var putOff: [Judgement.Step] = []
        /// Found photos that nothing is known of from now on: they are to be looked at once more.
        package var anew: [FolderPath] = []

        /// The paths that go on waiting: those whose records stay as they are, and those where their photos are.
        package var kept: Set<FolderPath> {
            Set((held + putOff).flatMap { [$0.lost.path, $0.target].compactMap(\.self) })
        }
        package var heldLosses: [Judgement.Step] { held.filter(\.isLoss) }
    }

    package let judgement: Judgement
    package let found: [FolderPath: Judgement.Found]
    package let questions: Questions
    /// How many files each album concerned has in folder state.
    private let fileCounts: [AlbumID: Int]
    private let renewedCounts: [AlbumID: Int]
    private let removed: Set<FolderPath>
    private let lostDirectories: LostDirectories

    /// - Parameters:
    ///   - paths: What was found otherwise than in folder state, and is still so.
    ///   - renewed: Files that were made anew of late with the bytes that they had.
    package init(
        _ paths: [FolderPath: PendingChanges.Now], lost: [Judgement.Lost], found: [FolderPath: Judgement.Found],
        state: FolderState, renewed: Set<FolderPath>
    ) {
        judgement = Judgement(lost: lost, found: found) { photo in
            state.paths(of: photo).filter { paths[$0] == nil }.sorted()
        }
        self.found = found
        renewedCounts = Dictionary(grouping: renewed.compactMap { state.files[$0]?.photo.album }) { $0 }
            .mapValues(\.count)
        let concerned = Set(lost.map(\.record.photo.album)).union(renewedCounts.keys)
        fileCounts = Dictionary(uniqueKeysWithValues: concerned.map { ($0, state.fileCount(of: $0)) })
        removed = Set(judgement.steps.compactMap { if case .remove(let lost) = $0 { lost.path } else { nil } })
        lostDirectories = LostDirectories(judgement.steps, removed: removed, state: state)
        questions = Questions(
            standings: Self.questionable(judgement.steps, found), renamed: Self.renamed(judgement.steps),
            directories: lostDirectories.questionable)
    }

    /// The files that folder state has at these paths and that are not there any more as it has them.
    package static func lost(_ paths: [FolderPath: PendingChanges.Now], in state: FolderState) -> [Judgement.Lost] {
        paths.compactMap { path, now in
            guard let record = state.files[path], now.found?.id != record.photo.blob else { return nil }
            return Judgement.Lost(path: path, record: record)
        }
    }

    private static func questionable(
        _ steps: [Judgement.Step], _ found: [FolderPath: Judgement.Found]
    ) -> [FolderPath: BlobID] {
        var questionable: [FolderPath: BlobID] = [:]
        // What was moved there is explained by that.
        let targets = Set(steps.compactMap { $0.isLoss ? nil : $0.target })
        for case .replace(let lost) in steps where !targets.contains(lost.path) {
            guard let photo = found[lost.path]?.photo, !photo.isLive else { continue }
            questionable[lost.path] = photo.id
        }
        return questionable
    }

    private static func renamed(_ steps: [Judgement.Step]) -> [FolderPath: BlobID] {
        var renamed: [FolderPath: BlobID] = [:]
        for case .rename(let lost, let target) in steps { renamed[target] = lost.record.photo.blob }
        return renamed
    }
}

// MARK: Deciding

extension ChangeGroup {
    package func decide(_ evidence: Evidence, _ circumstances: Circumstances, judging: Judging) -> Decision {
        var decision = Decision()
        decision.anew = evidence.withdrawn.sorted()
        let steps = steps(evidence)
        // What is where a photo moved to waits with it.
        let unready = steps.filter { isPutOff($0, circumstances) }
            .flatMap { [$0.lost.path, $0.target].compactMap(\.self) }
        let putOffPaths = Self.withThoseThatNeed(Set(unready), among: steps)
        decision.putOff = steps.filter { putOffPaths.contains($0.lost.path) }
        let ready = steps.filter { !putOffPaths.contains($0.lost.path) }
        let losses = ready.filter { $0.isLoss && !circumstances.confirmed.contains($0.lost.path) }
        guard circumstances.isHeld || reason(losses, evidence, judging: judging) != nil else {
            decision.free = ready
            return decision
        }
        let heldPaths = Self.withThoseThatNeed(Set(losses.map(\.lost.path)), among: ready)
        decision.free = ready.filter { !heldPaths.contains($0.lost.path) }
        decision.held = ready.filter { heldPaths.contains($0.lost.path) }
        return decision
    }

    /// A photo that its album does not show any more is not renamed: its file counts as a new one. The agent may have ended
    /// after it withdrew the photo, and a person put the file back since.
    private func steps(_ evidence: Evidence) -> [Judgement.Step] {
        judgement.steps.map { step in
            guard case .rename(let lost, let target) = step, evidence.withdrawn.contains(target) else { return step }
            return .forget(lost)
        }
    }

    /// These paths, and those whose steps would overwrite the records of any.
    private static func withThoseThatNeed(_ paths: Set<FolderPath>, among steps: [Judgement.Step]) -> Set<FolderPath> {
        var paths = paths
        while true {
            let more = steps.filter { step in
                !paths.contains(step.lost.path) && step.target.map { paths.contains($0) } ?? false
            }
            if more.isEmpty { return paths }
            paths.formUnion(more.map(\.lost.path))
        }
    }

    /// Whether a loss is to be judged later: its photo may be where nobody can look for the moment, or be a file that is
    /// about to be taken in, one of its size or one that no look has shown. So is a move to another album while the photo
    /// may be elsewhere in its own. A person's word waits for none of these, but for a file that changes all the time.
    func isPutOff(_ step: Judgement.Step, _ circumstances: Circumstances) -> Bool {
        if circumstances.restless.contains(step.lost.path) { return true }
        if circumstances.confirmed.contains(step.lost.path) { return false }
        let directories = circumstances.uncertain[step.lost.record.photo.blob] ?? []
        if step.isLoss, !directories.isEmpty { return true }
        if case .move(let lost, _) = step { return directories.contains(lost.path.albumDirectory) }
        guard case .remove(let lost) = step else { return false }
        return circumstances.unseenAlbums.contains(lost.path.albumDirectory)
            || circumstances.unsettledByteCounts.contains(lost.record.signature.byteCount)
    }

    private func reason(_ losses: [Judgement.Step], _ evidence: Evidence, judging: Judging) -> HeldGroup.Reason? {
        let unexplained = removed.subtracting(evidence.explained)
        let ofLostDirectories = lostDirectories.paths(gone: evidence.goneDirectories)
        let older = evidence.older.union(evidence.withdrawn.filter { found[$0]?.photo.isLive == false })
        return Brake(judging: judging).reason(
            Brake.Group(
                losses: losses, fileCounts: fileCounts, renewedCounts: renewedCounts,
                holdsOlder: losses.contains { older.contains($0.lost.path) },
                losesDirectory: losses.contains { ofLostDirectories.contains($0.lost.path) },
                hasUnexplained: losses.contains { unexplained.contains($0.lost.path) }))
    }

    /// What a person is told of the losses that wait; `nil` where none does.
    ///
    /// - Parameters:
    ///   - before: What they were told last.
    ///   - newID: For a group that is not known yet.
    ///   - version: Of the group with these losses.
    package func heldGroup(
        _ losses: [Judgement.Step], _ evidence: Evidence, after before: HeldGroup?, newID: UInt64, version: UInt64,
        judging: Judging
    ) -> HeldGroup? {
        if losses.isEmpty { return nil }
        // An older copy stays one, also where the files that were made anew are forgotten by now.
        let isRestored = before?.reason == .restoredFolder
        let reason = reason(losses, evidence, judging: judging) ?? Brake.likelyReason(losses)
        return HeldGroup(
            id: before?.id ?? newID, version: version, reason: isRestored ? .restoredFolder : reason, losses: losses,
            fileCounts: fileCounts)
    }
}

// MARK: Following

extension ChangeGroup {
    /// Bytes that come to an album by these steps, or leave one.
    package func turns(of steps: [Judgement.Step]) -> Set<Turn> {
        let coming = steps.compactMap { Self.newPhotoPath(of: $0).flatMap { found[$0]?.photo.id } }
        return Set((coming + steps.filter(\.isLoss).map(\.lost.record.photo.blob)).map { .photo($0) })
    }

    /// The paths of the photos that the agent adds to an album, each once, in the order in which it is told of them.
    package func newPhotoPaths(of steps: [Judgement.Step]) -> [FolderPath] {
        var seen: Set<FolderPath> = []
        return Self.told(steps).compactMap { Self.newPhotoPath(of: $0) }.filter { seen.insert($0).inserted }
    }

    /// The photos that come to albums by these steps. Of an album that is made for it nothing is known.
    func newPhotos(of steps: [Judgement.Step]) -> [PhotoKey] {
        let photos = steps.compactMap { step -> PhotoKey? in
            guard let found = Self.newPhotoPath(of: step).flatMap({ self.found[$0] }) else { return nil }
            let album = if case .move = step { found.album } else { step.lost.record.photo.album as AlbumID? }
            return album.map { PhotoKey(album: $0, blob: found.photo.id) }
        }
        var seen: Set<PhotoKey> = []
        return photos.filter { seen.insert($0).inserted }
    }

    private static func newPhotoPath(of step: Judgement.Step) -> FolderPath? {
        switch step {
        case .move(_, let path): path
        case .replace(let lost): lost.path
        case .rename, .promote, .remove, .forget: nil
        }
    }

    /// A photo of which several files moved is told of once.
    private static func told(_ steps: [Judgement.Step]) -> [Judgement.Step] {
        struct MovedPhoto: Hashable {
            var photo: PhotoKey
            var directory: FolderPath
        }
        var moved: Set<MovedPhoto> = []
        return steps.filter { step in
            guard case .move(let lost, let path) = step else { return true }
            return moved.insert(MovedPhoto(photo: lost.record.photo, directory: path.albumDirectory)).inserted
        }
    }

    /// What the agent is told.
    ///
    /// - Parameter drops: The photos at ``newPhotoPaths(of:)``, all of them.
    package func edits(of steps: [Judgement.Step], drops: [FolderPath: Drop]) -> [FolderEdit] {
        Self.told(steps).compactMap { step in
            let (path, record) = (step.lost.path, step.lost.record)
            let (album, blob) = (record.photo.album, record.photo.blob)
            switch step {
            case .forget: return nil
            case .rename(_, let target), .promote(_, let target):
                let isNamed = record.origin != .duplicate && Drop.name(target) != Drop.name(path)
                return isNamed ? .renamed(album: album, blob: blob, name: Drop.name(target), path: target.text) : nil
            case .move(_, let target): return .moved(from: album, blob: blob, to: drops[target]!)
            case .replace: return .replaced(album: album, old: blob, by: drops[path]!)
            case .remove: return .removed(album: album, blob: blob, path: path.text)
            }
        }
    }

    /// The first-level directories whose albums have to be known for ``settlement(of:albums:in:)``.
    package static func albumDirectories(of steps: [Judgement.Step]) -> Set<FolderPath> {
        Set(steps.compactMap { if case .move(_, let target) = $0 { target.albumDirectory } else { nil } })
    }

    /// How folder state follows, once the agent has done its part.
    ///
    /// - Parameter albums: Of ``albumDirectories(of:)`` those that have one.
    /// - Returns: also the files that have to be looked at once more, since no album has them.
    package func settlement(
        of steps: [Judgement.Step], albums: [FolderPath: AlbumID], in state: FolderState
    ) -> (settlement: FolderState.Settlement, unplaced: [FolderPath]) {
        var settlement = FolderState.Settlement()
        var unplaced: [FolderPath] = []
        let targets = Set(steps.compactMap { $0.isLoss ? nil : $0.target })
        func hold(_ path: FolderPath, _ album: AlbumID, _ lost: Judgement.Lost) {
            settlement.held.append((path, follow(lost, to: path, album, in: state)))
        }
        for step in steps {
            let (path, record) = (step.lost.path, step.lost.record)
            // Other steps say nothing of what a person wants: of a photo that others removed, and may have brought back since.
            settlement.left.append((path, record.photo, isGone: step.isLoss || step.isMove))
            switch step {
            case .forget, .remove: break
            case .rename(let lost, let target): hold(target, record.photo.album, lost)
            case .promote(_, let target):
                guard var other = state.files[target] else { continue }
                other.origin = record.origin(movedFrom: path, to: target)
                settlement.held.append((target, other))
            case .move(let lost, let target):
                // The agent has made the album by now; without one, the next look at the file adds it as a drop.
                if let album = albums[target.albumDirectory] {
                    hold(target, album, lost)
                } else {
                    unplaced.append(target)
                }
            case .replace(let lost):
                if !targets.contains(path) { hold(path, record.photo.album, lost) }
            }
        }
        return (settlement, unplaced)
    }

    /// What is known of the found file from now on.
    private func follow(
        _ lost: Judgement.Lost, to path: FolderPath, _ album: AlbumID, in state: FolderState
    ) -> FileRecord {
        let found = found[path]!.photo
        let photo = PhotoKey(album: album, blob: found.id)
        if photo == lost.record.photo {
            let origin = lost.record.origin(movedFrom: lost.path, to: path)
            return FileRecord(photo: photo, signature: found.signature, origin: origin)
        }
        let isCopy = !state.paths(of: photo).subtracting([path]).isEmpty
        return FileRecord(photo: photo, signature: found.signature, origin: isCopy ? .duplicate : .dropped)
    }
}
