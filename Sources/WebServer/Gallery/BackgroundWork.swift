import Synchronization

/// Work that goes on although the request that asked for it has ended: bytes that came are made durable, a file that is
/// whole is taken in.
///
/// Each request, and each upload, asks for one piece of work at a time, so the connections and uploads of the doors bound
/// what waits here.
final class BackgroundWork: Sendable {
    typealias Job = @Sendable () async -> Void

    private struct State {
        var jobs: [Job] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins a job soon.
    ///
    /// - Returns: `false` where the agent ends: the job is never begun.
    @discardableResult
    func start(_ job: @escaping Job) -> Bool {
        let isTaken = state.withLock { state in
            if !state.hasEnded { state.jobs.append(job) }
            return !state.hasEnded
        }
        signal.yield()
        return isTaken
    }

    /// Returns what the body returns, also where its caller was cancelled.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = start {
                do {
                    continuation.resume(returning: try await body())
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            if !isTaken { continuation.resume(throwing: CancellationError()) }
        }
    }

    /// Until cancelled; what is begun then is cancelled, and what waits is begun as such.
    func serve() async {
        await withDiscardingTaskGroup { group in
            for await _ in signals { begin(&group) }
            state.withLock { $0.hasEnded = true }
            begin(&group)
        }
    }

    private func begin(_ group: inout DiscardingTaskGroup) {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { group.addTask { await job() } }
    }
}
