import NIOPosix
import Synchronization

/// The slots, and who waits for one.
///
/// A job that finds no free slot waits in line: nothing is opened, read or kept of its file before. What a person waits
/// for, and the further steps of a file that was begun, stand before files that nobody has looked at.
final class WorkerPool: Sendable {
    enum Urgency {
        case ordinary, soon
    }

    private struct Waiter {
        var number: UInt64
        var continuation: CheckedContinuation<Slot, any Error>
    }

    private struct State {
        /// Those used last stand last, so that the others grow idle.
        var free: [(slot: Slot, since: ContinuousClock.Instant)]
        var soon: [Waiter] = []
        var ordinary: [Waiter] = []
        var waiterCount: UInt64 = 0
        var isStopped = false
    }

    private let slots: [Slot]
    private let threads: NIOThreadPool
    private let state: Mutex<State>

    /// - Parameter isIdle: whether its processes give way to those of other pools.
    init(_ settings: MediaReaderSettings, slotCount: Int, isIdle: Bool) {
        let slots = (0..<slotCount).map { _ in Slot(settings, isIdle: isIdle) }
        self.slots = slots
        state = Mutex(State(free: slots.map { ($0, .now) }))
        threads = NIOThreadPool(numberOfThreads: slotCount)
        threads.start()
    }

    /// Of a pool that nobody stopped, since nobody ran its reader, the threads end as well.
    deinit { threads.shutdownGracefully { _ in } }

    /// Runs `body`, which blocks, with a slot of its own, on a thread of the pool.
    func perform<Result: Sendable>(
        _ urgency: Urgency, _ body: @escaping @Sendable (Slot) throws -> Result
    ) async throws -> Result {
        let slot = try await acquire(urgency)
        defer { release(slot) }
        return try await threads.runIfActive { try body(slot) }
    }

    private func acquire(_ urgency: Urgency) async throws -> Slot {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let immediate: Result<Slot, any Error>? = state.withLock { state in
                    if state.isStopped { return .failure(WorkerFailure.stopped) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let free = state.free.popLast() { return .success(free.slot) }
                    let waiter = Waiter(number: number, continuation: continuation)
                    if urgency == .soon { state.soon.append(waiter) } else { state.ordinary.append(waiter) }
                    return nil
                }
                if let immediate { continuation.resume(with: immediate) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                Self.remove(number, from: &state.soon) ?? Self.remove(number, from: &state.ordinary)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private static func remove(_ number: UInt64, from waiters: inout [Waiter]) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }

    private func release(_ slot: Slot) {
        let next: Waiter? = state.withLock { state in
            if !state.soon.isEmpty { return state.soon.removeFirst() }
            if !state.ordinary.isEmpty { return state.ordinary.removeFirst() }
            state.free.append((slot, .now))
            return nil
        }
        next?.continuation.resume(returning: slot)
    }

    // MARK: Rest and end

    /// Ends the processes of slots that were free for so long.
    func endIdle(after timeout: Duration) async {
        let idle = state.withLock { state in
            let isIdle = { (since: ContinuousClock.Instant) in since.duration(to: .now) >= timeout }
            defer { state.free.removeAll { isIdle($0.since) } }
            return state.free.filter { isIdle($0.since) }.map(\.slot)
        }
        for slot in idle {
            // The threads are gone only once all has been stopped.
            try? await threads.runIfActive { slot.end() }
            release(slot)
        }
    }

    /// Fails all that wait, kills all that run. To be called once; returns when nothing of the pool is left.
    func stop() async {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { (state.soon, state.ordinary) = ([], []) }
            return state.soon + state.ordinary
        }
        for waiter in waiting { waiter.continuation.resume(throwing: WorkerFailure.stopped) }
        for slot in slots { slot.stop() }
        try? await threads.shutdownGracefully()
        for slot in slots { slot.end() }
    }

    /// The processes that wait for work, for tests.
    var processes: [ChildProcess] { slots.flatMap(\.processes) }

    /// The tools that run, for tests.
    var tools: [ChildProcess] { slots.compactMap(\.tool) }
}
