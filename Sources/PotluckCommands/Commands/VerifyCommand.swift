import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

struct VerifyCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read everything that this laptop keeps, and say what is damaged or missing.",
        discussion: ManPage.discussion(
            """
            Compares journal, index, photos and folder with each other, and reads every photo from the disk to compare \
            its bytes with its hash. Each finding is said in words, with what to do. Works with and without an agent; a \
            running one goes on sharing meanwhile.

            Reading many photos takes long. Stop it at any time with Ctrl-C: within a day the next `potluck verify` goes \
            on from there.

            --repair mends what can be mended: a damaged photo is set aside in `quarantine` in the home and fetched again \
            from the folder or from another laptop, and an index that is wrong is made anew. No photo is ever deleted by \
            it. The agent does the same by itself once a week, slowly.

            The exit status is 1 if something was found that is not mended.
            """,
            examples: [
                ("potluck verify", "Look at everything, and change nothing."),
                ("potluck verify --repair", "Also mend what can be mended."),
                ("potluck verify --restart", "Begin with the first photo, even after an interruption."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Flag(name: .long, help: "Mend what can be mended.")
    var repair = false

    @Flag(name: .long, help: "Begin anew where an earlier look was stopped halfway.")
    var restart = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await look(VerifyOrder(repair: repair, restart: restart))
        try show(report) { VerifyListing.text(report) }
        let open = report.findings.count { !$0.mended }
        guard open == 0 else {
            let count = Phrases.count(open, "finding")
            throw PotluckError(.failed, "\(count) \(open == 1 ? "is" : "are") not mended.")
        }
    }

    private func look(_ order: VerifyOrder) async throws -> VerifyReport {
        let home = try home()
        let line = progressLine("Reading")
        defer { line.clear() }
        let progress: @Sendable (VerifyProgress) async -> Void = { line.show($0) }
        do {
            return try await AgentClient(home: home.path).ask(order, progress: progress)
        } catch let error as PotluckError where error.status == .notRunning {
            guard HomeSetup.hasGathering(home: home.path) else { throw home.noGathering }
            return try await OfflineVerify.run(home: home.path, order, progress: progress)
        }
    }
}
