import Glibc
import NIOPosix
import Synchronization
import UnixSignals

/// A terminal with a screen that is drawn again and again. While it is taken, keys are read as they are pressed, and what
/// stood there before comes back at the end.
final class LiveTerminal: Sendable {
    private struct State {
        /// How the terminal was; `nil` where keys come from elsewhere.
        var settings: termios?
        var isTaken = false
        var shown: [String] = []
        var size: TerminalSize?
    }

    private enum Sequence {
        /// The alternate screen, empty and without a cursor.
        static let take = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
        static let giveBack = "\u{1B}[?25h\u{1B}[?1049l"
        static let home = "\u{1B}[H"
        static let clearLine = "\u{1B}[K"
        static let clearBelow = "\u{1B}[J"
    }

    /// How long one look for keys takes at most, in milliseconds.
    private static let keyPatience: Int32 = 200
    /// q, Q, Ctrl-C and Ctrl-D.
    private static let quitKeys: Set<UInt8> = [UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4]

    private let input: Int32
    private let output: Int32
    /// Whether this process is told of signals by this type.
    private let trapsSignals: Bool
    private let state = Mutex(State())

    /// - Parameter trapsSignals: Tests keep those of their process.
    init(input: Int32, output: Int32, trapsSignals: Bool = true) {
        self.input = input
        self.output = output
        self.trapsSignals = trapsSignals
    }

    /// - Parameter kind: What `TERM` says.
    static func isUsable(_ descriptor: Int32, kind: String?) -> Bool {
        isatty(descriptor) == 1 && kind?.isEmpty == false && kind != "dumb"
    }

    /// As it is now; 80 × 24 where it does not say.
    var size: TerminalSize {
        let size = TerminalSize(of: output) ?? TerminalSize(columns: 80, rows: 24)
        return size.rows > 0 ? size : TerminalSize(columns: size.columns, rows: 24)
    }

    /// - Throws: ``OutputError``.
    func take() throws {
        let isNew = state.withLock { state in
            guard !state.isTaken else { return false }
            state = State(settings: readKeys(), isTaken: true)
            return true
        }
        if isNew { try Console.write(Sequence.take, to: output) }
    }

    /// Without lines, echo and signals: Ctrl-C is a key like others.
    ///
    /// - Returns: the settings before.
    private func readKeys() -> termios? {
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else { return nil }
        let before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON)
        return tcsetattr(input, TCSADRAIN, &settings) == 0 ? before : nil
    }

    /// Does nothing where it is not taken.
    func giveBack() {
        let (isTaken, settings) = state.withLock { state in
            defer { state = State() }
            return (state.isTaken, state.settings)
        }
        guard isTaken else { return }
        // A terminal that is gone needs nothing back.
        try? Console.write(Sequence.giveBack, to: output)
        if var settings { tcsetattr(input, TCSADRAIN, &settings) }
    }

    /// Shows lines that fit the terminal, unless they stand there.
    ///
    /// - Throws: ``OutputError``.
    func draw(_ lines: [String]) throws {
        let size = size
        let isNew = state.withLock { state in
            guard state.isTaken, state.shown != lines || state.size != size else { return false }
            (state.shown, state.size) = (lines, size)
            return true
        }
        guard isNew else { return }
        // No line feed after the last line: it would move all up.
        let text = lines.map { $0 + Sequence.clearLine }.joined(separator: "\r\n")
        try Console.write(Sequence.home + text + Sequence.clearBelow, to: output)
    }

    // MARK: Keys and signals

    /// Returns when the person presses a key that ends, or the terminal is gone; where keys come from elsewhere, when the
    /// task is cancelled.
    func untilQuit() async throws {
        while true {
            try Task.checkCancellation()
            let hasEnded = try await NIOThreadPool.singleton.runIfActive { self.sawEnd() }
            if hasEnded { return }
        }
    }

    /// Waits for keys a moment. Blocks.
    private func sawEnd() -> Bool {
        guard isatty(input) == 1 else {
            // Nobody presses keys; only the time passes.
            poll(nil, 0, Self.keyPatience)
            return false
        }
        var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Self.keyPatience) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(input, &bytes, bytes.count)
        guard count > 0 else { return count == 0 || errno != EINTR }
        return bytes.prefix(count).contains(where: Self.quitKeys.contains)
    }

    /// Returns when the process is to end.
    ///
    /// - Parameter resized: Called when the terminal has another size.
    func untilSignal(resized: () throws -> Void) async throws {
        guard trapsSignals else {
            // Until the task is cancelled.
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
        for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sigwinch) {
            guard signal == .sigwinch else { return }
            try resized()
        }
    }
}
