import Glibc

/// Other programs, run without input and without output.
enum SilentProgram {
    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which Swift does not see.
    private static let newSession: Int16 = 0x80

    /// Runs a program of `PATH` and waits for its end.
    ///
    /// Blocks the thread for as long as the program runs.
    ///
    /// - Returns: What `waitpid` says of its end, 0 for success; `nil` where it cannot be started.
    static func run(_ arguments: [String]) -> Int32? {
        guard let child = start(arguments) else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Starts a program of `PATH`, or one that is named by its path.
    ///
    /// - Parameters:
    ///   - isSessionLeader: Whether it gets a session of its own, so that it outlives the terminal.
    ///   - errors: The descriptor that becomes its standard error; `nil` for none.
    /// - Returns: `nil` where it cannot be started.
    static func start(_ arguments: [String], isSessionLeader: Bool = false, errors: Int32? = nil) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if isSessionLeader { posix_spawnattr_setflags(&attributes, newSession) }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        guard let program = words[0] else { return nil }
        return posix_spawnp(&child, program, &actions, &attributes, &words, environ) == 0 ? child : nil
    }
}
