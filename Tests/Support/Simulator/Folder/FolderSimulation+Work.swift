import AlbumModel
import FolderEngine

/// What a shell does: performs directives, and hands in what came of them.
extension FolderSimulation {
    /// Does the next step of a task. False if it has to wait for another one.
    mutating func advance(_ index: Int) -> Bool {
        guard let step = tasks[index].steps.first, let followers = perform(step, of: index) else { return false }
        tasks[index].steps.replaceSubrange(0..<1, with: followers)
        if tasks[index].steps.isEmpty { tasks.remove(at: index) }
        return true
    }

    /// What follows; `nil` where it has to wait.
    private mutating func perform(_ step: Step, of index: Int) -> [Step]? {
        switch step {
        case .directive(let directive): return perform(directive, of: index)
        case .answer(let input): return answer(input)
        case .edit(let group, let steps, let turns): return edit(group, steps, turns)
        case .settled(let albums, let turns):
            pass(turns, of: index)
            return answer(.settled(albums))
        case .pass(let turns):
            pass(turns, of: index)
            return []
        case .judgeForPerson: return beginJudging(isWork: false, of: index)
        case .undo: return beginUndoing(of: index)
        case .endJudging(let isWork):
            pass([.judging], of: index)
            return isWork ? handle(.finished(.judging)) : []
        case .place(let placing): return place(placing, of: index)
        case .restore(let restoring): return restore(restoring, of: index)
        case .leave(let leaving): return leave(leaving, of: index)
        case .setAside(let step): return setAside(step, of: index)
        case .rename(let renaming): return rename(renaming, of: index)
        case .letBack(let photos): return letBack(photos, of: index)
        case .followed: return followed(of: index)
        }
    }

    private mutating func perform(_ directive: FolderDirective, of index: Int) -> [Step]? {
        disk.knownMounts = judge.mounts
        switch directive {
        case .survey:
            return [.answer(.surveyed(complaint: complaint, complaint == nil ? disk.table() : nil))]
        case .recognise(let files, let table):
            let known = files.filter { _, files in
                files.isEmpty || files.count { isUnchanged($0.key, $0.value) } * 2 > files.count
            }
            return [.answer(.recognised(Set(known.keys), table))]
        case .mend(let path, let record): return mend(path, record, of: index)
        case .recogniseRenaming(let renaming, let files):
            let (former, target) = sights(of: renaming, files)
            return [.answer(.renamingRecognised(renaming, former: former, target: target))]
        case .rename(let subject, let path): return [.rename(.begin(subject, path))]
        case .list(let directory):
            watched.insert(directory)
            untold = untold.filter { $0.parent != directory }
            return [.answer(.listed(directory, disk.listing(of: directory)))]
        case .sight(let paths):
            return [.answer(.sighted(Dictionary(uniqueKeysWithValues: paths.map { ($0, sight($0)) })))]
        case .askWatcher: return [.answer(.watched(limit: nil))]
        case .look(let job): return [.answer(.looked(job, look(at: job.path)))]
        case .compare(let comparison): return [.answer(.compared(comparison, compare(comparison)))]
        case .examine(let job, let signature): return [.answer(.examined(job, signature, examine(job.path)))]
        case .importFile(let file): return [.answer(.imported(file, ingest(file)))]
        case .check(let check): return [.answer(.checked(check, answer(check)))]
        case .bringBack(let path, let record): return [.restore(.bringBack(path, record, .damage))]
        case .askStanding(let taken, let job):
            let turns: Set<Turn> = [.photo(taken.blob.id)]
            guard hasTurns(turns, of: index) else { return nil }
            let directory = job.path.albumDirectory
            let standing = gathering.standing(PhotoKey(album: album(directory), blob: taken.blob.id))
            let input = FolderInput.standing(taken, job, standing, albumID(directory))
            return answer(input) + [.pass(turns)]
        case .contribute(let drop, let taken, let job): return contribute(drop, taken, job)
        case .identify(let directories): return [.answer(.identified(albums(of: directories)))]
        case .inquire(let questions):
            let gone = questions.directories.filter { disk.look(at: $0) != .directory }
            return [
                .answer(
                    .evidence(
                        older: paths(questions.standings, with: [.removed]),
                        withdrawn: paths(questions.renamed, with: [.removed, .hidden]), goneDirectories: gone))
            ]
        case .settle(let group, let steps): return settle(group, steps, of: index)
        case .judge: return beginJudging(isWork: true, of: index)
        case .refuse: return refuseJudging(index)
        case .synchronize(let paths, let noted): return synchronize(paths, noted)
        case .commit(let changes): commit(changes)
        case .report(.returned(let path, let album, let blob)):
            tell("show \(path)")
            gathering.show(PhotoKey(album: album, blob: blob))
        case .hold(let group): checkHold(group)
        case .lookAgain(let path): judge.schedule.noticed(touched: [path], vanished: [], isLive: true, now: now)
        case .takeAway(let files, let intents): return [.directive(.commit(intents))] + takeAway(files)
        case .setAside(let path, let record, let intent):
            if isUnlucky() { return [.answer(.setAside(path, record, .stayed))] }
            return [.directive(.commit(intent)), .setAside(.move(path, record))]
        case .begin, .wait, .answer: letGoOn(directive)
        case .report, .tellGaps: break
        case .finish(let work): return handle(.finished(work))
        }
        return []
    }

    // MARK: Judging

    private mutating func beginJudging(isWork: Bool, of index: Int) -> [Step]? {
        guard hasTurns([.judging], of: index) else { return nil }
        return handle(.judge(newID: UInt64.random(in: 1...1000, using: &random))) + [.endJudging(isWork: isWork)]
    }

    /// What was to follow in this judgement does not.
    private mutating func refuseJudging(_ index: Int) -> [Step] {
        let end = tasks[index].steps.firstIndex { if case .endJudging = $0 { true } else { false } }!
        tasks[index].steps.removeSubrange(1..<end)
        return handle(.notJudged)
    }

    private mutating func settle(_ group: ChangeGroup, _ steps: [Judgement.Step], of index: Int) -> [Step]? {
        let turns = group.turns(of: steps)
        guard hasTurns(turns, of: index) else { return nil }
        if judge.isOvertaken(steps) { return [.pass(turns)] + answer(.overtaken) }
        if isUnlucky() {
            pass(turns, of: index)
            return refuseJudging(index)
        }
        checkLosses(steps)
        let first = handle(.settling)
        return first.isEmpty ? edit(group, steps, turns) : first + [.edit(group, steps, turns)]
    }

    /// Tells the agent.
    private mutating func edit(_ group: ChangeGroup, _ steps: [Judgement.Step], _ turns: Set<Turn>) -> [Step] {
        var drops: [FolderPath: Drop] = [:]
        for path in group.newPhotoPaths(of: steps) { drops[path] = drop(path, group.found[path]!.photo) }
        for edit in group.edits(of: steps, drops: drops) {
            tell(Self.story(edit))
            apply(edit)
        }
        return [.settled(albums(of: ChangeGroup.albumDirectories(of: steps).sorted()), turns)]
    }

    private mutating func apply(_ edit: FolderEdit) {
        switch edit {
        case .renamed(let album, let blob, _, _):
            gathering.apply(edit, to: nil)
            tellNames(of: [PhotoKey(album: album, blob: blob)])
        case .removed: gathering.apply(edit, to: nil)
        case .replaced(_, _, let drop):
            checkAdd(drop)
            gathering.apply(edit, to: nil)
        case .moved(_, _, let drop):
            checkMove(drop)
            let directory = FolderPath(drop.directory)
            let album = album(directory)
            nameAlbum(album, after: directory)
            gathering.remember(directory, album)
            gathering.apply(edit, to: album)
        }
    }

    private func paths(_ photos: [FolderPath: BlobID], with standings: Set<PhotoStanding>) -> Set<FolderPath> {
        Set(
            photos.filter { path, blob in
                standings.contains(gathering.standing(PhotoKey(album: album(path.albumDirectory), blob: blob)))
            }.keys)
    }

    private static func story(_ edit: FolderEdit) -> String {
        let content = SimulatedGathering.content
        return switch edit {
        case .removed(_, let blob, let path): "withdraw \(content(blob)), which was \(path)"
        case .renamed(_, let blob, _, let path): "rename \(content(blob)) to \(path)"
        case .moved(_, let blob, let drop): "take \(content(blob)) along to \(drop.directory)"
        case .replaced(_, let old, let drop): "replace \(content(old)) by \(content(drop.blob.id))"
        }
    }

    private func drop(_ path: FolderPath, _ found: PendingChanges.Found) -> Drop {
        Drop(
            path, blob: Self.ingested(found.id, found.signature.byteCount), mediaType: found.mediaType,
            modified: found.signature.modified, isLive: found.isLive, isShort: found.isShort)
    }

    static func ingested(_ blob: BlobID, _ byteCount: UInt64) -> IngestedBlob {
        IngestedBlob(id: blob, byteCount: byteCount, pieceList: nil, firstBytes: [])
    }

    private func albums(of directories: [FolderPath]) -> [FolderPath: AlbumID] {
        directories.reduce(into: [:]) { albums, directory in albums[directory] = albumID(directory) }
    }

    // MARK: Files

    private mutating func contribute(_ drop: Drop, _ taken: TakenPhoto, _ job: CandidateBook.Job) -> [Step] {
        if isUnlucky() { return [.answer(.notContributed(job, "The disk is full."))] }
        let directory = FolderPath(drop.directory)
        let key = PhotoKey(album: album(directory), blob: drop.blob.id)
        tell("add \(SimulatedGathering.content(drop.blob.id)) at \(job.path), \(job.isLive)")
        checkAdd(drop)
        nameAlbum(key.album, after: directory)
        gathering.remember(directory, key.album)
        gathering.contribute(key, named: drop.name)
        return [.answer(.contributed(taken, job, key.album))]
    }

    mutating func isUnlucky() -> Bool { temper.contains(.commits) && isOnce(in: 10) }

    // MARK: Placing

    /// A photo that is to be seen here and has no file.
    func nextPlacement() -> Placing? {
        let photos = gathering.visible.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return photos.lazy.compactMap { placement(of: $0) }.first
    }

    func placement(of photo: PhotoKey) -> Placing? {
        guard disk.hasMarker, judge.adoption == .over, judge.state.paths(of: photo).isEmpty,
            judge.state.gone[photo] == nil,
            !judge.state.intents.values.contains(photo),
            let directory = directory(for: photo.album), !disk.isAway(directory)
        else { return nil }
        return .begin(photo)
    }

    private func directory(for album: AlbumID) -> FolderPath? {
        guard temper.contains(.renaming) else { return Self.albums.first { self.album($0) == album } }
        guard let name = gathering.names[album] else { return nil }
        return judge.state.directory(of: album)
            ?? judge.state.directories(for: album, named: name, beside: []).first { _ in true }
    }

    private mutating func place(_ placing: Placing, of index: Int) -> [Step]? {
        switch placing {
        case .begin(let photo):
            guard hasTurns([.photo(photo.blob)], of: index) else { return nil }
            guard let directory = directory(for: photo.album) else { return [.pass([.photo(photo.blob)])] }
            if temper.contains(.renaming) {
                if complaint != nil || disk.isAway(directory) { return [.pass([.photo(photo.blob)])] }
                disk.makeDirectory(directory)
            }
            let name = temper.contains(.naming) ? gathering.name(of: photo) : SimulatedGathering.othersName(of: photo)
            let placing = FolderEngine.Placing(photo, in: directory, name: name, type: .jpeg, deviceName: Self.device)
            return [.place(.attempt(placing))]
        case .attempt(var placing):
            switch placing.next(&judge) {
            case .unwanted, .directoryUnfit, .exhausted: return [.pass([.photo(placing.photo.blob)])]
            case .place(let path, let intent): return [.directive(.commit(intent)), .place(.put(placing, path))]
            }
        case .put(let placing, let path):
            let outcome = put(placing.photo, at: path)
            let stepsLeft = Int.random(in: 0...20, using: &random)
            return [.place(.record(placing, path, outcome, stepsLeft: stepsLeft))]
        case .record(let placing, let path, let outcome, let stepsLeft):
            if stepsLeft > 0 { return [.place(.record(placing, path, outcome, stepsLeft: stepsLeft - 1))] }
            // Its removal may have come while it was on its way.
            if !gathering.visible.contains(placing.photo) { unfollowed.insert(placing.photo) }
            let next: Step = outcome == .taken ? .place(.attempt(placing)) : .pass([.photo(placing.photo.blob)])
            let followers = handle(.placed([.init(path, placing.photo, outcome)]))
            // It may have another name since.
            tellNames(of: [placing.photo])
            return followers + [next]
        }
    }

    private mutating func put(_ photo: PhotoKey, at path: FolderPath) -> FolderEngine.Placing.Outcome {
        disk.knownMounts = judge.mounts
        if !disk.hasMarker || disk.isAway(path) || judge.adoption != .over { return .failed(isUnavailable: true) }
        if disk.failures[path.parent] != nil { return .failed(isUnavailable: false) }
        // It has another name by now, or a person removed it.
        if temper.contains(.renaming), disk.look(at: path.parent) != .directory { return .failed(isUnavailable: false) }
        let content = SimulatedGathering.content(photo.blob)
        // What went from there before is another file.
        takenAway[path] = nil
        switch disk.stat(path) {
        case .file(var file):
            guard file.content == content else { return .taken }
            file.isDurable = true
            disk.set(path, file)
            return .found(file.signature)
        case .directory: return .taken
        case .failed:
            var file = disk.newFile(content)
            file.isDurable = true
            disk.set(path, file)
            notice(.touched(path), in: path.parent)
            give(path, to: photo.blob)
            placedInodes.insert(file.signature.inode)
            tell("place \(path) \(content)")
            return .placed(file.signature)
        }
    }
}
