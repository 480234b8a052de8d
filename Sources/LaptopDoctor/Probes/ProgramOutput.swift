import Glibc

/// What a program of the system prints.
enum ProgramOutput {
    enum Result: Hashable, Sendable {
        case printed(String)
        /// It ended with an error, or not in time.
        case failed
        case absent
    }

    private static let directories = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
    private static let byteCountMax = 8 << 20

    /// Where a program of this name is; `nil` where there is none.
    static func path(of program: String) -> String? {
        directories.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs it to its end, with no input and without messages; kills it when it takes longer.
    static func of(_ program: String, _ arguments: [String], within limit: Duration = .seconds(3)) -> Result {
        guard let path = path(of: program) else { return .absent }
        var ends: [Int32] = [0, 0]
        // Programs that other threads start meanwhile must not get the ends, as they could those of a pipe.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return .failed }
        defer { close(ends[0]) }
        // Words in other languages are not understood here.
        let environment = ["LC_ALL=C", "PATH=\(directories.joined(separator: ":"))"]
        let child = ChildProgram.start([path] + arguments, environment: environment, output: ends[1])
        close(ends[1])
        guard let child else { return .failed }
        let output = read(ends[0], until: .now + limit)
        if output == nil { kill(child, SIGKILL) }
        let end = ChildProgram.end(of: child)
        guard let output, end == 0 else { return .failed }
        return .printed(String(decoding: output, as: UTF8.self))
    }

    /// All until the end; `nil` where it does not end in time, or is too much.
    private static func read(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < byteCountMax {
            let left = deadline - .now
            guard left > .zero else { return nil }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32(left / .milliseconds(1)) + 1) == 1 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { return nil }
        }
        return nil
    }
}
