import AlbumModel
import NIOCore
import PhotoStore
import SyncEngine
import Synchronization

/// Blobs whose files are gone or changed, until they are here again: from the folder, or from others.
final class BlobRecovery: Sendable {
    private let host: EngineHost
    private let parts: AgentParts
    private let jobs: JobQueue
    private let problems: Problems
    private let files: FolderSlot
    private let lost = Mutex(LostBlobs())
    /// Blobs of which the store has told, each once, until a job takes them all.
    private let told = Mutex<Set<BlobID>>([])
    private let retry: Mutex<RecoveryRetry>

    init(
        host: EngineHost, parts: AgentParts, jobs: JobQueue, problems: Problems, files: FolderSlot,
        retryInterval: TimeAmount
    ) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.problems = problems
        self.files = files
        retry = Mutex(RecoveryRetry(interval: retryInterval))
        parts.blobs.whenLost { [weak self] in self?.noteLater($0) }
    }

    /// - Parameter missing: what the store says was there before this run.
    /// - Returns: what is wanted of it.
    func begin(missing: Set<BlobID>) async -> Set<BlobID> { await begin(missing: missing, on: host) }

    private func begin(missing: Set<BlobID>, on host: isolated EngineHost) -> Set<BlobID> {
        let blobs = LostBlobs(host.engine, missing: missing)
        lost.withLock { $0.formUnion(blobs) }
        noteProblem(on: host)
        return stillMissing(on: host)
    }

    private func sentence(on host: isolated EngineHost) -> String? {
        lost.withLock { $0.sentence(host.engine, wall: parts.clock.wall) }
    }

    /// Has the store look at a blob's file, whose bytes may have been changed through another name.
    func examine(_ blob: BlobID) async {
        // What the store finds to be wrong it no longer has; another error says nothing about the blob.
        _ = try? await parts.blobPool.perform { [parts] in try parts.blobs.open(blob) }
        await noteIfLost(blob)
    }

    /// The store has found a file to be gone or changed, whoever asked it; on that one's thread.
    private func noteLater(_ blob: BlobID) {
        let isFirst = told.withLock { told in
            defer { told.insert(blob) }
            return told.isEmpty
        }
        if isFirst { jobs.add { await self.noteTold() } }
    }

    private func noteTold() async {
        let blobs = told.withLock { told in
            defer { told.removeAll() }
            return told
        }
        var lost: Set<BlobID> = []
        for blob in blobs.sorted() where await lose(blob, on: host) { lost.insert(blob) }
        await noteProblem(on: host)
        await recover(lost)
    }

    /// For whoever needs the outcome at once: the engine knows whether the store still has a blob, and what the folder has
    /// of it was taken in. A passing error is no loss.
    func noteIfLost(_ blob: BlobID) async {
        guard await lose(blob, on: host) else { return }
        await noteProblem(on: host)
        await recover([blob])
    }

    /// - Returns: whether the store has the blob no longer; the folder may still have its bytes.
    private func lose(_ blob: BlobID, on host: isolated EngineHost) -> Bool {
        // The store is asked in the engine's order: that the blob was committed again may wait to be judged already, and
        // whoever commits it after this tells of that later.
        let finding: EngineHost.Finding = { [parts] host in
            guard parts.blobs.contains(blob) else { return .blobLost(blob) }
            return host.engine.held.contains(blob) ? nil : .committed(blob)
        }
        _ = host.note([finding])
        host.feed([])
        guard !parts.blobs.contains(blob) else { return false }
        if host.engine.missingReason(blob) != nil { lost.withLock { $0.insert(blob) } }
        return true
    }

    /// Looks at all that is lost: once for what came at one time.
    private func noteProblem(on host: isolated EngineHost) { problems.note(.lostBlobs, sentence(on: host)) }

    /// Has the folder give back what the store has lost, as far as files there still hold it. The rest is looked for again
    /// later: the disk may have been full, or the folder away.
    func recover(_ blobs: Set<BlobID>) async {
        await take(blobs)
        await planRetry(on: host)
    }

    private func take(_ blobs: Set<BlobID>) async {
        guard !blobs.isEmpty else { return }
        _ = await files.files?.takeAgain(blobs)
        await noteTaken(blobs, on: host)
    }

    /// Whoever took them in meanwhile, and as far as they are here still.
    private func noteTaken(_ blobs: Set<BlobID>, on host: isolated EngineHost) {
        let here = blobs.sorted().filter { parts.blobs.contains($0) && !host.engine.held.contains($0) }
        host.feed(here.map { .committed($0) })
    }

    private func planRetry(on host: isolated EngineHost) {
        guard !stillMissing(on: host).isEmpty, let wait = retry.withLock({ $0.plan() }) else { return }
        // An agent that began anew meanwhile has another one.
        jobs.add(after: wait) { [weak self] in await self?.takeMissing() }
    }

    private func takeMissing() async {
        retry.withLock { $0.begin() }
        await take(await stillMissing(on: host))
        await endRetry(on: host)
    }

    private func endRetry(on host: isolated EngineHost) {
        if stillMissing(on: host).isEmpty { retry.withLock { $0.reset() } }
        planRetry(on: host)
    }

    private func stillMissing(on host: isolated EngineHost) -> Set<BlobID> { lost.withLock { $0.missing(host.engine) } }

    /// The folder's import has put a photo's bytes into the store, which nobody may have expected.
    func foundInFolder(_ blob: BlobID) async { await feed(.committed(blob), ifWanted: blob, on: host) }

    /// A blob that a person carried here was copied into the store; nobody may want it any more.
    func tookIn(_ blob: BlobID) async { await feed(.blobCarried(blob), ifWanted: blob, on: host) }

    private func feed(_ input: EngineInput, ifWanted blob: BlobID, on host: isolated EngineHost) {
        if host.engine.missingReason(blob) != nil { host.feed(input) }
    }

    /// What is wrong at the moment, in sentences.
    var currentProblems: [String] {
        get async {
            problems.set(.lostBlobs, await sentence(on: host))
            return problems.all
        }
    }
}
