public import Glibc
import Synchronization

/// A process that this one started. Its standard input is empty, its output goes to files.
public final class ChildProcess: Sendable {
    public let processID: pid_t
    /// How it ended, once that is known; from then on its number may be another process's.
    private let ending = Mutex<Int32?>(nil)

    public init(_ words: [String], environment: [String: String], output: Int32, errors: Int32) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var processID: pid_t = 0
        let code = posix_spawnp(&processID, words[0], &actions, nil, &arguments, &variables)
        guard code == 0 else { throw TestFailure("\(words[0]) does not start: \(String(cString: strerror(code)))") }
        self.processID = processID
    }

    /// The exit status, or 128 and the signal, as a shell has it; `nil` while the process runs.
    public func poll() -> Int32? {
        ending.withLock { ending in
            var status: Int32 = 0
            if ending == nil, waitpid(processID, &status, WNOHANG) == processID {
                ending = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            return ending
        }
    }

    public func signal(_ number: Int32) {
        ending.withLock { if $0 == nil { kill(processID, number) } }
    }

    /// The exit status; a process that takes longer is killed.
    public func end(within limit: Duration) async throws -> Int32 {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let status = poll() { return status }
            try await Task.sleep(for: .milliseconds(3))
        }
        signal(SIGKILL)
        throw TestFailure("a process did not end within \(limit)")
    }
}
