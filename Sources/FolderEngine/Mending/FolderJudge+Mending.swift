import AlbumModel

/// What a power cut, or a disk that was pulled out, took of files that a person had just made, and how it is put back.
///
/// Their photos are durable in the store. It happens before the folder is looked through: what is missing then, or holds
/// other bytes, is a person's doing.
extension FolderJudge {
    /// Goes on with the next file that the disk may have lost; behind the last one the folder is looked through.
    mutating func mendNext() -> [FolderDirective] {
        var changes: [FactChange] = []
        while let path = scan.suspects.popLast() {
            if let record = state.files[path] {
                scan.phase = .mending(path)
                return Self.commit(changes) + [.mend(path, record)]
            }
            changes += state.fresh.clear(path)
        }
        return Self.commit(changes) + beginWalk()
    }

    /// What is to be done about what is left of a record's file. To be asked in the turn of its bytes, right before that.
    package func verdict(on remains: Remains, at path: FolderPath, _ record: FileRecord) -> Remains.Verdict {
        // Something else is known there by now.
        guard state.files[path]?.photo == record.photo else { return .leave }
        if state.isBeingRenamed(path) { return .wait }
        switch remains {
        case .unknown: return .wait
        case .whole, .other: return .leave
        case .nothing, .damaged: break
        }
        if state.settingAside.contains(path) { return .leave }
        if state.leaving[path] != nil, !state.isReturning(path) { return .remove }
        if remains == .nothing, PlantedFault.isPlanted(.powerCutIsDeletion) { return .leave }
        return remains == .nothing ? .place : .replace
    }

    mutating func mended(
        _ path: FolderPath, _ record: FileRecord, _ outcome: FolderInput.Mending,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        guard scan.phase == .mending(path) else { return [] }
        var changes: [FactChange] = []
        switch outcome {
        // It waited for this.
        case .done: if state.hasIntentToLeave(path) { schedule.takeAwaySoon(now: now) }
        // Taking away ends its record. It stays suspect until then: its photo may come back to the album.
        case .gone:
            schedule.takeAwaySoon(now: now)
            return mendNext()
        // Its record stays, and the next scan asks again. While files are adopted records mean nothing.
        case .unknown,
            .unavailable where !isAdopting:
            scan.unmended.append(path)
            return mendNext()
        // Without its record nobody takes it for deleted: the photo is placed like any that has no file.
        case .unavailable, .failed:
            if state.files[path]?.photo == record.photo { changes = state.drop(path) }
        }
        changes += state.fresh.clear(path)
        return Self.commit(changes) + mendNext()
    }

    /// The disk has taken the files that were noted by then.
    ///
    /// - Parameter missed: Those whose disk is away; `nil` where nothing could be done.
    mutating func synchronized(_ noted: UInt64, missed: Set<FolderPath>?, now: MonotonicInstant) -> [FolderDirective] {
        let changes = missed.map { state.fresh.synced(noted, but: $0) } ?? []
        schedule.finishSync(isWantedAgain: !state.fresh.isEmpty, now: now)
        return Self.commit(changes)
    }
}
