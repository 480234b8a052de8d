public import AlbumModel
import DiskIO
import Glibc
public import Logging
import NIOPosix
public import ServiceLifecycle
import Synchronization

/// Keeps what was made of originals to be looked at, within bounds, and has made what is missing.
///
/// ``run()`` does the making: one of each kind at a time, in the order in which they were asked for. Whoever asks gets an
/// answer at once, and learns from ``changes`` when there is another.
public final class PictureStore: Service, Sendable {
    /// Makes a rendition at a path where nothing is, and tells from 0 to 1 how far it is. What it leaves there after an
    /// error is removed. Must end soon after its task was cancelled.
    public typealias Making =
        @Sendable (_ path: String, _ progress: @escaping @Sendable (Double) -> Void) async throws -> Void

    private enum Phase {
        /// Nothing of the directory is known: requests wait. To `open` or `closed`.
        case starting
        /// To `closed`.
        case open(RenditionFolder)
        /// For good; with the reason, a sentence.
        case closed(String)
    }

    private struct Job {
        var make: Making
        /// Ends the making when it is finished.
        var stop: AsyncStream<Never>.Continuation
        var stops: AsyncStream<Never>
    }

    private struct State {
        var phase = Phase.starting
        var ledger: RenditionLedger
        /// Of all that waits or is underway.
        var jobs: [RenditionKey: Job] = [:]
        var temporaryCount: UInt64 = 0
    }

    /// One for each kind; one element is as good as many.
    private struct Bell {
        var rings: AsyncStream<Void>
        var continuation: AsyncStream<Void>.Continuation

        init() { (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    /// For one reader. Ends with ``run()``. Where nobody reads, the oldest are dropped: whoever missed one asks again.
    public let changes: AsyncStream<RenditionChange>

    private let path: String
    private let limits: RenditionLimits
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>
    private let bells: [RenditionKind: Bell]
    private let changed: AsyncStream<RenditionChange>.Continuation
    /// Two, so that a film that is hashed does not keep pictures waiting.
    private let threads = NIOThreadPool(numberOfThreads: 2)

    /// - Parameters:
    ///   - path: of a directory of the store's own: whatever else is found there is removed. It is made if there is none.
    ///   - now: the clock by which failures are forgotten.
    public init(
        path: String, limits: RenditionLimits = RenditionLimits(), logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.path = path
        self.limits = limits
        self.logger = logger
        self.now = now
        state = Mutex(State(ledger: RenditionLedger(limits)))
        bells = Dictionary(uniqueKeysWithValues: RenditionKind.allCases.map { ($0, Bell()) })
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limits.changeCountMax))
        threads.start()
    }

    /// Of a store that nobody ran, the threads end as well.
    deinit { threads.shutdownGracefully { _ in } }

    // MARK: Asking

    /// How a rendition stands. Where there is none, it is put in line to be made by `make`, unless it already is, by the
    /// `make` of whoever asked first. Returns without waiting for that; opens a file on a thread of the store's.
    public func rendition(
        _ kind: RenditionKind, of blob: BlobID, make: @escaping Making
    ) async -> RenditionState {
        let key = RenditionKey(kind: kind, blob: blob)
        // Twice: what turns out to be torn is made anew.
        for _ in 0..<2 {
            switch ask(key, make) {
            case .answer(let answer): return answer
            case .look(let kept, let folder):
                if let file = await open(kept, folder) { return .ready(file) }
            }
        }
        return .making(progress: nil)
    }

    private enum Step {
        case answer(RenditionState)
        case look(RenditionLedger.Kept, RenditionFolder)
    }

    private func ask(_ key: RenditionKey, _ make: @escaping Making) -> Step {
        let step: Step = state.withLock { state in
            if case .closed(let reason) = state.phase { return .answer(.failed(reason: reason)) }
            switch state.ledger.ask(key, now: now()) {
            case .kept(let kept):
                guard case .open(let folder) = state.phase else { return .answer(.making(progress: nil)) }
                return .look(kept, folder)
            case .making(let progress): return .answer(.making(progress: progress))
            case .queued:
                let (stops, stop) = AsyncStream<Never>.makeStream()
                state.jobs[key] = Job(make: make, stop: stop, stops: stops)
                return .answer(.making(progress: nil))
            case .failed(let reason): return .answer(.failed(reason: reason))
            case .busy: return .answer(.busy)
            }
        }
        bells[key.kind]?.continuation.yield()
        return step
    }

    private func open(_ kept: RenditionLedger.Kept, _ folder: RenditionFolder) async -> RenditionFile? {
        let opened = await onThread {
            let file = folder.open(kept.name, isVerified: kept.isVerified, now: time(nil))
            if file == nil { folder.remove(kept.name) }
            return file
        }
        // The threads are gone only once the store has closed; the next look at it says so.
        guard let file = opened else { return nil }
        state.withLock { state in
            if file == nil { state.ledger.drop(kept.name) } else { state.ledger.verify(kept.name) }
        }
        if file == nil {
            logger.info("rendition was torn or gone", metadata: ["rendition.kind": "\(kept.name.key.kind)"])
        }
        return file
    }

    /// Removes everything that was made of an original, and ends what is being made of it: for photos that are to be seen
    /// no more. Returns when the files are gone; does so as well where there are none.
    public func remove(_ blob: BlobID) async {
        let (names, stops, folder) = state.withLock { state in
            let (names, underway) = state.ledger.remove(blob)
            let stops = underway.compactMap { state.jobs[$0]?.stop }
            for kind in RenditionKind.allCases {
                let key = RenditionKey(kind: kind, blob: blob)
                if !underway.contains(key) { state.jobs[key] = nil }
            }
            let folder: RenditionFolder? = if case .open(let folder) = state.phase { folder } else { nil }
            return (names, stops, folder)
        }
        for stop in stops { stop.finish() }
        guard let folder else { return }
        await onThread { for name in names { folder.remove(name) } }
    }

    /// Runs `body`, which blocks, on a thread of the store's, also where the task has been cancelled: whoever asked for
    /// something and went away is no reason to leave things half done.
    ///
    /// - Returns: `nil` where the store has ended.
    @discardableResult
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            threads.submit { continuation.resume(returning: $0 == .active ? body() : nil) }
        }
    }

    // MARK: Making

    /// Makes what is asked for until graceful shutdown or cancellation, and then fails whoever asks. To be called once.
    /// Does not throw: without a directory every answer is ``RenditionState/failed(reason:)``.
    public func run() async throws {
        var reason = "It was not prepared: Potluck is stopping."
        do {
            let folder = try await threads.runIfActive { [self] in try start() }
            await cancelWhenGracefulShutdown { [self] in
                await withTaskGroup { group in
                    for kind in RenditionKind.allCases { group.addTask { await self.makeAll(kind, folder) } }
                }
            }
        } catch let error as FileError {
            reason = "It was not prepared: \(error.reason)."
            logger.error("renditions cannot be kept", metadata: ["error": "\(error.reason)"])
            close(reason)
            // The agent goes on without.
            try? await gracefulShutdown()
        }
        close(reason)
        // Nobody is left who could be told.
        try? await threads.shutdownGracefully()
    }

    private func start() throws -> RenditionFolder {
        let folder = try RenditionFolder(path: path)
        let found = try folder.scan()
        let (removed, ready) = state.withLock { state in
            state.phase = .open(folder)
            let loaded = state.ledger.load(found)
            for key in loaded.ready { state.jobs[key] = nil }
            return loaded
        }
        for name in removed { folder.remove(name) }
        for key in ready { changed.yield(RenditionChange(kind: key.kind, blob: key.blob, isReady: true)) }
        return folder
    }

    private func close(_ reason: String) {
        let jobs = state.withLock { state in
            state.phase = .closed(reason)
            defer { state.jobs = [:] }
            return state.jobs.values.map(\.stop)
        }
        for stop in jobs { stop.finish() }
        changed.finish()
    }

    private func makeAll(_ kind: RenditionKind, _ folder: RenditionFolder) async {
        guard let rings = bells[kind]?.rings else { return }
        while !Task.isCancelled {
            if let (key, job, temporary) = next(kind, folder) {
                await make(key, job, folder, temporary)
            } else {
                // An iterator for each wait: the stream outlives it.
                var waiting = rings.makeAsyncIterator()
                guard await waiting.next(isolation: nil) != nil else { return }
            }
        }
    }

    private func next(_ kind: RenditionKind, _ folder: RenditionFolder) -> (RenditionKey, Job, temporary: String)? {
        state.withLock { state in
            guard let key = state.ledger.next(kind), let job = state.jobs[key] else { return nil }
            state.temporaryCount += 1
            return (key, job, folder.temporaryName(state.temporaryCount))
        }
    }

    private func make(_ key: RenditionKey, _ job: Job, _ folder: RenditionFolder, _ temporary: String) async {
        do {
            try await perform(job, key, at: folder.path(of: temporary))
            let result = await onThread { [limits] in
                Result { try folder.keep(temporary, as: key, byteCountMax: limits.byteCountMax) }
            }
            guard let name = try result?.get() else { return }
            let (isKept, removed) = state.withLock { state in
                state.jobs[key] = nil
                return state.ledger.keep(name)
            }
            await onThread { for name in removed { folder.remove(name) } }
            changed.yield(RenditionChange(kind: key.kind, blob: key.blob, isReady: isKept))
        } catch {
            await onThread { folder.remove(temporary) }
            fail(key, error)
        }
    }

    /// Ends with the making, or when its job is stopped.
    private func perform(_ job: Job, _ key: RenditionKey, at path: String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await job.make(path) { [weak self] progress in
                    self?.state.withLock { $0.ledger.advance(key, to: progress) }
                }
            }
            group.addTask {
                for await _ in job.stops {}
                throw CancellationError()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func fail(_ key: RenditionKey, _ error: any Error) {
        let media = error as? MediaError
        let file = (error as? FileError).map { "It was not prepared: \($0.reason)." }
        let reason = media?.description ?? file ?? "It was not prepared. Try again in a moment."
        logger.debug("rendition was not made", metadata: ["error": "\(error)", "rendition.kind": "\(key.kind)"])
        state.withLock { state in
            state.jobs[key] = nil
            state.ledger.fail(key, reason: reason, isLasting: media?.code == .unreadable, now: now())
        }
        changed.yield(RenditionChange(kind: key.kind, blob: key.blob, isReady: false))
    }

    /// Of all that is kept, for tests.
    var byteCount: UInt64 { state.withLock { $0.ledger.byteCount } }
}
