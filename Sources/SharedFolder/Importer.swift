import AlbumModel
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// Does what the queue hands out about one file: look, take in, add to the album, remember.
struct Importer: Sendable {
    let core: FolderCore

    func look(at job: CandidateBook.Job) async {
        let path = job.path
        if core.state.withLock({ $0.isEcho(path) }) { return core.queue.finish(path, .settled) }
        let inspector = Inspector(core: core)
        let finding: Inspector.Finding
        do {
            finding = try await core.pool.perform { inspector.look(at: job) }
        } catch {
            finding = .failed(FolderError(error))
        }
        core.queue.finish(path, await conclude(finding, job))
    }

    private func conclude(_ finding: Inspector.Finding, _ job: CandidateBook.Job) async -> CandidateBook.Outcome {
        switch finding {
        case .settled:
            core.skipped.withLock { $0.remove(job.path) }
            core.damaged.withLock { $0.remove(job.path) }
            core.settled(job.path)
            return .settled
        case .absent:
            core.skipped.withLock { $0.remove(job.path) }
            core.queue.foundAbsent(job.path, isTold: job.isVanishTold)
            return .settled
        case .damaged(let signature): return await noteDamage(job, signature)
        case .pending: return .settled
        case .unreadable(let reason):
            await core.skip(job.path, reason, isUnread: true)
            return .settled
        case .noPhoto(let reason, let signature):
            // Whatever photo was here has been overwritten.
            await core.hold([(job.path, .other(signature))], explained: job.isLive ? [job.path] : [])
            await core.skip(job.path, reason)
            return .settled
        case .waiting: return .waiting
        case .changed: return .changed
        case .unavailable:
            core.queue.rescan()
            return .changed
        case .sameFile(let other, let photo, let signature, let isMoved):
            return await remember(job, as: other, photo, signature, isMoved: isMoved)
        case .taken(let taken):
            core.damaged.withLock { $0.remove(job.path) }
            return await arrive(taken, job)
        case .failed(let error): return await postpone(job, error)
        }
    }

    /// The bytes are not the photo's, and nobody says that they are meant: they are told of, and not shared.
    private func noteDamage(_ job: CandidateBook.Job, _ signature: FileSignature) async -> CandidateBook.Outcome {
        guard let record = core.state.withLock({ $0.files[job.path] }) else { return .changed }
        core.damaged.withLock { $0.insert(job.path, seen: signature, known: record.signature) }
        core.settled(job.path)
        await core.skip(job.path, DamagedFiles.reason)
        // Where it is a hard link, the blob's file has the same bytes.
        await core.host.report(.overwritten(path: job.path.text, blob: record.photo.blob))
        return .settled
    }

    private func remember(
        _ job: CandidateBook.Job, as other: FolderPath, _ photo: PhotoKey, _ signature: FileSignature, isMoved: Bool
    ) async -> CandidateBook.Outcome {
        core.skipped.withLock { $0.remove(job.path) }
        if isMoved, !core.isAdopting {
            let found = PendingChanges.Found(
                id: photo.blob, blob: nil, mediaType: "", signature: signature, isShort: false, isLive: job.isLive)
            await core.hold([(other, .absent), (job.path, .photo(found))])
            return .settled
        }
        let changes = core.state.withLock { state in
            guard let record = state.files[other], record.photo == photo else { return [FactChange]() }
            let origin = isMoved ? record.origin : .duplicate
            let dropped = isMoved ? state.drop(other) : []
            return dropped + state.record(job.path, FileRecord(photo: photo, signature: signature, origin: origin))
        }
        await core.commit(changes)
        return .settled
    }

    /// A file of a photo that is not known there: a person's new one is shared at once, others wait to be judged.
    private func arrive(_ taken: Inspector.Taken, _ job: CandidateBook.Job) async -> CandidateBook.Outcome {
        let found = (job.path, PendingChanges.Now.photo(PendingChanges.Found(taken, isLive: job.isLive)))
        let record = core.state.withLock { $0.files[job.path] }
        switch Arrival(taken.blob.id, taken.signature, record: record, isAdopting: core.isAdopting) {
        case .known(let isRenewed):
            core.settled(job.path)
            if isRenewed { core.pending.withLock { $0.renew(job.path, now: .now) } }
        case .anew: await core.forget([job.path])
        case .changed:
            core.skipped.withLock { $0.remove(job.path) }
            await core.hold([found])
            return .settled
        case .new:
            let lost = await lostFiles(of: taken.blob.id, beside: job.path)
            if !lost.isEmpty {
                core.skipped.withLock { $0.remove(job.path) }
                await core.hold(lost + [found])
                return .settled
            }
        }
        return await share(taken, job)
    }

    /// Files that held these bytes and do not any more: the new one may be where they went.
    private func lostFiles(
        of blob: BlobID, beside path: FolderPath
    ) async -> [(FolderPath, PendingChanges.Now)] {
        let known = core.state.withLock { state in
            state.paths(of: blob).filter { $0 != path && state.files[$0]!.origin != .removed }
        }
        if known.isEmpty { return [] }
        let waiting = core.pending.withLock { pending in
            known.reduce(into: [:]) { waiting, other in waiting[other] = pending.paths[other] }
        }
        // Without an answer they count as there: the new file is a copy then, and shared.
        let absent = try? await core.pool.perform { [core] in core.absent(among: known) }
        return known.sorted().compactMap { other in
            if let now = waiting[other] { return (other, now) }
            return absent?.contains(other) == true ? (other, .absent) : nil
        }
    }

    /// Decides what the bytes mean in their album. One task at a time does so for the same bytes.
    private func share(_ taken: Inspector.Taken, _ job: CandidateBook.Job) async -> CandidateBook.Outcome {
        do {
            try await core.turns.withTurn(taken.blob.id) {
                let meaning = try await meaning(of: taken, job)
                let record = meaning.record
                let (changes, wasGone) = core.state.withLock { state in
                    let wasGone = state.gone[record.photo] != nil && record.origin != .removed
                    let dropped = meaning.replaces.map { state.drop($0) } ?? []
                    return (dropped + state.record(job.path, record), wasGone)
                }
                await core.commit(changes)
                await core.host.report(.stored(taken.blob.id))
                if wasGone || meaning.wasHidden {
                    let photo = record.photo
                    await core.host.report(.returned(path: job.path.text, album: photo.album, blob: photo.blob))
                }
            }
            core.skipped.withLock { $0.remove(job.path) }
            return .settled
        } catch {
            return await postpone(job, FolderError(error))
        }
    }

    private struct Meaning {
        /// What to remember of the file.
        var record: FileRecord
        /// The path that it takes the place of.
        var replaces: FolderPath?
        /// Its photo was not to be seen here.
        var wasHidden = false
    }

    private func meaning(of taken: Inspector.Taken, _ job: CandidateBook.Job) async throws -> Meaning {
        let directory = job.path.albumDirectory.text
        let standing = await core.host.standing(ofPhoto: taken.blob.id, inDirectory: directory)
        if standing != .unknown, let album = await core.host.albumID(forDirectory: directory) {
            let photo = PhotoKey(album: album, blob: taken.blob.id)
            let decision = await decide(standing, photo, job)
            let record = core.state.withLock { decision.record(photo, taken.signature, at: job.path, in: $0) }
            if let record {
                let wasHidden = standing == .hidden
                return Meaning(record: record, replaces: decision.replaced, wasHidden: wasHidden)
            }
        }
        let photo = PhotoKey(album: try await contribute(taken, job), blob: taken.blob.id)
        return Meaning(record: FileRecord(photo: photo, signature: taken.signature, origin: .dropped))
    }

    private func decide(
        _ standing: PhotoStanding, _ photo: PhotoKey, _ job: CandidateBook.Job
    ) async -> DropDecision {
        let (before, paths, wasGone) = core.state.withLock {
            ($0.files[job.path], $0.paths(of: photo).subtracting([job.path]), $0.gone[photo] != nil)
        }
        let vanished = try? await core.pool.perform { [core] in core.absent(among: paths) }
        // Without an answer the other files count as there, which adds nothing: the next scan asks again.
        return DropDecision.decide(
            standing: standing, isLive: job.isLive, isSameAtPath: before?.photo == photo,
            others: paths.subtracting(vanished ?? []).sorted(), vanished: (vanished ?? []).sorted(), wasGone: wasGone)
    }

    private func contribute(_ taken: Inspector.Taken, _ job: CandidateBook.Job) async throws -> AlbumID {
        try await core.host.contribute(
            Drop(
                job.path, blob: taken.blob, mediaType: taken.type.name, modified: taken.signature.modified,
                isLive: job.isLive, isShort: taken.isShort))
    }

    private func postpone(_ job: CandidateBook.Job, _ error: FolderError) async -> CandidateBook.Outcome {
        core.logger.debug(
            "file postponed", metadata: ["file.path": "\(job.path)", "error.message": "\(error.message)"])
        await core.host.report(.postponed(path: job.path.text, reason: error.message))
        return .failed
    }
}
