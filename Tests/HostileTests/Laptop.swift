import Foundation
import PotluckAPI
import PotluckAgent
import PotluckClient
import Synchronization
import TestSupport

/// One laptop, by its home: its agent is a process that is served on the loopback interface alone.
final class Laptop: Sendable {
    let name: String
    let home: String
    /// Where its agent listens, on the loopback interface. It dials from 127.0.0.1 in any case.
    let host: String
    let port: UInt16
    private let environment: [String: String]
    private let agent = Mutex<ChildProcess?>(nil)

    var folder: String { home + "/Photos" }
    private var logPath: String { home + ".log" }

    init(name: String, directory: String, host: String = "127.0.0.2") throws {
        self.name = name
        self.host = host
        home = "\(directory)/\(name)"
        port = try Self.freePort()
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("POTLUCK_") }
        environment["XDG_RUNTIME_DIR"] = directory
        environment["TZ"] = "UTC"
        self.environment = environment
    }

    /// A port that nobody has at the moment.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var byteCount = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, byteCount) == 0 && getsockname(descriptor, $0, &byteCount) == 0
            }
        }
        guard isBound else { throw TestFailure("no free port: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }

    // MARK: The process

    /// Makes the home a member of the gathering.
    func join(_ phrase: String) async throws {
        let status = try await launch(["join", phrase, "--as", name]).end(within: .seconds(30))
        guard status == 0 else { throw TestFailure("\(name) cannot join: \(lastWords)") }
    }

    /// Starts the agent; returns how long it took until it served.
    @discardableResult
    func up(dialling peers: [Laptop]) async throws -> Duration {
        let begin = ContinuousClock.now
        let dialled = peers.flatMap { ["--peer", "\($0.host):\($0.port)"] }
        let options = ["--json", "--no-discovery", "--listen", "\(host):\(port)", "--log-level", "info"]
        let child = try launch(["up"] + options + dialled)
        agent.withLock { $0 = child }
        try Data("\(child.processID)\n".utf8).write(to: URL(fileURLWithPath: home + ".pid"))
        try await eventually("the agent of \(name) serves", within: .seconds(60)) {
            try expectRunning()
            let ready = FileManager.default.contents(atPath: home + ".out")
            return .when(ready?.contains(UInt8(ascii: "\n")) == true, "no ready line")
        }
        return .now - begin
    }

    private func launch(_ words: [String]) throws -> ChildProcess {
        let append = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        let output = open(home + ".out", append | O_TRUNC, 0o600), errors = open(logPath, append, 0o600)
        defer { for descriptor in [output, errors] where descriptor >= 0 { close(descriptor) } }
        guard output >= 0, errors >= 0 else { throw TestFailure("\(home).out cannot be written") }
        return try ChildProcess(
            [PotluckProgram.path!] + words + ["--home", home], environment: environment, output: output,
            errors: errors)
    }

    /// Nothing was trapped.
    func expectRunning() throws {
        guard let child = agent.withLock({ $0 }) else { throw TestFailure("\(name) has no agent") }
        if let status = child.poll() { throw TestFailure("the agent of \(name) ended with \(status): \(lastWords)") }
    }

    func down() async throws {
        try expectRunning()
        try await AgentClient(home: home).down()
        let status = try await agent.withLock { $0 }?.end(within: .seconds(20))
        guard status == 0 else { throw TestFailure("the agent of \(name) ended with \(status ?? -1): \(lastWords)") }
    }

    /// Ends the agent, however it is.
    func kill() async {
        guard let child = agent.withLock({ $0 }), child.poll() == nil else { return }
        child.signal(SIGKILL)
        // It ends; if it does not, nobody can do anything about it.
        _ = try? await child.end(within: .seconds(10))
    }

    // MARK: What it takes

    /// The most memory that the agent had since it started, in bytes.
    var memoryByteCount: Int {
        get throws {
            let text = try String(contentsOfFile: processPath + "/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
            else { throw TestFailure("nobody says how much memory the agent of \(name) has") }
            return kilobytes * 1024
        }
    }

    /// Time of all processors that the agent took since it started.
    var processorTime: Duration {
        get throws {
            let text = try String(contentsOfFile: processPath + "/stat", encoding: .utf8)
            // User and system time are the 14th and 15th; the second, in brackets, may have spaces.
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
                throw TestFailure("nobody says how long the agent of \(name) computed")
            }
            return .milliseconds((user + system) * 1000 / sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    private var processPath: String { "/proc/\(agent.withLock { $0 }?.processID ?? 0)" }

    // MARK: What it says

    var control: AgentClient { get throws { try AgentClient(home: home) } }

    /// None of an album that it has not heard of.
    func photos(in album: String) async throws -> [PhotosReport.Photo] {
        do {
            return try await control.photos(PhotoQuery(album: album)).photos
        } catch let error as PotluckError where error.status == .notFound {
            return []
        }
    }

    /// The lines of its log, of all runs.
    var log: [Substring] {
        get throws { try String(contentsOfFile: logPath, encoding: .utf8).split(separator: "\n") }
    }

    private var lastWords: String { (try? log.suffix(5).joined(separator: "\n")) ?? "it said nothing" }
}
