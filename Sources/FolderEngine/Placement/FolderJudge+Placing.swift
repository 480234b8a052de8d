package import AlbumModel

/// What this program itself does to files: which name is free, and what follows once a file is placed or taken away.
extension FolderJudge {
    /// Reserves a path for a photo that is about to be placed there. While another photo is being found at it, it is not
    /// free: the file may be gone by now, and its record comes.
    package mutating func reserve(_ path: FolderPath, for photo: PhotoKey) -> FolderState.Reservation {
        if let found = looks.found(at: path), found != photo.blob { return .taken }
        return state.reserve(path, for: photo)
    }

    /// Reserves the path of a record's own file, to put it there again, in the turn of its bytes.
    ///
    /// - Returns: the facts to commit before that.
    package mutating func reserveAgain(_ path: FolderPath, _ record: FileRecord) -> [FactChange] {
        state.reserveAgain(path, for: record.photo)
    }

    mutating func placed(_ ends: [Placing.End], now: MonotonicInstant) -> [FolderDirective] {
        var changes: [FactChange] = []
        var noticed: [FolderPath] = []
        for end in ends where state.intents[end.path] == end.photo {
            if case .failed(isUnavailable: true) = end.outcome { schedule.rescan(now: now) }
            let (ended, wasNoticed) = self.end(end.path, recording: end.record)
            changes += ended
            if wasNoticed { noticed.append(end.path) }
        }
        return Self.commit(changes) + noticed.map { .lookAgain($0) }
    }

    /// Turns a reservation into a file's record, or drops it.
    ///
    /// - Returns: also whether something was noticed at the path: mostly our own doing, which one look shows; else a person
    ///   was quick.
    private mutating func end(
        _ path: FolderPath, recording record: FileRecord?
    ) -> (changes: [FactChange], wasNoticed: Bool) {
        let (released, wasNoticed) = state.release(path)
        let recorded = record.map { state.record(path, $0) } ?? []
        return (released + recorded, wasNoticed)
    }

    /// The same of a record's own file, which says nothing about another photo that is known there by now.
    mutating func putBack(_ path: FolderPath, _ record: FileRecord, _ signature: FileSignature?) -> [FolderDirective] {
        guard state.intents[path] == record.photo else { return [] }
        var again: FileRecord?
        if let signature, state.files[path]?.photo == record.photo {
            again = FileRecord(photo: record.photo, signature: signature, origin: record.origin)
        }
        let (changes, wasNoticed) = end(path, recording: again)
        return Self.commit(changes) + (wasNoticed ? [.lookAgain(path)] : [])
    }

    /// Of a file that is another one by now, or was written to, nothing follows: it is looked at as any other.
    mutating func relinked(
        _ path: FolderPath, _ record: FileRecord, _ signature: FileSignature
    ) -> [FolderDirective] {
        guard state.files[path] == record, signature.isSameFile(as: record.signature) else { return [] }
        let again = FileRecord(photo: record.photo, signature: signature, origin: record.origin)
        return Self.commit(state.record(path, again))
    }

    // MARK: Taking away

    /// Photos are not to be seen here any more. What lists as removed before stays.
    mutating func unwanted(_ photos: [PhotoKey], now: MonotonicInstant) -> [FolderDirective] {
        var files: [FolderPath: FileRecord] = [:]
        var changes: [FactChange] = []
        for photo in photos {
            changes += letBack(photo, now: now)
            for path in state.paths(of: photo).sorted() where state.files[path]!.origin != .removed {
                files[path] = state.files[path]
                _ = state.leave(path, photo)
            }
        }
        return files.isEmpty ? Self.commit(changes) : takeAway(files, changes)
    }

    /// A photo that a person deleted, or that was to go, may be here again. Files of it that may be gone already are looked
    /// at soon.
    mutating func letBack(_ photo: PhotoKey, now: MonotonicInstant) -> [FactChange] {
        let changes = state.letBack(photo)
        if state.paths(of: photo).contains(where: state.isReturning) { schedule.takeAwaySoon(now: now) }
        return changes
    }

    /// Goes on with files that an earlier run, or an attempt that failed, has left. Those that are set aside for the
    /// quarantine stay.
    mutating func resumeTakingAway() -> [FolderDirective] {
        let paths = state.leaving.keys.filter { state.hasIntentToLeave($0) && !state.settingAside.contains($0) }
        return takeAway(Dictionary(uniqueKeysWithValues: paths.map { ($0, state.files[$0]!) }))
    }

    /// - Parameter changes: To be committed with the intents. Were they to be committed before, and could not be, nobody
    ///   would hand in the end of any file.
    private mutating func takeAway(
        _ files: [FolderPath: FileRecord], _ changes: [FactChange] = []
    ) -> [FolderDirective] {
        leavings.begin(files.keys)
        let intents = changes + files.keys.sorted().map { state.intentToLeave($0) }
        return files.isEmpty ? [] : [.takeAway(files, intents: intents)]
    }

    /// Whether the file of a record may go, to be asked right before that.
    package func verdict(on file: LeavingFile, at path: FolderPath, _ record: FileRecord) -> LeavingFile.Verdict {
        guard state.hasIntentToLeave(path), state.leaving[path] == record.photo else { return .overtaken }
        let isReturning = state.isReturning(path)
        if state.isBeingRenamed(path) { return .later }
        switch file {
        case .absent: return .gone
        case .unknown: return .later
        case .notFile: return isReturning ? .stays : .left
        // It is there, though its photo left its album because it was not: one of the two looks was wrong.
        case .file where pending.paths[path] == .absent: return .later
        case .file where isReturning: return .stays
        // Somebody put it there since.
        case .file where looks.found(at: path) != nil: return .left
        case .file(let signature, let writer, let holdsPhoto):
            // It may be what a power cut left of the photo, and is looked at for that first.
            if !holdsPhoto, state.fresh.suspects.contains(path) { return .later }
            let isPhoto = holdsPhoto || PlantedFault.isPlanted(.editedFileTakenAway)
            return isPhoto && writer != .open ? .removed(signature) : .left
        }
    }

    mutating func takenAway(
        _ files: [FolderPath: FileRecord], _ outcomes: [FolderPath: FolderInput.TakingAway], now: MonotonicInstant
    ) -> [FolderDirective] {
        // Of the others something else is known by now.
        let known = outcomes.filter { path, outcome in
            guard let record = files[path] else { return false }
            let isMeant = state.leaving[path] == record.photo
            return switch outcome {
            case .gone: isMeant && state.hasIntentToLeave(path) || state.files[path] == record
            case .left: isMeant && state.isLeaving(path)
            case .stays: false
            }
        }
        // What is wanted again and there is a file like any.
        let stays = outcomes.filter { $0.value != .gone && state.isReturning($0.key) }.keys.sorted()
        let stayed = stays.flatMap { state.stay($0) }
        let ordered = known.sorted { $0.key < $1.key }
        let returned = ordered.filter { !state.isLeaving($0.key) }.map { files[$0.key]!.photo }
        // What stays is a file like any: its album has lost the photo of the record.
        let changes = ordered.flatMap { state.drop($0.key) }
        // Beside it other albums' photos kept their former names.
        if !ordered.isEmpty { renamings.checkPhotos(now: now) }
        for (path, outcome) in ordered {
            // What was found at a path where the file stays waits to be judged still.
            if outcome == .gone {
                settled(path, now: now)
                // Whoever is renamed to its name next asks before the watcher tells that it went.
                listings.noticed(vanished: path, isOurs: false)
            }
            looks.takeAway(path)
        }
        // Of which it is not known that this program did it.
        for (path, isTold) in leavings.end(files.keys) where known[path] != .gone {
            schedule.foundAbsent(path, isTold: isTold, now: now)
        }
        let unplaced = returned.filter { state.paths(of: $0).isEmpty }
        let left = stays + ordered.filter { $0.value == .left }.map(\.key)
        // Those first: where the changes cannot be committed, what is behind them is left, and nobody would place the photos.
        return left.map { .lookAgain($0) } + unplaced.map { .report(.unplaced(album: $0.album, blob: $0.blob)) }
            + Self.commit(stayed + changes)
    }
}

extension Placing.End {
    /// The file that is known now; `nil` where there is none of the photo.
    fileprivate var record: FileRecord? {
        switch outcome {
        case .placed(let signature): FileRecord(photo: photo, signature: signature, origin: .placed)
        case .found(let signature): FileRecord(photo: photo, signature: signature, origin: .adopted)
        case .taken, .failed: nil
        }
    }
}
