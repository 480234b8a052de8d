import ServiceLifecycle
import Synchronization

/// Ends the agent from inside.
final class Stopper: Service {
    enum Reason: Sendable {
        /// `potluck down`.
        case told
        /// Another agent has this home's key: the home takes another one, and begins anew.
        case runsTwice
    }

    private let requests: AsyncStream<Reason>
    private let continuation: AsyncStream<Reason>.Continuation
    private let first = Mutex<Reason?>(nil)

    init() {
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Why the agent ended; `nil` if a signal ended it.
    var reason: Reason? { first.withLock { $0 } }

    /// Any thread; before ``run()`` too.
    func stop(_ reason: Reason) { continuation.yield(reason) }

    func run() async throws {
        for await reason in requests.cancelOnGracefulShutdown() {
            first.withLock { $0 = reason }
            return
        }
    }
}

/// Says that the agent serves.
struct ReadyService: Service {
    let onReady: @Sendable () async -> Void

    func run() async throws {
        await onReady()
        try? await gracefulShutdown()
    }
}
