import ArgumentParser
import PotluckAPI
import PotluckClient

struct LimitCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "limit",
        abstract: "Limit how fast photos leave and come.",
        discussion: ManPage.discussion(
            """
            An amount a second, such as 500kB or 2MB, of at least 10 kB, for all other laptops together; off for no \
            limit; default for what potluck.toml says. Names, captions and other messages are not limited, and \
            thumbnails that come do not wait. It lasts over restarts, and beats the settings. Without a limit it shows \
            what is in force. Needs a running agent.
            """,
            examples: [
                ("potluck limit --up 500kB", "Leave something of the uplink to others."),
                ("potluck limit --up off --down 2MB", "All that goes out, at most 2 MB a second in."),
                ("potluck limit", "Show what is in force."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Option(
        help: ArgumentHelp("What leaves, at most.", valueName: "rate"), transform: { try LimitCommand.word($0) })
    var up: LimitWord?

    @Option(
        help: ArgumentHelp("What comes, at most.", valueName: "rate"), transform: { try LimitCommand.word($0) })
    var down: LimitWord?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(TransferEdit(up: up, down: down))
        try show(report) { TransfersListing.text(report) }
    }

    static func word(_ text: String) throws -> LimitWord {
        guard let word = LimitWord(parsing: text) else {
            throw ValidationError("“\(text)” is no rate; write 500kB or 2MB (a second, at least 10kB), off or default.")
        }
        return word
    }
}
