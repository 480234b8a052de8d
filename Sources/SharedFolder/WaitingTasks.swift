import FolderEngine
import Synchronization

/// Tasks that wait until the ``FolderJudge`` lets them go on: for their turns, or for an answer.
final class WaitingTasks: Sendable {
    private struct State {
        var taskCount: UInt64 = 0
        var waiting: [TaskNumber: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())

    /// A number for a task that is about to wait.
    func newNumber() -> TaskNumber {
        state.withLock { state in
            state.taskCount += 1
            return TaskNumber(state.taskCount)
        }
    }

    /// Waits for ``resume(_:returning:)``.
    ///
    /// - Parameter begin: Hands in what the task waits for, of which the end may follow at once.
    func wait(_ task: TaskNumber, begin: () -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting[task] = continuation }
            begin()
        }
    }

    /// A task that does not wait, or not any more, is let be.
    func resume(_ task: TaskNumber, returning answer: Bool) {
        state.withLock { $0.waiting.removeValue(forKey: task) }?.resume(returning: answer)
    }
}

extension FolderCore {
    /// Runs a body once the task has these turns, and passes them on.
    func withTurns<Value>(_ turns: Set<Turn>, _ body: () async throws -> Value) async rethrows -> Value {
        let task = tasks.newNumber()
        _ = await tasks.wait(task) { letGoOn(queue.handle(.turnsWanted(task, turns))) }
        defer { letGoOn(queue.handle(.turnsOver(task))) }
        return try await body()
    }

    /// Whether it is known what waits for a person, as soon as it is, or once they have waited for long enough.
    func isHeldKnown() async -> Bool {
        let task = tasks.newNumber()
        return await withTaskGroup(of: Void.self) { group in
            let isKnown = await tasks.wait(task) {
                let directives = queue.handle(.asked(task))
                for case .wait(task, let limit) in directives {
                    group.addTask {
                        // Cancelled once there is an answer, or the caller gives up.
                        try? await Task.sleep(for: limit)
                        self.letGoOn(self.queue.handle(.waited(task)))
                    }
                }
                letGoOn(directives)
            }
            group.cancelAll()
            return isKnown
        }
    }

    /// Performs what follows from turns and questions: tasks that wait go on. Nothing else does.
    func letGoOn(_ directives: [FolderDirective]) {
        for directive in directives {
            switch directive {
            case .begin(let task): tasks.resume(task, returning: true)
            case .answer(let task, let isKnown): tasks.resume(task, returning: isKnown)
            default: break
            }
        }
    }
}
