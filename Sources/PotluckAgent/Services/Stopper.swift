import ServiceLifecycle
import Synchronization
import UnixSignals

/// Ends the agent from inside.
final class Stopper: Service {
    enum Reason: Sendable {
        /// `potluck down`, or a signal.
        case told
        /// Another agent has this home's key: the home takes another one, and begins anew.
        case runsTwice
        /// The gathering has another phrase, or somebody was put out: the agent begins anew with these.
        case newRoll
    }

    private let requests: AsyncStream<Reason>
    private let continuation: AsyncStream<Reason>.Continuation
    private let stated = Mutex<Reason?>(nil)

    init() {
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Why the agent ended; `nil` if something else ended it.
    var reason: Reason? { stated.withLock { $0 } }

    /// Any thread; before ``run()`` too. Whoever wants the agent to end is heard also while it is to begin anew.
    func stop(_ reason: Reason) {
        stated.withLock { if $0 == nil || reason == .told { $0 = reason } }
        continuation.yield(reason)
    }

    func run() async throws {
        for await _ in requests.cancelOnGracefulShutdown() { return }
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

/// Hears of signals from the agent's first run to its last, also while it begins anew.
final class EndSignals: Sendable {
    private struct State {
        var wasTold = false
        var stopper: Stopper?
    }

    private let state = Mutex(State())

    var wasTold: Bool { state.withLock { $0.wasTold } }

    /// From now on signals end this run.
    func follow(_ stopper: Stopper) {
        let wasTold = state.withLock { state in
            state.stopper = stopper
            return state.wasTold
        }
        if wasTold { stopper.stop(.told) }
    }

    /// Until it is cancelled.
    func watch() async {
        for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            let stopper = state.withLock { state in
                state.wasTold = true
                return state.stopper
            }
            stopper?.stop(.told)
        }
    }
}
