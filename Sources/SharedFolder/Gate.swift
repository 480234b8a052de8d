import Synchronization

/// Lets tasks wait, for a while, until something has happened once.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastNumber = 0
        /// Whose time was over before they began to wait.
        var givenUp: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())

    /// For all who wait, and all who come later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: true) }
    }

    /// - Returns: whether it has opened within that time.
    func wait(for limit: Duration) async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Cancelled once the gate is open, or the caller gives up.
                try? await Task.sleep(for: limit)
                self.close(number)
            }
            let isOpen = await withCheckedContinuation { continuation in
                let isOpen = self.state.withLock { state in
                    if state.isOpen || state.givenUp.remove(number) != nil { return Optional(state.isOpen) }
                    state.waiting[number] = continuation
                    return nil
                }
                if let isOpen { continuation.resume(returning: isOpen) }
            }
            group.cancelAll()
            return isOpen
        }
    }

    private func close(_ number: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: number)
            if continuation == nil, !state.isOpen { state.givenUp.insert(number) }
            return continuation
        }
        continuation?.resume(returning: false)
    }
}
