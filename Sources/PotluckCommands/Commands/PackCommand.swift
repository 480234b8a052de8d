import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

struct PackCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Put changes and photos on a stick, for a laptop that no network reaches.",
        discussion: ManPage.discussion(
            """
            Writes everything that this laptop knows of the gathering, and the photos that it has, into a directory; \
            `potluck unpack` takes it in on another laptop of the same gathering. Works with and without an agent. The \
            photos lie there unencrypted.

            DIR must be new or empty, or hold an earlier pack of the same gathering, from whichever laptop. Then only \
            what is missing is written, so that a packing that was interrupted goes on, and one stick can go around. \
            Nothing is deleted there. The newest photos go first: if the disk becomes full, what is there can be used.

            --for and --since leave out photos, never changes, which are few bytes.
            """,
            examples: [
                ("potluck pack /media/stick/potluck", "Pack everything, or bring the stick up to date."),
                ("potluck pack /media/stick/potluck --for Ben", "Leave out the photos that Ben's laptop has."),
                (
                    "potluck pack /media/stick/potluck --since 2026-08-01",
                    "Only photos that this laptop learned of since that day."
                ),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("The directory, mostly on a stick.", valueName: "dir"), completion: .directory)
    var directory: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Leave out photos that this device is known to have; its name or ID, as `potluck peers` lists them.",
            valueName: "device"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "Only photos that this laptop learned of then or later, such as 2026-08-01 or 2026-08-01T14:30.",
            valueName: "time"),
        transform: PackCommand.time)
    var since: Instant?

    @Flag(help: "Read what is in the pack already, and write again what was damaged there.")
    var verify = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !directory.isEmpty else { throw ValidationError("Say where the pack is to be.") }
        guard device == nil || since == nil else { throw ValidationError("Choose one of --for and --since.") }
    }

    func run() async throws {
        let (console, home) = (console, try home())
        let plan = try await plan(home)
        let packing = Packing(
            home: home.path, directory: FilePaths.absolute(directory, from: console.directory), since: since,
            rereads: verify)
        let line = progressLine("Packing", of: "photo")
        let report = try await packing.run(plan, at: console.now()) { line.show($0) }
        line.clear()
        try show(report) { PackListing.packed(report) }
        guard report.unpacked == 0, report.leftOut.isEmpty else { throw PackListing.incomplete(report) }
    }

    private func plan(_ home: HomeLocation) async throws -> PackPlan {
        do {
            return try await AgentClient(home: home.path).ask(PackPlanRequest(device: device))
        } catch let error as PotluckError where error.status == .notRunning {
            guard HomeSetup.hasGathering(home: home.path) else { throw home.noGathering }
            return try await OfflinePack.plan(home: home.path, for: device)
        }
    }

    private static func time(_ text: String) throws -> Instant {
        guard let time = LocalTime(parsing: text) else {
            throw ValidationError("“\(text)” is no time; write 2026-08-01, or 2026-08-01T14:30 for a time of that day.")
        }
        return WallClock.instant(of: time)
    }
}
