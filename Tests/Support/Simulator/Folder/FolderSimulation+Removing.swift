import AlbumModel
import FolderEngine

/// What others remove and bring back, and how the agent has its folder follow.
extension FolderSimulation {
    /// Before what failed is tried again.
    private static let retryInterval = Duration.seconds(10)

    /// A file on its way out of the folder.
    enum Leaving {
        case look(FolderPath, FileRecord)
        case remove(FolderPath, FileRecord, FileSignature)
        case end([FolderPath: FileRecord])
    }

    mutating func changeOthersMind() {
        let isRemoval = Int.random(in: 0..<3, using: &random) > 0
        let photos = isRemoval ? gathering.visible : gathering.ever.subtracting(gathering.visible)
        let ordered = photos.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        // Most is at stake where something waits for the photo's turn.
        let awaited = isOnce(in: 2) ? ordered.filter(isAwaited) : []
        let chosen = awaited.randomElement(using: &random) ?? ordered.randomElement(using: &random)
        guard let photo = chosen, !isBeingJudged(photo) else { return }
        tell("others \(isRemoval ? "remove" : "bring back") \(SimulatedGathering.content(photo.blob))")
        if isRemoval { gathering.withdraw(photo) } else { gathering.addOthers(photo) }
        unfollowed.insert(photo)
    }

    private func isAwaited(_ photo: PhotoKey) -> Bool {
        let turn = Turn.photo(photo.blob)
        return !usedTurns.contains(turn) && tasks.contains { $0.numbers.keys.contains { $0.contains(turn) } }
    }

    /// A person's deletion of a photo's file is on its way to the journal.
    private func isBeingJudged(_ photo: PhotoKey) -> Bool {
        usedTurns.contains(.photo(photo.blob))
            || tasks.contains { task in
                task.steps.contains { step in
                    guard case .directive(.commit(let changes)) = step else { return false }
                    return changes.contains { $0.kind == .folderGone && $0.key == photo.bytes }
                }
            }
    }

    /// The agent follows what changed, one step after the other.
    mutating func follow() {
        guard isRunning, following.isEmpty, !unfollowed.isEmpty, followAt <= now else { return }
        let photos = unfollowed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        (following, unfollowed) = (unfollowed, [])
        let leaving = photos.filter { !gathering.visible.contains($0) }
        let returning = photos.filter { gathering.visible.contains($0) }
        tasks.append(Task(steps: handle(.unwanted(leaving)) + [.letBack(returning), .followed]))
    }

    mutating func letBack(_ photos: [PhotoKey], of index: Int) -> [Step] {
        tasks[index].isIncomplete || photos.isEmpty ? [] : handle(.letBack(photos))
    }

    mutating func followed(of index: Int) -> [Step] {
        if tasks[index].isIncomplete {
            unfollowed.formUnion(following)
            followAt = now + Self.retryInterval
        }
        following = []
        // Files that went may have had their names.
        tellNames(of: gathering.visible.filter { SimulatedGathering.isSuccessor($0) })
        return []
    }

    /// What a run that ended may have left.
    mutating func followAll() {
        unfollowed.formUnion(gathering.ever.subtracting(gathering.visible))
        let steps = handle(.started)
        if !steps.isEmpty { tasks.append(Task(steps: steps)) }
    }

    // MARK: Files

    /// Some at a time.
    func takeAway(_ files: [FolderPath: FileRecord]) -> [Step] {
        let (ordered, groupCountMax) = (files.sorted { $0.key < $1.key }, 2)
        return stride(from: 0, to: ordered.count, by: groupCountMax).flatMap { start -> [Step] in
            let group = ordered[start...].prefix(groupCountMax)
            let end = Step.leave(.end(Dictionary(uniqueKeysWithValues: group.map { ($0.key, $0.value) })))
            return group.map { .leave(.look($0.key, $0.value)) } + [end]
        }
    }

    mutating func leave(_ leaving: Leaving, of index: Int) -> [Step]? {
        disk.knownMounts = judge.mounts
        switch leaving {
        case .look(let path, let record):
            guard hasTurns([.photo(record.photo.blob)], of: index) else { return nil }
            switch verdict(path, record) {
            case .gone: return leave(path, record, .gone, of: index)
            case .left: return leave(path, record, .left, of: index)
            case .stays: return leave(path, record, .stays, of: index)
            case .later: return leave(path, record, nil, of: index)
            case .overtaken:
                pass([.photo(record.photo.blob)], of: index)
                return []
            case .removed(let seen): return [.leave(.remove(path, record, seen))]
            }
        case .remove(let path, let record, let seen):
            return leave(path, record, remove(path, record, seen), of: index)
        case .end(let files):
            let outcomes = tasks[index].outcomes
            tasks[index].outcomes = [:]
            return handle(.takenAway(files, outcomes))
        }
    }

    /// - Parameter outcome: `nil` where the file could not be looked at.
    private mutating func leave(
        _ path: FolderPath, _ record: FileRecord, _ outcome: FolderInput.TakingAway?, of index: Int
    ) -> [Step] {
        pass([.photo(record.photo.blob)], of: index)
        tasks[index].outcomes[path] = outcome
        if outcome == nil { tasks[index].isIncomplete = true }
        return []
    }

    private mutating func verdict(_ path: FolderPath, _ record: FileRecord) -> LeavingFile.Verdict {
        if complaint != nil || disk.isAway(path) || judge.gaps.covers(path) { return .later }
        if !isMended, isOnce(in: 8) { surprise() }
        defer { disk.endSurprise() }
        let seen: LeavingFile
        switch disk.stat(path) {
        case .file(let file):
            seen = .file(
                file.signature, file.isOpen ? .open : .none,
                holdsPhoto: SimulatedGathering.blob(file.content) == record.photo.blob)
        case .directory: seen = .notFile
        case .failed(2): seen = isGone(path) ? .absent : .unknown
        case .failed: return .later
        }
        return judge.verdict(on: seen, at: path, record)
    }

    private func isGone(_ path: FolderPath) -> Bool {
        var presence = DiskPresence(disk)
        return presence.isAbsent(path) && complaint == nil
    }

    /// A file that was changed since the look stays.
    private mutating func remove(
        _ path: FolderPath, _ record: FileRecord, _ seen: FileSignature
    ) -> FolderInput.TakingAway? {
        switch disk.stat(path) {
        case .file(let file):
            guard file.signature.isSameFile(as: seen) else { return .left }
            if SimulatedGathering.blob(file.content) != record.photo.blob {
                violated("\(path) was taken away, and was not the photo's file")
            }
            tell("take away \(path) \(file.content)")
            disk.set(path, nil)
            takenAway[path] = record.photo
            notice(.vanished(path), in: path.parent)
            return .gone
        case .directory: return .left
        case .failed(let number): return number == 2 && isGone(path) ? .gone : nil
        }
    }
}
