import AlbumModel
import FolderEngine

/// What the simulated disk answers about its files.
extension FolderSimulation {
    var complaint: String? { disk.hasMarker ? nil : "The folder is not there." }

    func isUnchanged(_ path: FolderPath, _ record: FileRecord) -> Bool {
        if case .file(let file) = disk.stat(path) { file.signature.isUnchanged(since: record.signature) } else { false }
    }

    func sight(_ path: FolderPath) -> FolderInput.EntrySight {
        switch disk.stat(path) {
        case .file(let file): .present(file.signature)
        case .directory: .absent
        case .failed(let number): number == 2 ? .absent : .failed(number)
        }
    }

    static func isText(_ content: Int) -> Bool { content % 11 == 10 }

    // MARK: One look

    func look(at path: FolderPath) -> Result<FileLook, LookError> {
        let kind: FileLook.Kind
        let signature: FileSignature
        switch disk.stat(path) {
        case .file(let file): (kind, signature) = (.file, file.signature)
        case .directory:
            (kind, signature) = (.directory, FileSignature(inode: 1, byteCount: 0, modified: 0, changed: 0))
        case .failed(let number): return .failure(Self.error(number))
        }
        return .success(
            FileLook(
                kind: kind, signature: signature, complaint: complaint,
                away: disk.isAway(path) ? FolderDisk.card : nil))
    }

    func compare(_ comparison: FileComparison) -> Result<FileComparison.Answer, LookError> {
        file(comparison.job.path).map { file in
            SimulatedGathering.blob(file.content) == comparison.photo.blob
                ? .same(file.signature) : .other(file.signature)
        }
    }

    func examine(_ path: FolderPath) -> Result<FileExamination, LookError> {
        file(path).map { file in
            FileExamination(
                content: Self.isText(file.content) ? .refused("it is text") : .media(.jpeg),
                observation: CandidateBook.Observation(
                    signature: file.signature, writer: file.isOpen ? .open : .none, isShort: false))
        }
    }

    func ingest(_ request: FileImport) -> Result<IngestedBlob, LookError> {
        file(request.job.path).flatMap { file in
            guard file.signature == request.signature, !file.isOpen else { return .failure(.changed) }
            return .success(Self.ingested(SimulatedGathering.blob(file.content), file.signature.byteCount))
        }
    }

    private func file(_ path: FolderPath) -> Result<SimulatedFile, LookError> {
        switch disk.stat(path) {
        case .file(let file): .success(file)
        case .directory: .failure(.changed)
        case .failed(let number): .failure(Self.error(number))
        }
    }

    private static func error(_ number: Int32) -> LookError {
        number == 2 ? .absent : .failed("It cannot be read.")
    }

    // MARK: Whether files are there

    mutating func answer(_ check: FolderCheck) -> FolderCheck.Answer? {
        if case .pending = check.reason { verifiedStep = step }
        if !isMended, Int.random(in: 0..<8, using: &random) == 0 { surprise() }
        defer { disk.endSurprise() }
        var presence = DiskPresence(disk)
        var answer = FolderCheck.Answer.none
        for path in check.paths {
            answer.sights[path] = sight(path, isCompared: check.compared.contains(path), &presence)
        }
        answer.complaint = complaint
        answer.away = disk.knownMounts.away(Set(disk.knownMounts.identities.keys), in: disk.table())
        return answer
    }

    private func sight(
        _ path: FolderPath, isCompared: Bool, _ presence: inout DiskPresence<FolderDisk>
    ) -> PendingChanges.Sight {
        guard isCompared else { return PendingChanges.Sight(presence.answer(path)) }
        switch disk.stat(path) {
        case .file(let file): return disk.isAway(path) ? .unknown : .present(file.signature)
        case .directory: return .unknown
        case .failed(let number): return number == 2 && presence.answer(path) == .absent ? .absent : .unknown
        }
    }
}
