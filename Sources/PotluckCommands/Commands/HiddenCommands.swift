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

            A photo is named by its file name, or by its ID, of which the first six digits or more will do. Without photos, \
            all that are hidden of the album are shown again, with --all those of all albums.
            """,
            examples: [
                ("potluck unhide \"Beach day\" IMG_0001.JPG", "Show one again."),
                ("potluck unhide \"Beach day\"", "Show all of an album."),
                ("potluck unhide --all", "Show everything again."),
                ("potluck hidden", "See what is hidden."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String?

    @Argument(
        help: ArgumentHelp("The photos' file names or IDs; all that are hidden without them.", valueName: "photo"))
    var photos: [String] = []

    @Flag(help: "Show everything again that is hidden here, of all albums.")
    var all = false

    @OptionGroup var common: CommonOptions

    func validate() throws { try WholeAlbums.validate(album: album, all: all) }

    func run() async throws {
        let client = try AgentClient(home: home().path)
        if let album, !photos.isEmpty {
            let report = try await client.ask(RemovalOrder(.unhide, album: album, photos: photos))
            return try show(report) { RemovalListing.done(report) }
        }
        let hidden = try await client.hidden(album: album).hidden
        try await order(.unhide, hidden.map { ($0.albumID, $0.id) }, client)
    }
}
