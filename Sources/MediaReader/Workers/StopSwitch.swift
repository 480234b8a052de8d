import Synchronization

/// Ends a run of a tool from elsewhere, also one that has not begun.
final class StopSwitch: Sendable {
    private struct State {
        var process: ChildProcess?
        var isStopped = false
    }

    private let state = Mutex(State())

    func watch(_ process: ChildProcess?) {
        state.withLock { state in
            state.process = process
            if state.isStopped { process?.kill() }
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.process?.kill()
        }
    }
}
