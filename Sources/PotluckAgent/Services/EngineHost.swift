import AlbumModel
import NIOCore
import PhotoStore
import SyncEngine
import Synchronization

/// Owns the engine: gives it inputs one after the other, and hands what it directs to the services.
///
/// **What is decided on this actor.** A service's state is a value behind a lock that no service holds while it calls
/// another. Steps in which the engine and such a state have to agree take the host as an `isolated` parameter: they run
/// on this actor, between two inputs, as all directives do, and never wait within. So it is decided here, and nowhere
/// else, what leaves or enters the trash, which blobs are deleted, and what is placed. Everything that takes time is a
/// job (``JobQueue``) and runs elsewhere.
actor EngineHost {
    private(set) var engine: Engine
    private(set) var isStopping = false
    /// From ``begin(_:)`` to the end of ``run()``; services know this host in their turn.
    private(set) var services: Services?
    private let clock: SystemClock
    private let jobs: JobQueue
    private var random = SystemRandomNumberGenerator()
    private var timer: Scheduled<Void>?
    private var timerAt: MonotonicInstant?
    /// The view of this moment, if somebody asked for it; its rule stands at ``GatheringView``.
    private let published = Mutex<GatheringView?>(nil)
    /// What jobs found out since the last input. A job ends before its finding is judged, unless that is the first, so jobs
    /// at work are no bound. What the engine asked for is one: it asks for nothing more before it has judged all of these,
    /// and of each piece that it requested (`EngineLimits.requestsPerLinkMax`, `.outstandingByteCountMax`), and of each blob
    /// that it had opened or committed (`.openBlobCountMax`), there is one.
    private let findings = Mutex<[Finding]>([])

    /// What a job found out, as an input of the engine: asked for on this actor, right before it is judged. `nil` where
    /// nothing is to be said of it any more.
    typealias Finding = @Sendable (isolated EngineHost) -> EngineInput?

    init(_ engine: Engine, clock: SystemClock, jobs: JobQueue) {
        self.engine = engine
        self.clock = clock
        self.jobs = jobs
    }

    /// Before any input.
    func begin(_ services: Services) { self.services = services }

    /// Runs jobs until ``stop()``. When it returns nobody uses the home any more.
    func run() async {
        await jobs.run()
        // Also where the task was cancelled: whoever waits is told.
        stop()
        services?.folder.setFiles(nil)
        await services?.staging.end()
        services = nil
    }

    /// Says goodbye to all peers and ends ``run()``.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        timer?.cancel()
        services?.stop(connected: engine.connectedDevices)
        jobs.finish()
    }

    // MARK: Inputs

    /// Gives the engine an input and has performed what it directs.
    func feed(_ input: EngineInput) { feed([input]) }

    /// The same with what came at one time.
    func feed(_ inputs: [EngineInput]) {
        let waiting = takeFindings()
        guard !isStopping, let services else { return }
        var found: [EngineInput] = []
        for finding in waiting { if let input = finding(self) { found.append(input) } }
        let inputs = found + inputs
        guard !inputs.isEmpty else { return }
        // Else the engine copies what it changes, although nobody may be reading.
        _ = published.withLock { $0.take() }
        let batchCount = engine.log.batchCount
        let directives = engine.handle(inputs, now: clock.now, wall: clock.wall, using: &random)
        for directive in directives { services.perform(directive, on: self) }
        if engine.log.batchCount != batchCount {
            services.index.followBatches()
            services.admissions.followDevices(on: self)
        }
        setTimer()
        services.parts.blobs.yieldTurns(engine.isAhead)
        services.network.sendGathered()
        services.contributions.resumeFinished()
    }

    private func setTimer() {
        guard let deadline = engine.nextDeadline else { return }
        if let timerAt, timerAt <= deadline { return }
        timer?.cancel()
        timerAt = deadline
        let wait = Int64(clamping: deadline.nanoseconds) - Int64(clamping: clock.now.nanoseconds)
        timer = jobs.add(after: .nanoseconds(max(0, wait))) { [weak self] in await self?.timerFired() }
    }

    private func timerFired() {
        timerAt = nil
        guard let services else { return }
        feed(services.network.progress() + [.deadlineReached])
    }

    // MARK: Findings

    /// Gives the engine what a job found out, in the order of their coming, and does not wait until it is judged: what
    /// comes while this actor is busy is judged at one time, since each judgement looks at all that is being pulled.
    nonisolated func deliver(_ findings: [Finding]) async {
        // The first goes for all that come until its turn.
        if note(findings) { await judgeFindings() }
    }

    nonisolated func deliver(_ finding: @escaping Finding) async { await deliver([finding]) }

    nonisolated func deliver(_ inputs: [EngineInput]) async {
        await deliver(inputs.map { input -> Finding in { (host: isolated EngineHost) in input } })
    }

    nonisolated func deliver(_ input: EngineInput) async { await deliver([input]) }

    /// The same from a thread, for which the judgement is a job.
    nonisolated func deliverLater(_ finding: @escaping Finding) {
        if note([finding]) { jobs.add { await self.judgeFindings() } }
    }

    /// Takes note of findings for the next input.
    ///
    /// - Returns: whether the first is among them, and somebody has to see to it that there is one.
    nonisolated func note(_ findings: [Finding]) -> Bool {
        self.findings.withLock { waiting in
            defer { waiting += findings }
            return waiting.isEmpty && !findings.isEmpty
        }
    }

    private func judgeFindings() { feed([]) }

    private func takeFindings() -> [Finding] {
        findings.withLock { findings in
            defer { findings.removeAll() }
            return findings
        }
    }

    // MARK: Questions

    /// What is known at this moment. Waits for this actor only where something changed since the last one was made.
    nonisolated var view: GatheringView {
        get async {
            if let view = published.withLock({ $0 }) { return view }
            return await publishedView()
        }
    }

    private func publishedView() -> GatheringView {
        published.withLock { published in
            let view = published ?? GatheringView(engine)
            published = view
            return view
        }
    }

    /// Answers a short question by what is known at this moment, without making a view: one that was made answers at
    /// once, else the engine itself does in its turn.
    nonisolated func ask<Answer: Sendable>(_ question: @Sendable (Engine) -> Answer) async -> Answer {
        if let view = published.withLock({ $0 }) { return question(view.engine) }
        return await answer(question)
    }

    private func answer<Answer: Sendable>(_ question: @Sendable (Engine) -> Answer) -> Answer { question(engine) }
}
