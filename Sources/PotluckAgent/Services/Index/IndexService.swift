import AlbumModel
import NIOCore
import PhotoStore
import SyncEngine
import Synchronization

/// Has the index follow the catalog: what queues up while it is written follows together, and so does what comes within
/// a moment of an import. What the index did not take of the store's blobs is tried again as well: both make a list.
final class IndexService: Sendable {
    private let host: EngineHost
    private let parts: AgentParts
    private let jobs: JobQueue
    private let problems: Problems
    private let retryInterval: TimeAmount
    private let queue = Mutex(ProjectionQueue())
    private let isRetryPlanned = Mutex(false)
    /// A transaction costs as much as some photos in it: its words become a part of their own in the full-text table, which
    /// is merged with others later on, and the album's row is written anew.
    private static let pause = TimeAmount.milliseconds(100)

    init(host: EngineHost, parts: AgentParts, jobs: JobQueue, problems: Problems, retryInterval: TimeAmount) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.problems = problems
        self.retryInterval = retryInterval
        parts.blobs.whenIndexRefuses { [weak self] in self?.followBatches() }
    }

    func follow(_ difference: CatalogDifference) {
        queue.withLock { $0.add(difference) }
        start()
    }

    /// Batches came: the index needs their stamp even where they changed nothing that it shows.
    func followBatches() {
        queue.withLock { $0.addStamp() }
        start()
    }

    func end() { queue.withLock { $0.end() } }

    private func start() {
        if queue.withLock({ $0.begin() }) { jobs.add { await self.write() } }
    }

    private func write() async {
        let (change, part) = await rows(on: host)
        do {
            try await parts.indexPool.perform { [parts] in
                try parts.blobs.writeIndex()
                try change.apply(to: parts.index)
            }
            problems.note(.index, nil)
            let isPausing = queue.withLock { queue in
                queue.finish(failed: nil)
                return queue.isPausing
            }
            if isPausing { jobs.add(after: Self.pause) { self.endPause() } }
            start()
        } catch {
            problems.note(.index, "Listings may be out of date, because the index cannot be written: \(error)")
            queue.withLock { $0.finish(failed: part) }
            planRetry()
        }
    }

    /// Once, however many writes fail until then.
    private func planRetry() {
        let wasPlanned = isRetryPlanned.withLock { planned in
            defer { planned = true }
            return planned
        }
        guard !wasPlanned else { return }
        jobs.add(after: retryInterval) {
            self.isRetryPlanned.withLock { $0 = false }
            self.start()
        }
    }

    private func endPause() {
        queue.withLock { $0.endPause() }
        start()
    }

    /// What waits, or some of it, as rows that go with the vector of this moment.
    private func rows(on host: isolated EngineHost) -> (IndexChange, ProjectionQueue.Part) {
        let part = queue.withLock { $0.takePart() }
        return (IndexChange(part, catalog: host.engine.catalog, log: host.engine.log), part)
    }

    /// Returns once the index holds what was known when it was called, but for what came in bulk: while a gathering
    /// streams in, lists show as much of it as there is.
    func isCurrent() async { await isCurrent(on: host) }

    /// Between two inputs: what the last one changed is in the queue.
    private func isCurrent(on host: isolated EngineHost) async {
        await withCheckedContinuation { watcher in
            queue.withLock { $0.whenPrompt(watcher) }
            start()
        }
    }

    /// Returns once the index holds all that is known.
    func isComplete() async { await isComplete(on: host) }

    private func isComplete(on host: isolated EngineHost) async {
        await withCheckedContinuation { watcher in
            queue.withLock { $0.whenIdle(watcher) }
            start()
        }
    }
}
