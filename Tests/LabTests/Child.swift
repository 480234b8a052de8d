import Foundation
import Glibc
import Synchronization

/// A process that this one started. Its standard input is empty, its output goes to files.
final class Child: Sendable {
    let processID: pid_t
    /// How it ended, once that is known; from then on its number may be another process's.
    private let ending = Mutex<Int32?>(nil)

    init(_ words: [String], environment: [String: String], output: Int32, errors: Int32) throws {
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
        guard code == 0 else { throw LabFailure("\(words[0]) does not start: \(String(cString: strerror(code)))") }
        self.processID = processID
    }

    /// The exit status, or 128 and the signal, as a shell has it; `nil` while the process runs.
    func poll() -> Int32? {
        ending.withLock { ending in
            var status: Int32 = 0
            if ending == nil, waitpid(processID, &status, WNOHANG) == processID {
                ending = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            return ending
        }
    }

    func signal(_ number: Int32) {
        ending.withLock { if $0 == nil { kill(processID, number) } }
    }

    /// The exit status; a process that takes longer is killed.
    func end(within limit: Duration) async throws -> Int32 {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let status = poll() { return status }
            try await Task.sleep(for: .milliseconds(3))
        }
        signal(SIGKILL)
        throw LabFailure("a process did not end within \(limit)")
    }
}

/// What a command printed, and how it ended.
struct Output {
    var status: Int32
    var bytes: [UInt8]
    var errors: String

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Runs a command to its end.
    static func of(
        _ words: [String], environment: [String: String], within limit: Duration = .seconds(60)
    ) async throws -> Output {
        let (output, errors) = (try Scratch(), try Scratch())
        let child = try Child(
            words, environment: environment, output: output.descriptor, errors: errors.descriptor)
        do {
            let status = try await child.end(within: limit)
            return Output(status: status, bytes: output.bytes, errors: String(decoding: errors.bytes, as: UTF8.self))
        } catch {
            throw LabFailure(
                "\(words.joined(separator: " ")): \(error)\n\(String(decoding: errors.bytes, as: UTF8.self))")
        }
    }

    /// The same, for where nothing can be awaited.
    static func blocking(_ words: [String], environment: [String: String]) throws -> Output {
        let (output, errors) = (try Scratch(), try Scratch())
        let child = try Child(
            words, environment: environment, output: output.descriptor, errors: errors.descriptor)
        var status = child.poll()
        while status == nil {
            usleep(3000)
            status = child.poll()
        }
        return Output(status: status!, bytes: output.bytes, errors: String(decoding: errors.bytes, as: UTF8.self))
    }

    @discardableResult
    func succeeded(_ words: [String]) throws -> Output {
        guard status == 0 else {
            throw LabFailure("\(words.joined(separator: " ")) ended with \(status): \(errors)\(text)")
        }
        return self
    }
}

/// A file without a name.
private final class Scratch: Sendable {
    let descriptor: Int32

    init() throws {
        var template = Array("/tmp/potluck-output-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw LabFailure("no temporary file: \(String(cString: strerror(errno)))") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit { close(descriptor) }

    var bytes: [UInt8] {
        var facts = stat()
        fstat(descriptor, &facts)
        let count = Int(facts.st_size)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            initializedCount = max(0, pread(descriptor, buffer.baseAddress, count, 0))
        }
    }
}
