import Foundation
import Glibc
import StoreProbe

/// One run of an operation in a process of its own, struck by a fault.
struct ProbeRun: Sendable {
    /// Most need less than one, but `Scripts/test` gives them what others leave of the processors.
    private static let secondsMax = 180
    static let directory =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        .map { ($0 as NSString).deletingLastPathComponent } ?? "."
    static let library = directory + "/libdisk-faults.so"

    /// The exit status, or 128 and the signal.
    var status: Int32
    var acknowledgements: [Acknowledgement]
    /// The call that was struck; `nil` where there were fewer calls.
    var hit: String?
    /// The calls that the fault's kind could have struck, in order; only where none was to be.
    var calls: [String]

    var failures: [String] {
        acknowledgements.compactMap { if case .failed(let sentence) = $0 { sentence } else { nil } }
    }

    /// - Parameter call: which one is struck, from 1 on; 0 strikes none.
    /// - Parameter ignored: part of the path of files and directories whose syncs do nothing.
    init(_ operation: StoreOperation, root: String, fault: Fault, call: Int, ignored: String? = nil) throws {
        let (report, output) = (root + ".report", root + ".output")
        defer { for path in [report, output] { unlink(path) } }
        var environment = [
            "LD_PRELOAD=\(Self.library)", "DISK_FAULTS_ROOT=\(root)", "DISK_FAULTS_KIND=\(fault.kind)",
            "DISK_FAULTS_AT=\(call)", "DISK_FAULTS_LASTS=1", "DISK_FAULTS_REPORT=\(report)",
            "DISK_FAULTS_SECONDS=\(Self.secondsMax)",
        ]
        if !operation.includesOpening { environment.append("DISK_FAULTS_WAITS=1") }
        if let ignored { environment.append("DISK_FAULTS_IGNORES=\(ignored)") }
        if fault.loses != .nothing { environment.append("DISK_FAULTS_LOSES=\(fault.loses.rawValue)") }
        let program = Self.directory + (operation.isAgents ? "/agent-probe" : "/store-probe")
        let words = [program, operation.name, root] + (fault.answer == .goesOn ? ["--stubborn"] : [])
        status = try Self.end(of: words, environment: environment, output: output)
        acknowledgements = try Self.text(output).split(separator: "\n").compactMap { Acknowledgement(line: $0) }
        let lines = (try? Self.text(report))?.split(separator: "\n").map(String.init) ?? []
        hit = lines.first { $0.hasPrefix("hit ") }?.dropFirst(4).description
        calls = lines.filter { $0.hasPrefix("call ") }.map { String($0.dropFirst(5)) }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    private static func end(of words: [String], environment: [String], output: String) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // Threads of this process block signals, and the alarm is one.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw CrashTestError("\(words[0]) does not start: \(String(cString: strerror(code)))") }
        var status: Int32 = 0
        // The library's alarm bounds the wait.
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw CrashTestError("the process cannot be waited for") }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}

struct CrashTestError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
