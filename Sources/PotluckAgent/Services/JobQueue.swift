import NIOCore

/// Work of the services that takes time, run outside of the engine's actor: whatever comes of it goes back there as an
/// input of the engine.
///
/// Jobs begin in the order in which they were added. How many there are at once is bounded by `EngineLimits`: one
/// transaction, the open blobs; and for what peers ask by ``PeerAnswers``. Pieces are none (``StagingService``).
struct JobQueue: Sendable {
    typealias Job = @Sendable () async -> Void

    private let eventLoop: any EventLoop
    private let jobs: AsyncStream<Job>
    private let source: AsyncStream<Job>.Continuation

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        (jobs, source) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Has something done; nothing after ``finish()``.
    func add(_ job: @escaping Job) { source.yield(job) }

    /// The same after a while.
    @discardableResult
    func add(after time: TimeAmount, _ job: @escaping Job) -> Scheduled<Void> {
        eventLoop.scheduleTask(in: time) { [source] in
            _ = source.yield(job)
        }
    }

    /// Runs jobs until ``finish()``, and then returns once those that began have ended.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job() } }
            // A dial that is under way need not be waited for.
            group.cancelAll()
        }
    }

    func finish() { source.finish() }
}
