import Foundation
import Glibc
import TestSupport

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
        let child = try ChildProcess(
            words, environment: environment, output: output.descriptor, errors: errors.descriptor)
        do {
            let status = try await child.end(within: limit)
            return Output(status: status, bytes: output.bytes, errors: String(decoding: errors.bytes, as: UTF8.self))
        } catch {
            throw TestFailure(
                "\(words.joined(separator: " ")): \(error)\n\(String(decoding: errors.bytes, as: UTF8.self))")
        }
    }

    /// The same, for where nothing can be awaited.
    static func blocking(_ words: [String], environment: [String: String]) throws -> Output {
        let (output, errors) = (try Scratch(), try Scratch())
        let child = try ChildProcess(
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
            throw TestFailure("\(words.joined(separator: " ")) ended with \(status): \(errors)\(text)")
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
        guard descriptor >= 0 else { throw TestFailure("no temporary file: \(String(cString: strerror(errno)))") }
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
