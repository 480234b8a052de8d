import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// What this machine has for a lab.
enum Machine {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    static let variables = ProcessInfo.processInfo.environment

    /// The agent to test.
    static let binary = PotluckProgram.path

    /// Why there can be no lab here; `nil` where there can.
    static let obstacle: String? = {
        guard let binary else { return "there is no potluck to test: swift build --product potluck makes one" }
        guard FileManager.default.isExecutableFile(atPath: binary) else { return "\(binary) is no program" }
        do {
            let check = try Output.blocking(["\(root)/Scripts/lab", "check"], environment: variables)
            return check.status == 0 ? nil : check.errors.trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            return "\(error)"
        }
    }()
}

/// Laptops of one network, for the time of one test.
final class Lab: Sendable {
    /// Homes, and files to drop.
    let files: String
    private let environment: [String: String]
    private let agents = Mutex<[Agent]>([])

    private static let count = Mutex(0)
    /// For what a test stands on: twelve laptops, or thousands of photos.
    private static let patience = Duration.seconds(180)

    private init(name: String) throws {
        let root = Machine.variables["POTLUCK_LAB_ROOT"] ?? "/tmp"
        files = "\(root)/files-\(name)"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        var environment = Machine.variables.filter { !$0.key.hasPrefix("POTLUCK_") }
        environment["LAB_DIR"] = "\(root)/lab-\(name)"
        environment["XDG_RUNTIME_DIR"] = files
        environment["TZ"] = "UTC"
        self.environment = environment
    }

    /// Starts laptops 1 to `count`, and ends all that runs on them after `body`, whatever came of it.
    static func run(laptops count: Int, _ body: (Lab) async throws -> Void) async throws {
        let number = Self.count.withLock { number in
            number += 1
            return number
        }
        let lab = try Lab(name: "\(getpid())-\(number)")
        var failure: (any Error)?
        do {
            try await lab("up", "\(count)")
            try await body(lab)
        } catch {
            failure = TestFailure("\(error)\(lab.words())")
        }
        // In a task of its own: a test that is stopped cleans up as well.
        let down = Task { try await lab("down") }
        _ = try await down.value
        try FileManager.default.removeItem(atPath: lab.files)
        if let failure { throw failure }
    }

    /// Scripts/lab with these words.
    @discardableResult
    func callAsFunction(_ words: String...) async throws -> Output {
        let words = ["\(Machine.root)/Scripts/lab"] + words
        return try await Output.of(words, environment: environment, within: Self.patience).succeeded(words)
    }

    func laptop(_ number: Int) -> Laptop { Laptop(lab: self, number: number) }

    /// A command on a laptop; how it ended is the caller's to judge.
    func execute(_ number: Int, _ words: [String], within limit: Duration = .seconds(60)) async throws -> Output {
        try await Output.of(onLaptop(number, words), environment: environment, within: limit)
    }

    /// A command of this machine; how it ended is the caller's to judge.
    func run(_ words: [String], within limit: Duration = .seconds(60)) async throws -> Output {
        try await Output.of(words, environment: environment, within: limit)
    }

    /// A program that stays; its output goes to `path`, its messages to `path`.log. Its clock may be wrong by some seconds.
    func launch(
        _ number: Int, _ words: [String], clockAhead seconds: Int? = nil, output path: String
    ) throws -> ChildProcess {
        let append = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        let output = open(path, append | O_TRUNC, 0o600), errors = open("\(path).log", append, 0o600)
        guard output >= 0, errors >= 0 else { throw TestFailure("\(path) cannot be written") }
        defer {
            close(output)
            close(errors)
        }
        let command =
            seconds.map { ["\(Machine.root)/Scripts/lab", "shift", "\(number)", "\($0)"] + words }
            ?? onLaptop(number, words)
        return try ChildProcess(command, environment: environment, output: output, errors: errors)
    }

    /// A command on the machine itself.
    @discardableResult
    func here(_ words: String...) async throws -> Output {
        try await Output.of(words, environment: environment, within: Self.patience).succeeded(words)
    }

    func note(_ agent: Agent) { agents.withLock { $0.append(agent) } }

    private func onLaptop(_ number: Int, _ words: [String]) -> [String] {
        ["\(Machine.root)/Scripts/lab", "exec", "\(number)"] + words
    }

    /// The last messages of the agents, for who reads of a failure.
    private func words() -> String {
        let logs = Set(agents.withLock { $0.map(\.log) }).sorted()
        return logs.map { log in
            let lines = ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").suffix(20)
            return "\n-- \((log as NSString).lastPathComponent)\n\(lines.joined(separator: "\n"))"
        }.joined()
    }
}
