import ArgumentParser
import PotluckAPI
import PotluckClient

struct HiddenCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "hidden",
        abstract: "List photos that are hidden on this laptop.",
        discussion: ManPage.discussion(
            """
            Photos that somebody else added, and that were deleted here: they stay in their album on all other laptops, \
            are not fetched here any more, and have no file in the folder. `potluck unhide` shows them again. Works with \
            and without an agent.
            """,
            examples: [
                ("potluck hidden", "Everything that is hidden here."),
                ("potluck hidden \"Beach day\" --json | jq -r '.hidden[].name'", "Of one album, for a script."),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID; all albums without it.")
    var album: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await ask { try await $0.hidden(album: album) }
        try show(report) { RemovalListing.hidden(report, now: console.now(), cellCount: console.cellCount()) }
    }
}

struct UnhideCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "unhide",
        abstract: "Show photos again that were hidden on this laptop.",
        discussion: ManPage.discussion(
            """
            They are fetched again where their bytes are not here, and appear in the folder. Needs a running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do.
            """,
            examples: [
                ("potluck unhide \"Beach day\" IMG_0001.JPG", "Show one again."),
                ("potluck hidden", "See what is hidden."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("The photos' file names or IDs.", valueName: "photo"))
    var photos: [String]

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(
            RemovalOrder(.unhide, album: album, photos: photos))
        try show(report) { RemovalListing.done(report) }
    }
}
