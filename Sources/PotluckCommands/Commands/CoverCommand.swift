import ArgumentParser
import PotluckAPI
import PotluckClient

struct CoverCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "cover",
        abstract: "Show or choose the cover of an album.",
        discussion: ManPage.discussion(
            """
            Without a photo it shows which one is the cover, with and without an agent. With one it chooses that, for \
            everyone; that needs a running agent.
            """,
            examples: [
                ("potluck cover \"Beach day\" IMG_0001.JPG", "Choose it."),
                ("potluck cover \"Beach day\"", "Show which one it is."),
                ("potluck cover \"Beach day\" --clear", "Have none chosen."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: "The photo's file name, or its ID, of which the first six digits or more will do.")
    var photo: String?

    @Flag(help: "Choose none.")
    var clear = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !clear || photo == nil else { throw ValidationError("Choose a photo, or none with --clear.") }
    }

    func run() async throws {
        let report =
            if clear || photo != nil {
                try await AgentClient(home: home().path).ask(SetCoverRequest(album: album, photo: photo))
            } else {
                try await ask { try await $0.cover(album: album) }
            }
        try show(report) { WordsListing.cover(report) }
    }
}
