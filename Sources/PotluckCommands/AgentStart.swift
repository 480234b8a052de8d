import Glibc
import LaptopDoctor
import NIOPosix
import PotluckAPI
import PotluckClient

/// Starts the agent of a home so that it outlives the command that asks for it.
struct AgentStart {
    let home: HomeLocation
    /// Whether nobody named or chose the home: then it is that of the systemd unit's agent, with its folder outside.
    let isStandardHome: Bool
    /// What is run as `up`: this program.
    private let program: String
    /// Of systemd's manager for this person.
    private let unit: String

    /// How long an agent may take before it answers: one of 100,000 photos takes 1.5 s, and a slow disk longer.
    private static let patience = Duration.seconds(30)

    /// The unit's agent knows neither --home, nor this environment, nor which home was chosen.
    ///
    /// - Parameter option: The value of --home.
    init(home: HomeLocation, option: String?, console: Console) throws(PotluckError) {
        let isNamed = option != nil || console.environment[SettingName.homeVariable]?.isEmpty == false
        let standard = try HomeLocation(standard: console.environment)
        self.init(home: home, isStandardHome: !isNamed && home == standard)
    }

    init(
        home: HomeLocation, isStandardHome: Bool, program: String = "/proc/self/exe", unit: String = "potluck.service"
    ) {
        self.home = home
        self.isStandardHome = isStandardHome
        self.program = program
        self.unit = unit
    }

    /// Returns when the agent answers; at once where one runs already.
    ///
    /// - Throws: ``PotluckError`` with the agent's own words where it ends instead, and with `.tryAgain` where it does not
    ///   answer in time.
    func perform() async throws {
        if try await isAnswered() { return }
        if isStandardHome, try await startUnit() { return try await wait { nil } }
        try await startProcess()
    }

    // MARK: By systemd

    /// Whether systemd started the agent.
    private func startUnit() async throws -> Bool {
        try await NIOThreadPool.singleton.runIfActive {
            // Where the package's unit is not installed, or no manager runs for this person, there is an error.
            ChildProgram.run(["systemctl", "--user", "--quiet", "start", unit]) == 0
        }
    }

    // MARK: As a process

    private func startProcess() async throws {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else {
            throw PotluckError(.failed, "The agent cannot be started: \(String(cString: strerror(errno))).")
        }
        let (output, input) = (pipe[0], pipe[1])
        for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        // Whoever writes into a pipe that nobody reads gets an error, which ends no agent.
        defer { close(output) }
        let path = realpath(program, nil)
        defer { free(path) }
        // A home that is named has its folder inside, even the standard one.
        let words = ["up"] + (isStandardHome ? ["--standard-home"] : ["--home", home.path])
        let child = path.flatMap {
            ChildProgram.start([String(cString: $0)] + words, isSessionLeader: true, errors: input)
        }
        close(input)
        guard let child else { throw PotluckError(.failed, "The agent cannot be started; try `potluck up`.") }
        try await wait {
            var status: Int32 = 0
            guard waitpid(child, &status, WNOHANG) == child else { return nil }
            return Self.lastLine(of: output) ?? "It ended at once; `potluck up` says why."
        }
    }

    /// The reason that an agent that ended gave.
    private static func lastLine(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").last.map(String.init)
        let prefix = "potluck: "
        return line.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
    }

    // MARK: Waiting

    /// - Parameter end: Why the agent ended; `nil` while it has not.
    private func wait(for end: () -> String?) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.patience
        while clock.now < deadline {
            if try await isAnswered() { return }
            if let reason = end() { throw PotluckError(.failed, "The agent does not start. \(reason)") }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw PotluckError(
            .tryAgain,
            "The agent does not answer yet. `potluck status` says when it does, `journalctl --user -u potluck` why it does not."
        )
    }

    private func isAnswered() async throws -> Bool {
        do {
            _ = try await AgentClient(home: home.path).impatient.ask(TransfersRequest())
            return true
        } catch let error as PotluckError where error.status == .notRunning || error.status == .tryAgain {
            return false
        }
    }
}
