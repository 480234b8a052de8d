import AlbumModel
import FolderEngine
import MediaReader
import NIOCore
import PhotoStore
import SyncEngine
import Synchronization
import WireFormat

/// What photos are and show: read beside everything else, and told as a second change that no photo waits for.
final class ReadingService: Sendable {
    private struct State {
        var readings: ReadingQueue
        var outbox = FactsOutbox()
    }

    private let host: EngineHost
    private let parts: AgentParts
    private let jobs: JobQueue
    private let contributions: ContributionService
    private let failedReads: FailedReads
    private let state: Mutex<State>

    init(
        host: EngineHost, parts: AgentParts, jobs: JobQueue, contributions: ContributionService,
        failedReads: FailedReads
    ) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.contributions = contributions
        self.failedReads = failedReads
        state = Mutex(State(readings: ReadingQueue(concurrency: parts.readingCount)))
    }

    // MARK: What is to be read

    /// A photo came, or what is known of it changed.
    func consider(_ key: PhotoKey, on host: isolated EngineHost) {
        guard let photo = host.engine.catalog.photo(key), photo.isLive, host.engine.held.contains(key.blob),
            photo.facts?.readerVersion ?? 0 < MediaReader.version
        else { return state.withLock { $0.readings.remove(key) } }
        if host.engine.catalog.isOwn(photo, of: host.engine.device) {
            state.withLock { $0.readings.add(key, order: photo.latestOrder, cameAt: parts.clock.now) }
            start()
        } else {
            state.withLock { $0.readings.leave(key, now: parts.clock.now) }
        }
    }

    /// Somebody fetches a piece from here.
    func noteServing(_ request: PieceRequest) {
        guard request.blobClass == .original else { return }
        state.withLock { $0.readings.noteServing(now: parts.clock.now) }
    }

    /// Photos that are not here.
    func forget(_ photos: some Sequence<PhotoKey>) {
        state.withLock { state in
            for key in photos { state.readings.remove(key) }
        }
    }

    /// Looks for photos whose facts nobody else has told for long.
    func readOverdue() async { await readOverdue(on: host) }

    private func readOverdue(on host: isolated EngineHost) {
        let engine = host.engine
        state.withLock { state in
            let rank = { (key: PhotoKey) in engine.rank(amongHoldersOf: key.blob) }
            for key in state.readings.overdue(now: parts.clock.now, rank: rank) {
                guard let photo = engine.catalog.photo(key) else { continue }
                state.readings.add(key, order: photo.latestOrder)
            }
        }
        start()
    }

    private func start() {
        let now = parts.clock.now
        while let key = state.withLock({ $0.readings.next(now: now) }) { jobs.add { await self.read(key) } }
        guard let seconds = state.withLock({ $0.readings.delay(now: now) }) else { return }
        jobs.add(after: .nanoseconds(Int64(seconds * 1e9))) { self.endDelay() }
    }

    private func endDelay() {
        state.withLock { $0.readings.endDelay() }
        start()
    }

    // MARK: Reading

    private func read(_ key: PhotoKey) async {
        let (known, file) = await host.ask { engine in (engine.knownFacts(of: key), self.file(of: key, engine)) }
        if let known { return found(key, known) }
        guard let file else { return ended(key, isFinal: true) }
        let reading = await parts.reader.read(file)
        guard reading.isFinal, await isReliable(reading.facts, of: key.blob) else { return ended(key, isFinal: false) }
        var facts = reading.facts
        if let picture = reading.thumbnail {
            do {
                facts.thumbnail = try await keep(picture)
            } catch {
                // The disk is full, or the agent stops: another time, or another laptop, has more luck.
                return ended(key, isFinal: false)
            }
        }
        found(key, facts)
    }

    /// Whether what was found concerns the photo, and not a disk that does not give its bytes back: a worker cannot tell
    /// that from a damaged file, and others would keep the problem for good. Facts without a problem cost nothing here.
    func isReliable(_ facts: PhotoFacts, of blob: BlobID) async -> Bool {
        guard !facts.problem.isEmpty else { return true }
        // Another error says nothing about the bytes: they are looked at another time.
        let condition = try? await parts.blobPool.perform { [blobs = parts.blobs] in try blobs.check(blob) { true } }
        if condition == .whole { return true }
        failedReads.note(blob)
        return false
    }

    /// The file of a photo that is still to be read.
    private func file(of key: PhotoKey, _ engine: Engine) -> MediaFile? {
        guard let photo = engine.catalog.photo(key), let add = photo.adds.first, engine.held.contains(key.blob) else {
            return nil
        }
        return MediaFile(
            path: parts.blobs.path(of: key.blob), name: photo.shownName, modified: add.modified,
            byteCount: add.byteCount)
    }

    private func keep(_ picture: Picture) async throws -> Thumbnail {
        let blob = try await parts.commitPool.perform { [parts] in try parts.blobs.ingest(bytes: picture.bytes) }
        return Thumbnail(
            blob: blob, byteCount: UInt32(picture.bytes.count), size: picture.size, mediaType: picture.mediaType)
    }

    /// - Parameter isFinal: reading it again would be in vain.
    private func ended(_ key: PhotoKey, isFinal: Bool) {
        state.withLock { state in
            state.readings.finish(key)
            if !isFinal { state.readings.leave(key, now: parts.clock.now) }
        }
        start()
    }

    // MARK: Telling

    private func found(_ key: PhotoKey, _ facts: PhotoFacts) {
        ended(key, isFinal: true)
        switch state.withLock({ $0.outbox.add(key, facts, now: parts.clock.now) }) {
        case .tellNow: jobs.add { await self.tell() }
        case .tellLater(let seconds):
            jobs.add(after: .nanoseconds(Int64(seconds * 1e9))) { await self.tell() }
        case .nothing: break
        }
    }

    private func tell() async {
        await withDiscardingTaskGroup { group in
            for (key, facts) in state.withLock({ $0.outbox.take() }) {
                group.addTask {
                    do {
                        _ = try await self.contributions.contribute(.photoFacts(key.album, key.blob, facts))
                    } catch {
                        self.ended(key, isFinal: false)
                    }
                }
            }
        }
    }
}

extension Engine {
    /// What need not be looked for: it was found of the same bytes in another album, or there is nothing to look at.
    fileprivate func knownFacts(of key: PhotoKey) -> PhotoFacts? {
        if let type = catalog.photo(key)?.adds.first?.mediaType, MediaType.named(type)?.isSidecar == true {
            return PhotoFacts(readerVersion: MediaReader.version, kind: .sidecar)
        }
        return catalog.liveAlbums(of: key.blob).lazy
            .compactMap { catalog.photo(PhotoKey(album: $0, blob: key.blob))?.facts }
            .first { $0.readerVersion >= MediaReader.version }
    }
}
