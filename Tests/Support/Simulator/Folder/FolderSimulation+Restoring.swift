import AlbumModel
import FolderEngine

/// What power cuts take, and how the agent puts files back.
extension FolderSimulation {
    /// Added to a content's number it names what a power cut left of these bytes: a beginning, or zeros.
    private static let damage = 110_000_000

    /// A file on its way back to where it was.
    enum Restoring {
        case bringBack(FolderPath, FileRecord, BringBackReason)
        case reserve(FolderPath, FileRecord, Cause)
        case put(FolderPath, FileRecord, Cause)
        case end(FolderPath, FileRecord, Cause, Result<FileSignature, Failure>)

        enum Failure: Error { case unavailable, failed }

        /// Who is told what came of it.
        enum Cause {
            case powerCut
            case other(BringBackReason)
        }
    }

    // MARK: Power

    /// Files that were not synced may be gone, cut short or full of zeros. What a person did to a file that was known, and is
    /// not known yet, stays: nobody could tell its loss from what people do.
    mutating func cutPower() {
        tell("the power is cut")
        if isRunning { crash() }
        boot += 1
        loseRenaming()
        for (path, file) in disk.truth.sorted(by: { $0.key < $1.key }) where disk.isReachable(path) {
            var left: SimulatedFile? = file
            left!.isOpen = false
            if !file.isDurable { left = remains(of: left!, at: path) }
            left?.isDurable = true
            disk.set(path, left)
        }
    }

    private mutating func remains(of file: SimulatedFile, at path: FolderPath) -> SimulatedFile? {
        let record = journal[.folderFile]?[path.bytes].flatMap { FileRecord(bytes: $0) }
        guard let record else {
            // Of one that a person deleted earlier and put there again, its loss would be another deletion.
            let isGone = journal[.folderGone]?[key(path, file.content).bytes] != nil
            return isGone || Bool.random(using: &random) ? file : nil
        }
        let isFresh = journal[.folderFresh]?[path.bytes] != nil
        guard isFresh, record.photo.blob == SimulatedGathering.blob(file.content) else { return file }
        var left: SimulatedFile? = file
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return file
        case 1: left = nil
        case 2: left!.content += Self.damage
        default:
            left!.content += Self.damage
            left!.signature.byteCount /= 2
        }
        left?.isDurable = true
        tell("\(path) \(file.content) is \(left == nil ? "gone" : "damaged")")
        powerLost[path] = (record.photo, left)
        return left
    }

    mutating func synchronize(_ paths: [FolderPath], _ noted: UInt64) -> [Step] {
        guard disk.hasMarker else { return handle(.synchronized(noted: noted, missed: nil)) }
        disk.synchronize()
        return handle(.synchronized(noted: noted, missed: Set(paths.filter { disk.isAway($0) })))
    }

    // MARK: Adoption

    /// The journal is made anew, or comes from a backup, which knows what a person deleted that is not back. The card is
    /// there, as when the folder was new.
    mutating func loseJournal() {
        guard disk.isOwnRoot, disk.isOwnCard, !disk.isTableUnknown else { return }
        tell("the journal is lost")
        if isRunning { crash() }
        // Of what a power cut has damaged nobody knows any more what it was.
        for (path, file) in disk.truth where file.content >= Self.damage {
            ledger.put(SimulatedGathering.blob(file.content), at: path, step: step)
        }
        // Of directories the backup knows whose they are.
        let known = Array(judge.state.files.keys) + [judge.state.intents, judge.state.interrupted].flatMap(\.keys)
        for directory in Set(known.map(\.albumDirectory)) {
            gathering.remember(directory, album(directory))
        }
        let card = disk.truth.filter { $0.key.isBelow(FolderDisk.card) }.values
        let blobs = Set(card.map { SimulatedGathering.blob($0.content) })
        forgotten = blobs.filter { !wasPut($0) { $0 == FolderDisk.card } }
        let back = Set(gathering.visible.map(\.bytes))
        journal = [
            .folderGone: (journal[.folderGone] ?? [:]).filter { !back.contains($0.key) }, Adoption.fact: [[]: [1]],
        ]
    }

    /// Folder state has a file on the card again; or all that is there has been looked at, and nothing else counts as the
    /// agent's. Where the card is away then, nobody can tell whose its files are.
    mutating func recall(_ change: FactChange) {
        if change.kind == Adoption.fact, change.value == nil, disk.isOwnCard { forgotten = [] }
        guard change.kind == .folderFile, FolderPath(bytes: change.key).isBelow(FolderDisk.card) else { return }
        if let record = change.value.flatMap({ FileRecord(bytes: $0) }) { forgotten.remove(record.photo.blob) }
    }

    /// Whether the folder would miss the card.
    var isCardKnown: Bool { journal[.folderMount]?[FolderDisk.card.bytes] != nil }

    /// The agent knows the gathering's photos.
    mutating func adopt() {
        tell("adopt")
        // What follows is handed out as work.
        _ = handle(.adopt)
    }

    // MARK: Putting back

    /// Ends with an answer, in the turn of the file's bytes.
    mutating func mend(_ path: FolderPath, _ record: FileRecord, of index: Int) -> [Step]? {
        let turns: Set<Turn> = [.photo(record.photo.blob)]
        guard hasTurns(turns, of: index) else { return nil }
        let remains = remains(path, record)
        let verdict = judge.verdict(on: remains, at: path, record)
        tell("\(path) is looked at for losses: \(verdict)")
        if remains == .damaged, verdict == .remove || verdict == .replace {
            disk.set(path, nil)
            notice(.vanished(path), in: path.parent)
        }
        switch verdict {
        case .leave: return [.pass(turns), .answer(.mended(path, record, .done))]
        case .remove: return [.pass(turns), .answer(.mended(path, record, .gone))]
        case .wait: return [.pass(turns), .answer(.mended(path, record, .unknown))]
        case .place, .replace: return [.restore(.reserve(path, record, .powerCut))]
        }
    }

    private mutating func remains(_ path: FolderPath, _ record: FileRecord) -> Remains {
        if !isMended, isOnce(in: 8) { surprise() }
        defer { disk.endSurprise() }
        switch disk.stat(path) {
        case .file(let file):
            // The card is away, or the store's copy cannot be read.
            if disk.isAway(path) || !isMended && isOnce(in: 10) { return .unknown }
            let content = SimulatedGathering.content(record.photo.blob)
            return file.content == content ? .whole : file.content == content + Self.damage ? .damaged : .other
        case .directory: return .other
        case .failed:
            var presence = DiskPresence(disk)
            return presence.isAbsent(path) ? .nothing : .unknown
        }
    }

    mutating func restore(_ restoring: Restoring, of index: Int) -> [Step]? {
        disk.knownMounts = judge.mounts
        switch restoring {
        case .bringBack(let path, let record, let reason):
            guard hasTurns([.photo(record.photo.blob)], of: index) else { return nil }
            if judge.wantsBack(path, record, for: reason) {
                return [.restore(.reserve(path, record, .other(reason)))]
            }
            return [.pass([.photo(record.photo.blob)]), .answer(Self.answer(path, record, reason, .unwanted))]
        case .reserve(let path, let record, let cause):
            let intent = judge.reserveAgain(path, record)
            if isUnlucky() { return [.restore(.end(path, record, cause, .failure(.failed)))] }
            return [.directive(.commit(intent)), .restore(.put(path, record, cause))]
        case .put(let path, let record, let cause):
            return [.restore(.end(path, record, cause, put(path, record)))]
        case .end(let path, let record, let cause, let result):
            let answer = Self.answer(path, record, cause, result)
            return handle(.putBack(path, record, try? result.get()))
                + [.pass([.photo(record.photo.blob)]), .answer(answer)]
        }
    }

    private static func answer(
        _ path: FolderPath, _ record: FileRecord, _ cause: Restoring.Cause,
        _ result: Result<FileSignature, Restoring.Failure>
    ) -> FolderInput {
        switch (cause, result) {
        case (.powerCut, .success): .mended(path, record, .done)
        case (.powerCut, .failure(.unavailable)): .mended(path, record, .unavailable)
        case (.powerCut, .failure(.failed)): .mended(path, record, .failed)
        case (.other(let reason), .success): answer(path, record, reason, .done)
        case (.other(let reason), .failure(.unavailable)): answer(path, record, reason, .unavailable)
        case (.other(let reason), .failure(.failed)): answer(path, record, reason, .failed)
        }
    }

    private static func answer(
        _ path: FolderPath, _ record: FileRecord, _ reason: BringBackReason, _ outcome: FolderInput.BringingBack
    ) -> FolderInput {
        switch reason {
        case .damage: .broughtBack(path, record, outcome)
        case .undoing: .undone(path, record, outcome)
        }
    }

    /// What waits for a person was not meant.
    mutating func beginUndoing(of index: Int) -> [Step]? {
        guard hasTurns([.judging], of: index) else { return nil }
        if judge.pending.held == nil || !judge.isHeldKnown { return [.endJudging(isWork: false)] }
        let files = judge.undoing()
        return files.map { .restore(.bringBack($0.path, $0.record, .undoing)) }
            + [.answer(.undoingEnded), .endJudging(isWork: false)]
    }

    private mutating func put(_ path: FolderPath, _ record: FileRecord) -> Result<FileSignature, Restoring.Failure> {
        if complaint != nil || disk.isAway(path) || judge.adoption != .over { return .failure(.unavailable) }
        let inTheWay: FileInTheWay
        switch disk.stat(path) {
        case .file(let file):
            let isPhoto = SimulatedGathering.blob(file.content) == record.photo.blob
            inTheWay = isPhoto ? .photo(file.signature) : .other
        case .failed(2) where disk.failures[path.parent] == nil: inTheWay = .nothing
        case .directory, .failed: return .failure(.failed)
        }
        switch inTheWay.verdict(isPhotoHeld: true) {
        case .keep(let signature): return .success(signature)
        case .leave: return .failure(.failed)
        case .moveAside: if !moveAside(path) { return .failure(.failed) }
        case .place: break
        }
        var file = disk.newFile(SimulatedGathering.content(record.photo.blob))
        file.isDurable = true
        disk.set(path, file)
        notice(.touched(path), in: path.parent)
        tell("put back \(path) \(file.content)")
        return .success(file.signature)
    }

    private mutating func moveAside(_ path: FolderPath) -> Bool {
        for target in DiskName.pathsBeside(path) {
            guard case .failed(2) = disk.stat(target) else { continue }
            move(path, to: target)
            return true
        }
        return false
    }
}
