import CSandbox
import DiskIO
import Glibc
import Synchronization

/// A process of ours. Whoever holds it must see to its end: ``kill()``, or ``end(by:)``.
final class ChildProcess: Sendable {
    private enum State {
        case running(pid_t)
        case ended(ProcessStatus)
    }

    /// Which it was, or still is.
    let number: pid_t
    /// The lock is held while the process is reaped, so that nobody ever signals a number that is another's by now.
    private let state: Mutex<State>

    /// - Parameters:
    ///   - words: the program's path, then its arguments.
    ///   - descriptors: what it gets as 0, 1, …; -1 is `/dev/null`.
    init(_ words: [String], descriptors: [Int32]) throws(WorkerFailure) {
        let arguments = words.map { strdup($0) } + [nil]
        let environment = Self.environment.map { strdup($0) } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        var process = pid_t()
        let error = csandbox_spawn(
            words[0], arguments, environment, descriptors, Int32(descriptors.count), &process)
        guard error == 0 else { throw .impossible("\(words[0]) cannot be started (\(FileError.text(error)))") }
        number = process
        state = Mutex(.running(process))
    }

    /// Nothing of the agent's own, but for where its libraries may be: no settings of a person's, no secrets.
    private static let environment: [String] = {
        var environment = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", "MALLOC_ARENA_MAX=2"]
        if let libraries = getenv("LD_LIBRARY_PATH") {
            environment.append("LD_LIBRARY_PATH=\(String(cString: libraries))")
        }
        return environment
    }()

    /// May be called from anywhere, also when it has ended.
    func kill() {
        state.withLock { state in
            if case .running(let process) = state { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// Waits for its end; kills it at the deadline, and waits for that. Blocks.
    ///
    /// - Returns: `nil` where it had to be killed for the time it took.
    func end(by deadline: Deadline) -> ProcessStatus? {
        if let status = wait(deadline.milliseconds) { return status }
        kill()
        _ = wait(-1)
        return nil
    }

    private func wait(_ milliseconds: Int32) -> ProcessStatus? {
        let process: pid_t
        switch state.withLock({ $0 }) {
        case .ended(let status): return status
        case .running(let running): process = running
        }
        // Without reaping, so that the number stays its own until the lock is held.
        guard csandbox_wait_for_end(process, milliseconds) == 0 else { return nil }
        return state.withLock { state in
            guard case .running(let process) = state else { return nil }
            var status: Int32 = 0
            csandbox_reap(process, &status)
            state = .ended(ProcessStatus(status))
            return ProcessStatus(status)
        }
    }
}
