import ArgumentParser
import PotluckAPI
import PotluckClient

struct PauseCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Let no originals come for now.",
        discussion: ManPage.discussion(
            """
            Names, captions and thumbnails still come, and others still get what they miss from here, so that photos \
            that only this laptop has become safe; `potluck limit --up` slows that. What was half here goes on where it \
            was. It lasts until `potluck resume`, over restarts too. Needs a running agent.
            """,
            examples: [
                ("potluck pause", "Nothing large comes any more."), ("potluck resume", "Everything comes again."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(TransferEdit(isPaused: true))
        try show(report) { TransfersListing.text(report) }
    }
}

struct ResumeCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let originals come again after a pause.",
        discussion: ManPage.discussion(
            "Ends what `potluck pause` began. Needs a running agent.",
            examples: [("potluck resume && potluck status", "Go on, and see what is on its way.")],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(TransferEdit(isPaused: false))
        try show(report) { TransfersListing.text(report) }
    }
}
