import ArgumentParser
import PotluckAPI
import PotluckClient

struct LeaveCheckCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "leave-check",
        abstract: "Tell whether this laptop can leave without taking photos along that nobody else has.",
        discussion: ManPage.discussion(
            """
            A photo is safe when at least two other laptops have it: connected ones as far as they say so, others as far \
            as they said so within the last seven days. Lists what is on this laptop alone, what is on too few others, who \
            has the rest, and about how long it takes until all is safe. Files in the folder that are not shared yet count \
            as being on this laptop alone, with about how long they take, and nothing is safe before all of the folder has \
            been looked at; without an agent only what is shared counts. Ends with 0 when everything is safe, else with \
            75. Works with and without an agent.

            With --wait, returns when every photo is safe; with 75 when for 30 seconds the connected laptops have not \
            been enough for what is left (those that leave an album's originals out, are paused or full do not count), or \
            nothing has gone on for two minutes, and says why. Waiting needs a running \
            agent.
            """,
            examples: [
                ("potluck leave-check", "Show it."),
                ("potluck leave-check --wait && potluck down", "Stop the agent when nothing can be lost."),
                ("potluck leave-check --others 1", "One other laptop is enough, as where there are only two."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Flag(help: "Return when every photo is safe.")
    var wait = false

    @Option(help: ArgumentHelp("On how many other laptops a photo should be.", valueName: "number"))
    var others = 2

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...1000).contains(others) else { throw ValidationError("--others takes a number from 1 to 1000.") }
    }

    func run() async throws {
        let report = try await ask { try await $0.leaveCheck(others: others) }
        guard wait, !report.safe else { return try end(report) }
        let client = try AgentClient(home: home().path)
        let last = try await waitUntilSafe(client)
        console.live.clear()
        try end(last)
    }

    /// Prints the report; one that is not safe ends the command with 75.
    private func end(_ report: LeaveReport) throws {
        try show(report) { LeaveListing.text(report, cellCount: console.cellCount()) }
        guard !report.safe else { return }
        throw PotluckError(.tryAgain, LeaveListing.verdict(report))
    }

    /// - Returns: the report that says that all is safe, or the one after which waiting is of no use.
    private func waitUntilSafe(_ client: AgentClient) async throws -> LeaveReport {
        let clock = ContinuousClock()
        var patience = LeavePatience<ContinuousClock.Instant>()
        while true {
            let report = try await client.leaveCheck(others: others)
            switch patience.judge(report, now: clock.now) {
            case .safe, .stuck: return report
            case .waiting:
                console.progress?.show(LeaveListing.live(report))
            }
            try await clock.sleep(for: Self.pollInterval)
        }
    }

    /// Each look counts the copies of all photos.
    private static let pollInterval = Duration.seconds(1)
}

/// How long `--wait` waits for copies that do not come.
struct LeavePatience<Instant: InstantProtocol> where Instant.Duration == Duration {
    enum Verdict {
        case safe
        case waiting
        case stuck
    }

    /// For another laptop to connect.
    static var companyLimit: Duration { .seconds(30) }
    /// For those that are connected to take something.
    static var progressLimit: Duration { .seconds(120) }

    /// Since when the connected laptops have not been enough for any of the short photos.
    private var blockedSince: Instant?
    private var progress: (short: Int, at: Instant)?

    mutating func judge(_ report: LeaveReport, now: Instant) -> Verdict {
        guard !report.safe else { return .safe }
        if (report.rate ?? 0) > 0 || progress?.short != report.short.photos { progress = (report.short.photos, now) }
        guard report.blocked > 0, report.blocked == report.short.photos else {
            blockedSince = nil
            let last = progress?.at ?? now
            return last.duration(to: now) >= Self.progressLimit ? .stuck : .waiting
        }
        let since = blockedSince ?? now
        blockedSince = since
        return since.duration(to: now) >= Self.companyLimit ? .stuck : .waiting
    }
}
