import AlbumModel
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
            finding = try await core.pool.perform { inspector.look(at: path) }
        } catch {
            finding = .failed(FolderError(error))
        }
        core.queue.finish(path, await conclude(finding, job))
    }

    private func conclude(_ finding: Inspector.Finding, _ job: CandidateBook.Job) async -> CandidateBook.Outcome {
        switch finding {
        case .settled:
            core.skipped.withLock { $0.remove(job.path) }
            return .settled
        case .absent:
            core.skipped.withLock { $0.remove(job.path) }
            if core.state.withLock({ $0.files[job.path] != nil }) { core.queue.vanished([job.path]) }
            return .settled
        case .unreadable(let reason):
            await core.skip(job.path, reason)
            return .settled
        case .noPhoto(let reason):
            // Whatever photo was here has been overwritten.
            await core.forget([job.path])
            await core.skip(job.path, reason)
            return .settled
        case .waiting: return .waiting
        case .changed: return .changed
        case .unavailable:
            core.queue.rescan()
            return .changed
        case .sameFile(let other, let signature, let isMoved):
            return await remember(job.path, as: other, signature, isMoved: isMoved)
        case .taken(let taken): return await share(taken, job)
        case .failed(let error): return await postpone(job, error)
        }
    }

    private func remember(
        _ path: FolderPath, as other: FolderPath, _ signature: FileSignature, isMoved: Bool
    ) async -> CandidateBook.Outcome {
        let changes = core.state.withLock { state in
            if isMoved { return state.move(other, to: path, signature) }
            guard let photo = state.files[other]?.photo else { return [] }
            return state.record(path, FileRecord(photo: photo, signature: signature, origin: .duplicate))
        }
        core.skipped.withLock { $0.remove(path) }
        await core.commit(changes)
        return .settled
    }

    /// Decides what the bytes mean in their album. One task at a time does so for the same bytes.
    private func share(_ taken: Inspector.Taken, _ job: CandidateBook.Job) async -> CandidateBook.Outcome {
        do {
            try await core.turns.withTurn(taken.blob.id) {
                let (record, others) = try await meaning(of: taken, job)
                let before = core.state.withLock { $0.files[job.path]?.photo }
                let changes = core.state.withLock { state in
                    var changes: [FactChange] = []
                    for old in others { changes += state.forget(old).changes }
                    return changes + state.record(job.path, record)
                }
                await core.commit(changes)
                await core.host.report(.stored(taken.blob.id))
                if let before, before.blob != record.photo.blob {
                    await core.host.report(.overwritten(path: job.path.text, blob: before.blob))
                }
            }
            core.skipped.withLock { $0.remove(job.path) }
            return .settled
        } catch {
            return await postpone(job, FolderError(error))
        }
    }

    /// What to remember of the file, and which paths it takes the place of.
    private func meaning(
        of taken: Inspector.Taken, _ job: CandidateBook.Job
    ) async throws -> (FileRecord, replaces: [FolderPath]) {
        let directory = job.path.albumDirectory.text
        let standing = await core.host.standing(ofPhoto: taken.blob.id, inDirectory: directory)
        func record(_ album: AlbumID, _ origin: FileRecord.Origin) -> FileRecord {
            FileRecord(
                photo: PhotoKey(album: album, blob: taken.blob.id), signature: taken.signature, origin: origin)
        }
        guard standing != .unknown, let album = await core.host.albumID(forDirectory: directory) else {
            return (record(try await contribute(taken, job), .dropped), [])
        }
        switch await decide(standing, PhotoKey(album: album, blob: taken.blob.id), job) {
        case .contribute: return (record(try await contribute(taken, job), .dropped), [])
        case .adopt: return (record(album, .adopted), [])
        case .duplicate: return (record(album, .duplicate), [])
        case .follow(let old):
            let origin = core.state.withLock { $0.files[old]?.origin }
            return (record(album, origin ?? .adopted), [old])
        case .adoptRemoved: return (record(album, .removed), [])
        }
    }

    private func decide(
        _ standing: PhotoStanding, _ photo: PhotoKey, _ job: CandidateBook.Job
    ) async -> DropDecision {
        let (before, paths, wasGone) = core.state.withLock {
            ($0.files[job.path], $0.paths(of: photo).subtracting([job.path]), $0.gone[photo] != nil)
        }
        let root = core.root
        let vanished = try? await core.pool.perform {
            paths.filter { SystemCall.look($0.absolute(in: root)) == nil && SystemCall.saysAbsent }
        }
        // Without an answer the other files count as there, which adds nothing: the next scan asks again.
        return DropDecision.decide(
            standing: standing, isLive: job.isLive, isSameAtPath: before?.photo == photo,
            others: paths.subtracting(vanished ?? []).sorted(), vanished: (vanished ?? []).sorted(), wasGone: wasGone)
    }

    private func contribute(_ taken: Inspector.Taken, _ job: CandidateBook.Job) async throws -> AlbumID {
        let name = AlbumName.composed(String(decoding: job.path.name, as: UTF8.self))
        return try await core.host.contribute(
            Drop(
                directory: job.path.albumDirectory.text, name: name, blob: taken.blob, mediaType: taken.type.name,
                modified: taken.signature.modified, isLive: job.isLive,
                problem: taken.isShort ? "the file is shorter than its format says" : nil))
    }

    private func postpone(_ job: CandidateBook.Job, _ error: FolderError) async -> CandidateBook.Outcome {
        core.logger.debug(
            "file postponed", metadata: ["file.path": "\(job.path)", "error.message": "\(error.message)"])
        await core.host.report(.postponed(path: job.path.text, reason: error.message))
        return .failed
    }
}
