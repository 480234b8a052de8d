import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient
import SyncEngine

struct UpCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run the agent in the foreground.",
        discussion: ManPage.discussion(
            """
            Watches the folder, finds the other laptops, and shares. Prints one line when it serves. SIGINT (Ctrl-C), \
            SIGTERM and `potluck down` stop it cleanly, with 0.

            Where the home has no gathering, it asks on a terminal whether to start one or to join; without a terminal \
            it ends with 78, as it does with a folder that cannot be used. Where an agent runs in the home already, it ends \
            with 75. A folder that was there before, as on a disk that is not mounted now, is waited for.

            A flag beats the environment (POTLUCK_FOLDER, POTLUCK_LISTEN, POTLUCK_PEERS, POTLUCK_DISCOVERY, \
            POTLUCK_RESERVE, POTLUCK_LIMIT_UP, POTLUCK_LIMIT_DOWN, POTLUCK_TRASH_DAYS, POTLUCK_MONITOR, \
            POTLUCK_LOG_LEVEL), which beats potluck.toml in the home.

            Whoever reaches the address of --monitor reads numbers of photos and bytes, and the kinds of problems, \
            without names: give it on a network only where everybody may. The owner reads both over the home's socket \
            without it.

            Run by systemd, it logs to journald with fields: POTLUCK_PEER_ID and the like.
            """,
            examples: [
                ("potluck up", "Run the agent with the folder ~/Pictures/Potluck."),
                ("potluck up --folder /media/photos --listen :4711", "With another folder, on a fixed port."),
                (
                    "potluck up --no-discovery --peer 192.168.1.20:4711",
                    "Without DNS-SD, with one laptop dialled by address."
                ),
                ("potluck up --json | head -n 1", "The ready line as JSON."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Option(
        help: ArgumentHelp(
            "The folder to watch and fill. (default: ~/Pictures/Potluck, or Photos in a home that was named)",
            valueName: "dir"),
        completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "Where to serve other laptops; :PORT for all addresses. (default: all addresses, a port that is kept)",
            valueName: "addr:port"),
        transform: { try UpCommand.value($0, AddressText.listening, "ADDR:PORT, like 0.0.0.0:4711, or :PORT") })
    var listen: PeerAddress?

    @Option(
        name: .customLong("peer"),
        help: ArgumentHelp("A laptop to dial besides those that are found; may be repeated.", valueName: "host:port"),
        transform: { try UpCommand.value($0, AddressText.peer, "HOST:PORT, like 192.168.1.20:4711") })
    var peers: [PeerAddress] = []

    @Flag(inversion: .prefixedNo, help: "Look for other laptops, and announce this one, over DNS-SD. (default: yes)")
    var discovery: Bool?

    @Option(
        help: ArgumentHelp(
            """
            What is left free of the disk: an amount, a share of 20 GiB at most, or both, of which the greater counts. \
            (default: 1 GiB, 5%)
            """,
            valueName: "size"),
        transform: { try UpCommand.value($0, DiskReserve.init(parsing:), "an amount like 2GB, or a share like 10%") })
    var reserve: DiskReserve?

    @Option(
        help: ArgumentHelp(
            "How fast photos leave, a second; see `potluck limit`. (default: no limit)", valueName: "rate"),
        transform: { try UpCommand.value($0, Settings.rate, "an amount a second of at least 10kB, like 500kB") })
    var limitUp: UInt64?

    @Option(
        help: ArgumentHelp(
            "How fast photos come, a second; see `potluck limit`. (default: no limit)", valueName: "rate"),
        transform: { try UpCommand.value($0, Settings.rate, "an amount a second of at least 10kB, like 500kB") })
    var limitDown: UInt64?

    @Option(
        help: ArgumentHelp(
            "Where monitors read /healthz and /metrics without signing in. (default: nowhere)",
            valueName: "addr:port"),
        transform: { try UpCommand.value($0, AddressText.listening, "ADDR:PORT, like 127.0.0.1:9469, or :PORT") })
    var monitor: PeerAddress?

    @Flag(help: "Run in the standard home, whatever `potluck gatherings switch` chose: for systemd's unit.")
    var standardHome = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if standardHome, common.home != nil { throw ValidationError("Give --home, or --standard-home, not both.") }
    }

    func run() async throws {
        let console = console
        let home = try HomeLocation(option: common.home, followsChoice: !standardHome, console: console)
        let flags = Settings.Flags(
            folder: folder, listen: listen, peers: peers, discovery: discovery, reserve: reserve, limitUp: limitUp,
            limitDown: limitDown, monitor: monitor, logLevel: common.logLevel?.level)
        var settings = try Settings(flags, home: home, console: console)
        if !HomeSetup.hasGathering(home: home.path) {
            try await GatheringDialogue(home: home, settings: settings, console: console).hold()
            // The person may have named another folder.
            settings = try Settings(flags, home: home, console: console)
        }
        home.remember(console)
        try await refuseSecond(home)
        try FolderPlace.check(
            settings.folder, home: home.path, isStandard: settings.folder == home.defaultFolder)
        var options = AgentOptions(
            home: home.path, folder: settings.folder, listen: settings.listen, peers: settings.peers,
            discovery: settings.discovery, trashDays: settings.trashDays,
            logger: console.logger(level: settings.logLevel))
        (options.reserve, options.limits) = (settings.reserve, settings.limits)
        options.space = settings.space
        (options.monitor, options.version) = (settings.monitor, PotluckCommand.number)
        try await withThrowingTaskGroup { group in
            let (ready, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            if console.outputIsTerminal, let live = console.progress {
                let display = LiveDisplay(client: try AgentClient(home: home.path), live: live)
                group.addTask { await display.run(after: ready) }
            }
            try await Agent.run(options) { report in
                Self.announce(report, console)
                continuation.yield()
            }
            group.cancelAll()
        }
        console.live.clear()
    }

    /// A second agent would wait for the home's lock before it gives up.
    private func refuseSecond(_ home: HomeLocation) async throws {
        let client = try AgentClient(home: home.path)
        let isAnswered = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do {
                    _ = try await client.ask(TransfersRequest())
                    return true
                } catch {
                    // No agent, or one that cannot be asked: the lock tells.
                    return false
                }
            }
            group.addTask {
                // A cancelled sleep ends with the question.
                try? await Task.sleep(for: Self.answerPatience)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
        guard isAnswered else { return }
        throw PotluckError(
            .tryAgain,
            "Potluck is up already in the home \(home.path): `potluck status` shows how it is, `potluck down` stops it."
        )
    }

    private static let answerPatience = Duration.seconds(2)

    /// The one ready line. An agent whose output nobody reads goes on.
    private static func announce(_ report: ReadyReport, _ console: Console) {
        do {
            try console.write(console.isJSON ? ReportJSON.text(report) + "\n" : Listing.ready(report))
        } catch {
            console.notice("The ready line cannot be written: \(error).")
        }
    }

    private static func value<Value>(_ text: String, _ parse: (String) -> Value?, _ form: String) throws -> Value {
        guard let value = parse(text) else { throw ValidationError("it must be \(form)") }
        return value
    }
}
