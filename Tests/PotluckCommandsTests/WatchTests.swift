import Glibc
import Logging
import NIOPosix
import PotluckAPI
import PotluckClient
import Synchronization
import TestSupport
import Testing
import WebServer

@testable import PotluckCommands

/// The live screen of `status --watch`.
@Suite(.timeLimit(.minutes(1))) struct WatchTests {
    private static func peer(_ number: Int, connected: Bool) -> PeersReport.Peer {
        let seen = Instant(millisecondsSince1970: TestConsole.now.millisecondsSince1970 - Int64(number) * 60_000)
        return .init(
            id: "c\(number)", name: "Laptop \(number)", connected: connected, address: nil, found: nil,
            lastSeen: seen, photos: 100 * number)
    }

    private static func report(peers: Int = 3, missing: Int = 3, problems: [String] = []) -> WatchReport {
        var status = FakeAgent.status(missing: missing)
        (status.rate, status.rateUp) = (UInt64(missing == 0 ? 0 : 2_100_000), 310_000)
        (status.problems, status.connected) = (problems, 1)
        status.incoming = .init(photos: 2, bytes: 9_000_000)
        var report = WatchReport(at: TestConsole.now)
        (report.status, report.answered) = (status, TestConsole.now)
        report.peers = (0..<peers).map { peer($0 + 1, connected: $0 == peers - 1) }
        return report
    }

    private static func text(_ report: WatchReport, _ columns: Int = 80, _ rows: Int = 24) -> [String] {
        WatchScreen(report, size: TerminalSize(columns: columns, rows: rows)).lines.map(\.text)
    }

    /// Shows the whole screen: who is here first, then who was here last.
    @Test func theScreenTellsAll() {
        #expect(
            Self.text(Self.report(problems: ["The disk is nearly full."])).joined(separator: "\n") == """
                Grandma in “Kuh reunion”                                                 q ends
                Agent    running, 1 device connected
                Rates    in 2.1 MB/s, out 310 kB/s

                Missing  3 photos, 12.6 MB, 2.1 MB/s, about 6 s left
                  IMG_0.JPG (Beach day): coming from Anna
                  IMG_1.JPG (Beach day): coming from Anna
                  IMG_2.JPG (Beach day): coming from Anna
                Coming   2 files, 9.0 MB in the folder, not shared yet
                At risk  1 photo, 4.2 MB, is on this laptop alone
                Problem  The disk is nearly full.

                Device    Seen           Photos
                Laptop 3  connected         300
                Laptop 1  1 minute ago      100
                Laptop 2  2 minutes ago     200
                """)
    }

    /// Shows that everything fits the terminal, and that what does not is counted, so that nothing is hidden.
    @Test func whatDoesNotFitIsCounted() {
        let problems = (0..<9).map { "Problem number \($0): \(String(repeating: "something is wrong ", count: 12))" }
        let full = Self.report(peers: 60, missing: 500, problems: problems)
        let lines = Self.text(full)
        #expect(lines.count == 24)
        let devices = lines.filter { $0.hasPrefix("Laptop ") }
        let problemLines = lines.filter { $0.hasPrefix("Problem") }
        let photos = lines.count { $0.hasPrefix("  IMG_") }
        #expect(lines.contains("  and \(60 - devices.count) more"), "\(lines)")
        #expect(lines.contains("  and \(500 - photos) more"), "\(lines)")
        let rest = "Problem  and \(10 - problemLines.count) more; `potluck status` tells"
        #expect(problemLines.last == rest, "\(lines)")
        #expect(devices.count > 1 && photos > 1 && problemLines.count > 1)
        let reports = [full, Self.report(), Self.report(peers: 0, missing: 0), WatchReport(at: TestConsole.now)]
        for columns in [1, 2, 9, 20, 40, 79, 80, 81, 200] {
            for rows in [1, 2, 3, 5, 8, 12, 20, 24, 25, 60, 700] {
                for report in reports {
                    let lines = Self.text(report, columns, rows)
                    #expect(lines.count <= rows, "\(columns) × \(rows)")
                    let widest = lines.map { TextWidth.of($0) }.max() ?? 0
                    #expect(widest <= max(1, columns - 1), "\(columns) × \(rows): \(lines)")
                }
            }
        }
        // Where there is room, nothing is left out.
        let tall = Self.text(full, 80, 700)
        #expect(tall.count { $0.hasPrefix("Laptop ") } == 60 && tall.count { $0.hasPrefix("  IMG_") } == 500)
        #expect(tall.count { $0.hasPrefix("Problem  ") } == 9)
    }

    /// Shows that an agent that goes, one that is silent, and a pause are told, and that names cannot move the cursor.
    @Test func absenceIsTold() {
        var report = Self.report()
        report.at = Instant(millisecondsSince1970: TestConsole.now.millisecondsSince1970 + 7000)
        #expect(Self.text(report)[1] == "Agent    has not answered for 7 s")
        report.away = "No agent runs."
        report.at = Instant(millisecondsSince1970: TestConsole.now.millisecondsSince1970 + 120_000)
        #expect(Self.text(report)[1] == "Agent    away; this is how it was 2 minutes ago")
        var new = WatchReport(at: TestConsole.now)
        #expect(Self.text(new) == ["Asking the agent…", "q ends"])
        new.away = "No agent runs."
        #expect(Self.text(new) == ["No agent runs.", "q ends"])
        report.status?.paused = true
        report.status?.device.name = "Anna\u{1B}[2J"
        let lines = Self.text(report)
        #expect(lines.contains { $0.hasPrefix("Paused   no originals come") })
        #expect(lines.contains("Rates    out 310 kB/s"))
        #expect(lines[0].hasPrefix("Anna\u{FFFD}[2J in"))
    }

    /// Shows how room is shared: in turns, until all have what they need or there is none.
    @Test func roomIsShared() {
        #expect(WatchScreen.shares(of: 10, among: [2, 9, 9]) == [2, 4, 4])
        #expect(WatchScreen.shares(of: 4, among: [0, 1, 9]) == [0, 1, 3])
        #expect(WatchScreen.shares(of: 99, among: [1, 2]) == [1, 2])
        #expect(WatchScreen.shares(of: 0, among: [1]) == [0])
        #expect(WatchScreen.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(WatchScreen.wrapped("unbreakable a", to: 4) == ["unbreakable", "a"])
    }

    // MARK: Agents that come and go

    /// What is printed, piece by piece; the reader goes when it has seen enough.
    private final class Reader: Sendable {
        let pieces: AsyncStream<String>
        private let source: AsyncStream<String>.Continuation
        private let isGone = Mutex(false)

        init() { (pieces, source) = AsyncStream.makeStream() }

        func console(_ console: Console) -> Console {
            var console = console
            console.write = { text in
                if self.isGone.withLock({ $0 }) { throw OutputError.readerGone }
                self.source.yield(text)
            }
            return console
        }

        func leave() { isGone.withLock { $0 = true } }
    }

    /// Shows that without a terminal each interval has its block or line, also while no agent runs, and that it goes on when
    /// the agent is back; it ends when nobody reads any more.
    @Test(arguments: [true, false]) func theAgentComesAndGoes(isJSON: Bool) async throws {
        try await withTemporaryHome { home in
            let reader = Reader()
            let watch = StatusWatch(
                client: try AgentClient(home: home),
                console: reader.console(TestConsole().console(isTerminal: false, environment: [:])),
                interval: .milliseconds(5))
            let server = {
                try WebServer(
                    agent: FakeAgent(), doors: [.owner(path: try AgentSocket.path(home: home))],
                    logger: Logger(label: "test"))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watch.print(isJSON: isJSON) }
                func wait(_ words: String...) async {
                    for await piece in reader.pieces {
                        #expect(piece.hasSuffix("\n"))
                        #expect(!isJSON || piece.count { $0.isNewline } == 1)
                        if words.allSatisfy(piece.contains) { return }
                    }
                }
                let here = isJSON ? #""away":null"# : "Agent    running"
                let away = isJSON ? #""away":"No agent"# : "No agent"
                await wait(away)
                try await server().serve { await wait(here, "Grandma", "Anna") }
                await wait(away, "Grandma")
                try await server().serve { await wait(here, "Grandma") }
                reader.leave()
                do {
                    try await group.next()
                    Issue.record("it goes on without a reader")
                } catch OutputError.readerGone {}
            }
        }
    }

    /// Shows the command itself: a terminal is needed for the screen only, and other ways of `status` do not go along.
    @Test func theCommandWatches() async throws {
        try await withAgent(FakeAgent()) { home in
            let reader = Reader()
            let console = reader.console(TestConsole().console(isTerminal: false, environment: [:]))
            let arguments = ["status", "--watch", "--json", "--home", home]
            async let status = PotluckCommandLine.run(arguments, console: console)
            for await piece in reader.pieces {
                #expect(piece.hasPrefix(#"{"answered":"#) && piece.contains(#""peers":[{"#))
                break
            }
            reader.leave()
            #expect(await status == 0)
        }
        for arguments in [
            ["--wait"], ["--skipped"], ["--all"], ["--interval", "0"], ["--interval", "3601"],
        ] {
            let console = TestConsole().console(isTerminal: false, environment: ["HOME": "/nonexistent"])
            #expect(await PotluckCommandLine.run(["status", "--watch"] + arguments, console: console) == 64)
        }
        #expect(await run("status", "--interval", "5").status == 64)
        #expect(await run("status", "--watch", "--home", "/nonexistent").status == 78)
    }

    // MARK: A terminal

    /// A terminal of the test's own: what the person types goes in at one side, what is drawn comes out there.
    private final class Pseudoterminal: Sendable {
        /// TIOCSPTLCK and TIOCGPTPEER of ioctl_tty(2), macros that Swift does not import.
        private static let setLock: UInt = 0x4004_5431
        private static let openPeer: UInt = 0x5441

        let person: Int32
        let program: Int32

        init(columns: UInt16, rows: UInt16) throws {
            person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var lock: Int32 = 0
            try #require(person >= 0 && ioctl(person, Self.setLock, &lock) == 0)
            program = ioctl(person, Self.openPeer, O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(program >= 0)
            resize(columns: columns, rows: rows)
        }

        deinit {
            close(person)
            close(program)
        }

        func resize(columns: UInt16, rows: UInt16) {
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            #expect(ioctl(person, UInt(TIOCSWINSZ), &size) == 0)
        }

        func type(_ keys: String) { write(person, keys, keys.utf8.count) }

        /// What is drawn until a text was.
        func read(upTo text: String) async throws -> String {
            try await NIOThreadPool.singleton.runIfActive { [person] in
                var (all, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4096))
                while true {
                    var waiting = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
                    guard poll(&waiting, 1, 20_000) > 0 else { break }
                    let count = Glibc.read(person, &chunk, chunk.count)
                    guard count > 0 else { break }
                    all += chunk.prefix(count)
                    if String(decoding: all, as: UTF8.self).contains(text) { break }
                }
                let drawn = String(decoding: all, as: UTF8.self)
                guard drawn.contains(text) else { throw TestFailure("“\(text)” was not drawn: \(drawn)") }
                return drawn
            }
        }

        var settings: (local: tcflag_t, input: tcflag_t) {
            var settings = termios()
            tcgetattr(program, &settings)
            return (settings.c_lflag, settings.c_iflag)
        }
    }

    private static func console(on terminal: Pseudoterminal, noColour: String) -> Console {
        var console = TestConsole().console(isTerminal: true, environment: ["NO_COLOR": noColour])
        console.liveTerminal = LiveTerminal(
            input: terminal.program, output: terminal.program, trapsSignals: false)
        return console
    }

    /// Shows that keys are read as they are pressed, that another size is heeded, and that q and Ctrl-C both give the
    /// terminal back as it was; without colours where a person wants none.
    @Test(arguments: [("q", "", true), ("Q", "1", false), ("\u{3}", "", true)]) func theTerminalIsGivenBack(
        key: String, noColour: String, isColoured: Bool
    ) async throws {
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let before = terminal.settings
        try await withAgent(FakeAgent()) { home in
            let console = Self.console(on: terminal, noColour: noColour)
            async let status = PotluckCommandLine.run(["status", "--watch", "--home", home], console: console)
            let drawn = try await terminal.read(upTo: "connected       1")
            #expect(drawn.contains("\u{1B}[?1049h\u{1B}[?25l") && drawn.contains("Grandma in “Kuh reunion”"))
            #expect(drawn.contains("\u{1B}[1m") == isColoured && drawn.contains("\u{1B}[33m") == isColoured)
            #expect(terminal.settings.local & tcflag_t(ICANON | ECHO | ISIG) == 0)
            terminal.resize(columns: 30, rows: 5)
            _ = try await terminal.read(upTo: "lines more")
            terminal.type("x\u{1B}[A")
            terminal.type(key)
            _ = try await terminal.read(upTo: "\u{1B}[?25h\u{1B}[?1049l")
            #expect(await status == 0)
        }
        #expect(terminal.settings == before)
    }

    /// Shows that a terminal is taken once, and given back once.
    @Test func givingBackTwiceIsNothing() async throws {
        let pseudoterminal = try Pseudoterminal(columns: 80, rows: 24)
        let terminal = LiveTerminal(
            input: pseudoterminal.program, output: pseudoterminal.program, trapsSignals: false)
        try terminal.draw(["not yet"])
        try terminal.take()
        try terminal.take()
        try terminal.draw(["one", "two"])
        try terminal.draw(["one", "two"])
        terminal.giveBack()
        terminal.giveBack()
        try terminal.draw(["no more"])
        try Console.write("end", to: pseudoterminal.program)
        // The terminal itself puts a carriage return before each new line.
        let drawn = try await pseudoterminal.read(upTo: "end").replacing("\r\r\n", with: "\r\n")
        let screen = "\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J"
        #expect(drawn == "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J\(screen)\u{1B}[?25h\u{1B}[?1049lend")
        #expect(!LiveTerminal.isUsable(pseudoterminal.program, kind: "dumb"))
        #expect(!LiveTerminal.isUsable(pseudoterminal.program, kind: nil))
        #expect(LiveTerminal.isUsable(pseudoterminal.program, kind: "xterm"))
        #expect(!LiveTerminal.isUsable(-1, kind: "xterm"))
    }
}
