import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

struct StatusCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell what is on its way, and what only this laptop has.",
        discussion: ManPage.discussion(
            """
            What is missing here and why, how fast it arrives, which files in the folder are not shared yet and about how \
            long they take, which wait for a word of yours or cannot be looked at, and how many photos are known to be on \
            this laptop alone: look at that before you close the lid. Works with and without an agent.

            What others share gets a file in the folder if its content is a photo or a video, whatever its name says. \
            The rest is listed with its reason, kept and passed on; a later version of Potluck may know it.

            With --wait, returns when nothing is missing any more; with 75 when for 30 seconds no connected laptop has \
            had anything of what is missing, or what they have could not come because of a pause or a full disk. \
            Waiting needs a running agent.

            With --watch, fills the terminal and goes on until q or Ctrl-C: who is here, how fast photos come and leave, \
            what is missing, what only this laptop has. It says when the agent goes, and goes on when it is back. Where \
            the output is no terminal it prints all that each time, with --json a line each. NO_COLOR is heeded.
            """,
            examples: [
                ("potluck status", "Show it."),
                ("potluck status --wait && potluck down", "Stop the agent when everything is here."),
                ("potluck status --watch", "Keep an eye on it."),
                ("potluck status --skipped", "Also list the files in the folder that are not shared, and why."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Flag(help: "List the files in the folder that are not shared, each with the reason.")
    var skipped = false

    @Flag(help: "Return when nothing is missing.")
    var wait = false

    @Flag(help: "Show it again and again, until q or Ctrl-C.")
    var watch = false

    @Option(
        help: ArgumentHelp("With --watch: how often the agent is asked, 1 to 3600. (default: 1)", valueName: "seconds"))
    var interval: Int?

    @Flag(help: "List all missing photos, not only the first.")
    var all = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if watch, skipped || wait || all {
            throw ValidationError("--watch goes with neither --skipped nor --wait nor --all")
        }
        guard let interval else { return }
        guard watch else { throw ValidationError("--interval goes with --watch alone") }
        guard (1...3600).contains(interval) else { throw ValidationError("--interval must be from 1 to 3600 seconds") }
    }

    func run() async throws {
        if watch { return try await keepWatching() }
        let report = try await ask { try await $0.status(skipped: skipped, all: all) }
        guard wait else { return try show(report) }
        guard report.agent == .running else { throw Self.nothingComes }
        guard report.missing.photos > 0 else { return try show(report) }
        try await waitUntilComplete(AgentClient(home: home().path))
        try show(try await ask { try await $0.status(skipped: skipped, all: all) })
    }

    private func keepWatching() async throws {
        let home = try home()
        let client = try AgentClient(home: home.path).impatient
        do {
            _ = try await client.ask(TransfersRequest())
        } catch let error as PotluckError where error.status == .notRunning {
            // One that is to come is waited for.
            guard HomeSetup.hasGathering(home: home.path) else { throw home.noGathering }
        } catch {
            // It is there; why it does not answer the screen says.
        }
        let watch = StatusWatch(client: client, console: console, interval: .seconds(interval ?? 1))
        if !common.json, let terminal = console.liveTerminal {
            try await watch.fill(terminal)
        } else {
            try await watch.print(isJSON: common.json)
        }
    }

    /// Nothing that others added is known either, so that nothing missing says little.
    private static let nothingComes = PotluckError(
        .notRunning, "Nothing comes while no agent runs in this home. Start it with `potluck up`, and wait then.")

    private func show(_ report: StatusReport) throws {
        try show(report) { StatusListing.text(report, isAll: all, cellCount: console.cellCount()) }
    }

    private func waitUntilComplete(_ client: AgentClient) async throws {
        let clock = ContinuousClock()
        var patience = Patience<ContinuousClock.Instant>()
        while true {
            let report = try await client.status(skipped: false, all: false)
            switch patience.judge(report.missing, now: clock.now) {
            case .complete: return console.live.clear()
            case .waiting:
                console.progress?.show(StatusListing.live(report))
            case .stuck:
                if report.missing.heldUp ?? 0 > 0 { throw Self.heldUp(report) }
                let photos = Phrases.count(report.missing.photos, "photo")
                let verb = report.missing.photos == 1 ? "is" : "are"
                throw PotluckError(
                    .tryAgain,
                    "\(photos) \(verb) missing that no connected laptop has. Try again when the others are here; `potluck status` lists what is missing."
                )
            }
            try await clock.sleep(for: Self.pollInterval)
        }
    }

    private static func heldUp(_ report: StatusReport) -> PotluckError {
        let photos = Phrases.count(report.missing.photos, "photo")
        let verb = report.missing.photos == 1 ? "is" : "are"
        let reason =
            report.paused == true
            ? "Transfers are paused; `potluck resume` goes on."
            : "The disk has no room for what others could send; `potluck status` says more."
        return PotluckError(.tryAgain, "\(photos) \(verb) missing. \(reason)")
    }

    private static let pollInterval = Duration.milliseconds(250)
}

/// How long `--wait` waits for photos that nobody here has.
struct Patience<Instant: InstantProtocol> where Instant.Duration == Duration {
    enum Verdict {
        case complete
        case waiting
        case stuck
    }

    static var limit: Duration { .seconds(30) }

    /// Since when no connected device holds anything of what is missing, or this laptop keeps all of it from coming.
    private var hopelessSince: Instant?

    mutating func judge(_ missing: StatusReport.Missing, now: Instant) -> Verdict {
        guard missing.photos > 0 else { return .complete }
        guard (missing.unreachable ?? 0) + (missing.heldUp ?? 0) >= missing.photos else {
            hopelessSince = nil
            return .waiting
        }
        let since = hopelessSince ?? now
        hopelessSince = since
        return since.duration(to: now) >= Self.limit ? .stuck : .waiting
    }
}
