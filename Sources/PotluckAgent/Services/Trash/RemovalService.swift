import AlbumModel
import NIOCore
import PhotoStore
import SharedFolder
import SyncEngine
import Synchronization

/// Photos that leave their albums, or this laptop's sight: their bytes go to the trash, their files from the folder; and
/// back.
///
/// Whether a photo goes to the trash, comes back, or loses its bytes depends on the engine and on the records: each such
/// step runs on the host's actor, where alone ``RemovalRecords/State/removedPhotos`` changes.
final class RemovalService: Sendable {
    let host: EngineHost
    let parts: AgentParts
    let running: RunningTime
    let contributions: ContributionService
    let records: RemovalRecords
    private let jobs: JobQueue
    private let problems: Problems
    private let folder: FolderService
    let recovery: BlobRecovery

    init(
        host: EngineHost, parts: AgentParts, jobs: JobQueue, problems: Problems, contributions: ContributionService,
        folder: FolderService, recovery: BlobRecovery, records: RemovalRecords, running: RunningTime
    ) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.problems = problems
        self.contributions = contributions
        self.folder = folder
        self.recovery = recovery
        self.records = records
        self.running = running
    }

    var removedPhotos: RemovedPhotos { records.removedPhotos }

    // MARK: What has to be followed

    /// Albums lost photos, or have some again; trash and folder follow.
    func follow(_ difference: CatalogDifference, on host: isolated EngineHost) {
        let discarding = records.state.withLock { $0.discarding }
        // It was decided that they go before an album named them. At the end of that they are settled.
        parts.blobs.keep(discarding.filter { !host.engine.isUnneeded($0) })
        let named = difference.addedPhotos.map(\.blob) + difference.thumbnails
        parts.blobs.settle(named.filter { !discarding.contains($0) })
        // A photo that is new altogether has nothing to come back from.
        let returned = difference.addedPhotos.filter { host.engine.catalog.photo($0)?.departure != nil }
        records.state.withLock { $0.removals.add(removed: difference.removedPhotos) }
        settleLater(returned)
    }

    /// What a run that ended too early may have left: removals that the trash has not followed, which wait already,
    /// entries of photos that are there again, files of photos that are not to be seen, or are left out.
    func settleAll() async { await settleAll(on: host) }

    private func settleAll(on host: isolated EngineHost) {
        let removedPhotos = removedPhotos
        var photos = Set(removedPhotos.trash.keys).union(removedPhotos.hidden.keys)
        for album in host.engine.catalog.albums.values {
            for (blob, photo) in album.photos where !photo.isLive && host.engine.held.contains(blob) {
                photos.insert(PhotoKey(album: album.id, blob: blob))
            }
        }
        photos.formUnion(host.engine.leftOutPhotos)
        let stranded = strandedPhotos(host.engine, removedPhotos)
        records.state.withLock { state in
            state.removals.add(removed: stranded)
            state.removals.addStep()
        }
        settleLater(photos)
    }

    /// Photos whose bytes are here although no album needs them and no entry of the trash has or will have them, as a
    /// version that did not count what it followed may have left them. Of the photos that had the bytes, the one removed last.
    private func strandedPhotos(_ engine: Engine, _ removedPhotos: RemovedPhotos) -> Set<PhotoKey> {
        let catalog = engine.catalog
        let trashed = Set(removedPhotos.trash.keys.map(\.blob)).union(removedPhotos.unfollowed.map(\.blob))
        var last: [BlobID: (key: PhotoKey, departure: Departure)] = [:]
        for album in catalog.albums.values {
            for (blob, photo) in album.photos where !photo.isLive && engine.held.contains(blob) {
                guard let departure = photo.departure, !trashed.contains(blob) else { continue }
                if let known = last[blob]?.departure,
                    (departure.clock, departure.dot) < (known.clock, known.dot)
                {
                    continue
                }
                last[blob] = (PhotoKey(album: album.id, blob: blob), departure)
            }
        }
        return Set(last.filter { engine.isUnneeded($0.key) }.values.map(\.key))
    }

    func settleLater(_ photos: some Sequence<PhotoKey>) {
        records.state.withLock { $0.removals.add(photos) }
        start()
    }

    private func start() {
        if records.state.withLock({ $0.removals.begin() }) { jobs.add { await self.settle() } }
    }

    /// The agent stops: the next start follows what waits.
    func end() { records.state.withLock { $0.removals.end() } }

    /// Returns once trash and folder have followed what was known when it was called.
    func isSettled() async { await isSettled(on: host) }

    /// Between two inputs: what the last one changed is in the queue.
    private func isSettled(on host: isolated EngineHost) async {
        await withCheckedContinuation { watcher in
            let isIdle = records.state.withLock { state in
                if !state.removals.isIdle { state.removals.whenIdle(watcher) }
                return state.removals.isIdle
            }
            if isIdle { watcher.resume() }
        }
    }

    // MARK: One step

    private func settle() async {
        guard let (taken, batchCount) = await take(on: host) else { return }
        var part = taken
        do {
            let step = await step(part, batchCount, on: host)
            try await parts.setFacts(step.facts)
            await follow(step, on: host)
            part.removed = []
            try await move(step)
            settled(failed: nil)
        } catch {
            // A step about nothing only counts batches.
            if !part.photos.isEmpty {
                noteTrouble { $0.moving = "\(error)" }
            }
            settled(failed: part)
        }
    }

    /// With the number of batches whose removals are all among what is taken, or were before.
    private func take(on host: isolated EngineHost) -> (RemovalQueue.Part, batchCount: Int)? {
        records.state.withLock { $0.removals.take() }.map { ($0, host.engine.log.batchCount) }
    }

    /// What is to be done about some photos, as far as they stand now.
    private struct Step: Sendable {
        var trash: [PhotoKey: TrashEntry?] = [:]
        /// How many batches the trash has followed then; `nil` where that is noted already.
        var batchCount: Int?
        var leaving: [PhotoKey] = []
        var returning: [PhotoKey] = []

        var facts: [FactChange] {
            let entries = trash.sorted { $0.key < $1.key }.map { key, entry in
                FactChange(kind: .trash, key: key.factKey, value: entry?.bytes)
            }
            return entries + (batchCount.map { [RemovedPhotos.fact(followedBatchCount: $0)] } ?? [])
        }
    }

    private func step(_ part: RemovalQueue.Part, _ batchCount: Int, on host: isolated EngineHost) -> Step {
        let removedPhotos = removedPhotos
        var step = Step()
        step.batchCount = batchCount == removedPhotos.followedBatchCount ? nil : batchCount
        for key in part.photos {
            let isLive = host.engine.catalog.photo(key)?.isLive == true
            if isLive, removedPhotos.hidden[key] == nil { step.returning.append(key) } else { step.leaving.append(key) }
            if isLive || !host.engine.held.contains(key.blob) {
                if removedPhotos.trash[key] != nil { step.trash[key] = .some(nil) }
            } else if removedPhotos.trash[key] == nil, part.removed.contains(key) {
                step.trash[key] = TrashEntry(
                    learnedAfter: running.seconds, learnedAt: parts.clock.wall,
                    holders: host.engine.copies(wall: parts.clock.wall).holders(of: key.blob))
            }
        }
        return step
    }

    private func follow(_ step: Step, on host: isolated EngineHost) {
        records.state.withLock { state in
            for (key, entry) in step.trash { state.removedPhotos.trash[key] = entry }
            if let batchCount = step.batchCount { state.removedPhotos.followedBatchCount = batchCount }
        }
    }

    private func move(_ step: Step) async throws {
        guard let files = folder.files else { return }
        var failure: (any Error)?
        do {
            try await files.takeAway(step.leaving)
        } catch {
            // A file that cannot go now, as on a disk that is away, keeps no photo from coming back.
            failure = error
        }
        // Some of them may be gone all the same.
        await folder.followNames(ofSuccessorsOf: step.leaving)
        try await files.letBack(step.returning)
        for key in step.returning { folder.requestPlacement(key) }
        if let failure { throw failure }
    }

    private func settled(failed: RemovalQueue.Part?) {
        records.state.withLock { $0.removals.finish(failed: failed) }
        guard failed == nil else {
            jobs.add(after: .seconds(10)) { self.start() }
            return
        }
        noteTrouble { $0.moving = nil }
        start()
    }

    func noteTrouble(_ change: (inout RemovalTrouble) -> Void) {
        let sentence = records.state.withLock { state in
            change(&state.trouble)
            return state.trouble.sentence(trash: state.removedPhotos.trash)
        }
        problems.note(.trash, sentence)
    }
}

extension Engine {
    /// Whether no album names the blob, neither as a photo nor as a photo's thumbnail, and nothing that is left out does:
    /// that may come to count again, or somebody keeps it.
    func isUnneeded(_ blob: BlobID) -> Bool {
        catalog.mentions(of: blob).dots.isEmpty && !log.leftOut.contains(blob)
    }

    /// The last add of a photo that was removed, also where that is left out and the removal counts.
    func departedAdd(of key: PhotoKey) -> Photo.Add? {
        guard let departure = catalog.photo(key)?.departure else { return nil }
        let leftOut = log.leftOut.catalog.photo(key)
        return departure.add ?? leftOut?.adds.first ?? leftOut?.departure?.add
    }

    /// A photo's name, also where its add is left out and its removal counts; empty where nothing names it.
    func shownName(of key: PhotoKey) -> String {
        let name = catalog.photo(key)?.shownName ?? ""
        return name.isEmpty ? log.leftOut.catalog.photo(key)?.shownName ?? "" : name
    }
}
