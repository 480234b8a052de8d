import AlbumModel

/// One look at a file, from question to question: each answer either concludes it or asks the next one.
///
/// The first answer's signature names the file. A question behind it has no answer for any other file, so that whatever a
/// person does between two questions is looked at anew.
extension FolderJudge {
    mutating func looked(
        at job: CandidateBook.Job, _ answer: Result<FileLook, LookError>,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        if names.isOwn(job.path) { return conclude(job, .settled, now: now) }
        switch answer {
        case .failure(let error):
            // Not even its size is known: it may be any file of its album.
            if error.isUnanswered { noteUnanswered(job.path, now: now) }
            return conclude(job, LookFinding(error), now: now)
        case .success(let look):
            if let finding = finding(at: job, look, now: now) {
                return conclude(job, finding, now: now)
            }
            schedule.sees(job.path, look.signature, now: now)
            return [question(about: job, look.signature)]
        }
    }

    /// What is known of a file without reading it; `nil` where it has to be read.
    private func finding(at job: CandidateBook.Job, _ look: FileLook, now: MonotonicInstant) -> LookFinding? {
        let path = job.path
        if complaint(look.complaint) != nil { return .unavailable }
        // In the bare directory of a disk that is away nothing is taken in; the disk's own files are looked at once it is
        // back.
        if let mount = look.away { return .away(mount) }
        if pending.isWaiting(path, look.signature, isLive: job.isLive) { return .pending }
        if !job.isLive, damaged.contains(path, seen: look.signature) { return .pending }
        switch look.kind {
        case .directory:
            if state.files[path] != nil { return .absent }
            return JunkRules.reason(directoryName: path.name).map { .noPhoto($0, look.signature) } ?? .settled
        case .link: return .noPhoto("it is a symbolic link; put the file itself here", look.signature)
        case .other: return .noPhoto("it is no ordinary file", look.signature)
        case .file: break
        }
        if let reason = JunkRules.reason(path) { return .noPhoto(reason, look.signature) }
        let isKnown = state.isKnown(path, look.signature)
        return isKnown && !looks.mayBeAnew(path, isLive: job.isLive, now: now) ? .settled : nil
    }

    /// The question that may save reading a file as a new one.
    private func question(about job: CandidateBook.Job, _ signature: FileSignature) -> FolderDirective {
        if let record = state.files[job.path] {
            // Other bytes, though neither size nor time changed: no program that saves a file leaves it so, a failing disk
            // does. Who saves a file while it is watched means it, whatever its time is afterwards.
            let mayBeDamaged =
                !job.isLive && record.origin != .removed && signature.isUnchanged(since: record.signature)
            if !mayBeDamaged { return .examine(job, signature) }
            return .compare(FileComparison(.damage, job, signature: signature, photo: record.photo))
        }
        // One that is where another photo was goes the way of all bytes.
        guard let other = state.sameFile(as: signature, beside: job.path), let record = state.files[other] else {
            return .examine(job, signature)
        }
        if record.signature == signature { return isMoved(other, record.photo, to: job, signature) }
        // A rename changes the ctime, as would an edit that hides its traces.
        return .compare(FileComparison(.otherName(other), job, signature: signature, photo: record.photo))
    }

    /// Where names differ by case alone, the disk may answer to both; the listing tells.
    private func isMoved(
        _ other: FolderPath, _ photo: PhotoKey, to job: CandidateBook.Job, _ signature: FileSignature
    ) -> FolderDirective {
        .check(FolderCheck(.otherName(job, signature, photo), [other]))
    }

    mutating func compared(
        _ comparison: FileComparison, _ answer: Result<FileComparison.Answer, LookError>,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        let (job, signature) = (comparison.job, comparison.signature)
        switch (comparison.reason, answer) {
        case (.otherName(let other), .success(.same(signature))):
            return [isMoved(other, comparison.photo, to: job, signature)]
        // What cannot be compared goes the way of all bytes: a name that is no text, a blob that is not there.
        case (.otherName, _), (.damage, .success(.same)), (.damage, .success(.blobAbsent)):
            return [.examine(job, signature)]
        case (.damage, .success(.other(let seen))):
            let isStill = seen == signature && state.files[job.path]?.photo == comparison.photo
            return conclude(job, isStill ? .damaged(signature) : .changed, now: now)
        case (.damage, .failure(let error)): return conclude(job, LookFinding(error), now: now)
        }
    }

    /// Whether a known file is there still that looks to be this one.
    mutating func foundOtherName(
        _ check: FolderCheck, _ answer: FolderCheck.Answer?, _ photo: PhotoKey, _ job: CandidateBook.Job,
        _ signature: FileSignature, now: MonotonicInstant
    ) -> [FolderDirective] {
        // Nobody could ask, or something else became known of the path meanwhile.
        guard let answer, state.files[job.path] == nil else { return conclude(job, .changed, now: now) }
        if complaint(answer.complaint) != nil { return conclude(job, .unavailable, now: now) }
        let other = check.paths[0]
        let isMoved = answer.sights[other] == .absent
        return conclude(job, .sameFile(other, photo, signature, isMoved: isMoved), now: now)
    }

    mutating func examined(
        _ job: CandidateBook.Job, _ signature: FileSignature, _ answer: Result<FileExamination, LookError>,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        let examination: FileExamination
        switch answer {
        case .success(let known): examination = known
        case .failure(let error): return conclude(job, LookFinding(error), now: now)
        }
        let seen = examination.observation
        guard case .take(let isShort) = schedule.judge(job.path, seen, now: now) else {
            return conclude(job, .waiting, now: now)
        }
        if seen.signature != signature { return conclude(job, .changed, now: now) }
        switch examination.content {
        case .media(let type):
            return [.importFile(FileImport(job: job, signature: signature, type: type, isShort: isShort))]
        case .refused(let reason): return conclude(job, .noPhoto(reason, signature), now: now)
        }
    }

    mutating func imported(
        _ file: FileImport, _ answer: Result<IngestedBlob, LookError>,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        let finding: LookFinding =
            switch answer {
            case .success(let blob):
                .taken(
                    TakenPhoto(
                        blob: blob, mediaType: file.type.name, signature: file.signature, isShort: file.isShort))
            case .failure(let error): LookFinding(error)
            }
        return conclude(file.job, finding, now: now)
    }
}
