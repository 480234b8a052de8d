import FoundationEssentials
import Glibc
import NIOPosix
import PotluckAPI
import Synchronization

/// Where a command reads and writes, and what it may know of its surroundings: handed in, so that tests see all of it.
struct Console: Sendable {
    /// Standard output. Throws ``OutputError``.
    var write: @Sendable (String) throws -> Void
    /// Standard error, past the live line.
    var live: LiveLine
    /// A line of standard input without its end; `nil` at its end. Throws ``PotluckError`` for one that is too long.
    var readLine: @Sendable () async throws -> String?
    var inputIsTerminal: Bool
    var outputIsTerminal: Bool
    var errorIsTerminal: Bool
    /// The width of the terminal that standard output is; `nil` for a pipe or a file.
    var cellCount: @Sendable () -> Int?
    var environment: [String: String]
    /// The working directory, absolute.
    var directory: String
    var now: @Sendable () -> Instant
    /// Opens a file in the person's browser, and returns whether one was started.
    var openFile: @Sendable (_ path: String) -> Bool
    /// Where journald reads standard error: it takes log messages with fields, too.
    var journal: JournalSocket?
    /// For a screen that is drawn again and again; `nil` where output goes elsewhere, or to a terminal that knows no
    /// control sequences.
    var liveTerminal: LiveTerminal?
    /// Whether a program reads what is written: standard output has one document, standard error one a line, and nothing
    /// else.
    var isJSON = false

    @TaskLocal static var current = Console.system

    /// Writes to standard error, in whole lines.
    func warn(_ text: String) {
        live.write(text)
    }

    /// Writes a message to standard error, or its document where a program reads.
    func tell(_ message: String, as document: some Encodable) {
        let json = isJSON ? try? ReportJSON.text(document) : nil
        warn((json ?? "potluck: \(PrintableText.lines(message))") + "\n")
    }

    /// Tells of something that is no failure.
    func notice(_ message: String) { tell(message, as: NoticeDocument(message)) }

    /// The line for progress; `nil` where nobody would see it, or a program reads.
    var progress: LiveLine? { errorIsTerminal && !isJSON ? live : nil }

    /// Whether the person at the terminal can be asked.
    var canAsk: Bool { inputIsTerminal && errorIsTerminal }

    /// Asks the person at the terminal; everything but a yes is a no.
    func isMeant(_ question: String) async throws -> Bool {
        warn(PrintableText.line(question) + " Type yes: ")
        let answer = try await readLine()?.lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }
}

/// A notice as a program reads it.
struct NoticeDocument: Codable, Hashable {
    struct Content: Codable, Hashable {
        var message: String
    }

    var notice: Content

    init(_ message: String) {
        notice = Content(message: message)
    }
}

/// Of a terminal, in cells.
struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// `nil` where the descriptor is no terminal, or does not know.
    init?(of descriptor: Int32) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        self.init(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

/// Standard output takes no more.
enum OutputError: Error {
    /// Whoever read it has gone, like `head` after its lines: no failure.
    case readerGone
    case failed(reason: String)
}

extension Console {
    static let system = Console(
        write: { try Console.write($0, to: STDOUT_FILENO) },
        // Nobody can be told that standard error does not work.
        live: LiveLine { try? Console.write($0, to: STDERR_FILENO) },
        readLine: {
            try await NIOThreadPool.singleton.runIfActive {
                try InputLine.read(STDIN_FILENO, of: "standard input")
            }
        },
        inputIsTerminal: isatty(STDIN_FILENO) == 1,
        outputIsTerminal: isatty(STDOUT_FILENO) == 1,
        errorIsTerminal: isatty(STDERR_FILENO) == 1,
        cellCount: { Console.terminalWidth(STDOUT_FILENO) },
        environment: Console.processEnvironment(),
        directory: Console.workingDirectory(),
        now: { Instant(millisecondsSince1970: Int64(Date.now.timeIntervalSince1970 * 1000)) },
        openFile: { Browser.open(file: $0) },
        journal: JournalSocket.isRead(STDERR_FILENO, stream: AgentSocket.environment("JOURNAL_STREAM"))
            ? JournalSocket() : nil,
        liveTerminal: LiveTerminal.isUsable(STDOUT_FILENO, kind: AgentSocket.environment("TERM"))
            ? LiveTerminal(input: STDIN_FILENO, output: STDOUT_FILENO) : nil)

    /// - Throws: ``OutputError``.
    static func write(_ text: String, to descriptor: Int32) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno == EPIPE {
                throw OutputError.readerGone
            } else if errno != EINTR {
                throw OutputError.failed(reason: String(cString: strerror(errno)))
            }
        }
    }

    static func terminalWidth(_ descriptor: Int32) -> Int? { TerminalSize(of: descriptor)?.columns }

    private static func workingDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func processEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        let others = ["HOME", "XDG_DATA_HOME", "NO_COLOR", SettingName.homeVariable]
        for name in others + SettingName.allCases.map(\.variable) {
            variables[name] = AgentSocket.environment(name)
        }
        return variables
    }
}

/// The last line of a terminal's standard error, drawn again and again while other lines pass above it.
final class LiveLine: Sendable {
    private static let eraseLine = "\r\u{1B}[2K"

    private let output: @Sendable (String) -> Void
    private let shown = Mutex("")

    init(output: @escaping @Sendable (String) -> Void) {
        self.output = output
    }

    /// Shows `text`, cut to the terminal's width, in place of what was shown before.
    func show(_ text: String, cellCount: Int = Console.terminalWidth(STDERR_FILENO) ?? 80) {
        // One cell stays free: some terminals wrap when the last one is written.
        let short = TextWidth.shortened(text, to: max(1, cellCount - 1))
        shown.withLock { shown in
            guard shown != short else { return }
            output(Self.eraseLine + short)
            shown = short
        }
    }

    func clear() {
        shown.withLock { shown in
            if !shown.isEmpty { output(Self.eraseLine) }
            shown = ""
        }
    }

    /// Writes whole lines above what is shown.
    func write(_ text: String) {
        shown.withLock { shown in
            output(shown.isEmpty ? text : Self.eraseLine + text + shown)
        }
    }
}
