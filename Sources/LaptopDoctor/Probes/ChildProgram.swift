public import Glibc

/// Programs of the system that are started from here. Without input; what they print goes nowhere, unless said otherwise.
public enum ChildProgram {
    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which Swift does not see.
    private static let newSession: Int16 = 0x80

    /// Runs a program of `PATH` and waits for its end.
    ///
    /// Blocks the thread for as long as the program runs.
    ///
    /// - Returns: What `waitpid` says of its end, 0 for success; `nil` where it cannot be started.
    public static func run(_ words: [String]) -> Int32? { start(words).map { end(of: $0) } }

    /// Starts a program of `PATH`, or one that is named by its path.
    ///
    /// - Parameters:
    ///   - words: The program, then its arguments.
    ///   - environment: As `NAME=value`; this process's own for `nil`.
    ///   - isSessionLeader: Whether it gets a session of its own, so that it outlives the terminal.
    ///   - output: The descriptor that becomes its standard output.
    ///   - errors: The descriptor that becomes its standard error.
    /// - Returns: `nil` where it cannot be started. Whoever started it waits for its end.
    public static func start(
        _ words: [String], environment: [String]? = nil, isSessionLeader: Bool = false, output: Int32? = nil,
        errors: Int32? = nil
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if isSessionLeader { posix_spawnattr_setflags(&attributes, newSession) }
        var words = strings(words)
        var variables = environment.map { strings($0) } ?? []
        defer { for string in words + variables { free(string) } }
        var child = pid_t()
        guard let program = words[0] else { return nil }
        let status =
            environment == nil
            ? posix_spawnp(&child, program, &actions, &attributes, &words, environ)
            : posix_spawnp(&child, program, &actions, &attributes, &words, &variables)
        return status == 0 ? child : nil
    }

    /// Waits for the end of a program that was started. Blocks.
    ///
    /// - Returns: What `waitpid` says of it, 0 for success.
    public static func end(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
