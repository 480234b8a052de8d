import PotluckAPI
import PotluckClient
import Synchronization

/// Asks the agent again and again, and shows what it answers, also when it goes and comes back.
final class StatusWatch: Sendable {
    /// However often the agent is asked, the screen is drawn no more often than this.
    private static let drawInterval = Duration.milliseconds(500)

    private let client: AgentClient
    private let console: Console
    /// Between two questions.
    private let interval: Duration
    private let known: Mutex<WatchReport>

    init(client: AgentClient, console: Console, interval: Duration) {
        self.client = client
        self.console = console
        self.interval = interval
        known = Mutex(WatchReport(at: console.now()))
    }

    // MARK: Asking

    /// - Throws: `CancellationError` alone: whatever the agent says or does not say is shown.
    private func ask() async throws {
        do {
            let status = try await client.status(skipped: false, all: false)
            let peers = try await client.peers().peers
            let now = console.now()
            known.withLock { known in
                (known.away, known.answered) = (nil, now)
                (known.status, known.peers) = (status, peers)
            }
        } catch let error as PotluckError {
            try Task.checkCancellation()
            known.withLock { $0.away = error.message }
        }
    }

    /// What is known, at this moment.
    private func report() -> WatchReport {
        var report = known.withLock { $0 }
        report.at = console.now()
        return report
    }

    // MARK: Showing

    /// Fills the terminal until the person presses q or Ctrl-C, or the process is told to end.
    func fill(_ terminal: LiveTerminal) async throws {
        // Also where taking it fails half-way.
        defer { terminal.giveBack() }
        try terminal.take()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await self.ask()
                    try await Task.sleep(for: self.interval)
                }
            }
            group.addTask {
                while true {
                    try self.draw(terminal)
                    try await Task.sleep(for: Self.drawInterval)
                }
            }
            group.addTask { try await terminal.untilQuit() }
            group.addTask { try await terminal.untilSignal { try self.draw(terminal) } }
            try await group.next()
            group.cancelAll()
        }
    }

    private func draw(_ terminal: LiveTerminal) throws {
        let screen = WatchScreen(report(), size: terminal.size, interval: interval)
        // https://no-color.org
        let isPlain = console.environment["NO_COLOR"]?.isEmpty == false
        try terminal.draw(screen.lines.map { isPlain ? $0.text : $0.styledText })
    }

    /// Prints a block, or a line of JSON, after each question, until nobody reads any more.
    func print(isJSON: Bool) async throws {
        while true {
            try await ask()
            let report = report()
            try console.write(isJSON ? ReportJSON.text(report) + "\n" : Self.block(report))
            try await Task.sleep(for: interval)
        }
    }

    /// Ends with an empty line.
    static func block(_ report: WatchReport) -> String {
        var text = "\(report.at.text)\n"
        if let away = report.away { text += PrintableText.line(away) + "\n" }
        if let status = report.status { text += StatusListing.text(status, isAll: false, cellCount: nil) }
        if let peers = report.peers {
            text += Listing.peers(PeersReport(peers: peers), now: report.at, cellCount: nil)
        }
        return text + "\n"
    }
}
