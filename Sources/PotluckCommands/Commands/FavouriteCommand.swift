import ArgumentParser
import PotluckAPI
import PotluckClient

struct FavouriteCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Mark photos as favourites of yours.",
        discussion: ManPage.discussion(
            """
            Everyone has favourites of their own, and sees those of the others. `potluck photos --favourites` lists \
            them. Needs a running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do.
            """,
            examples: [
                ("potluck favourite \"Beach day\" IMG_0001.JPG IMG_0007.JPG", "Mark two."),
                ("potluck favourite \"Beach day\" 724e74af --undo", "Not any longer."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]),
        aliases: ["favorite"])

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("The photos' file names or IDs.", valueName: "photo"))
    var photos: [String]

    @Flag(help: "Take the mark away.")
    var undo = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let edit = PhotoEdit(album: album, photos: photos, isFavourite: !undo)
        let report = try await AgentClient(home: home().path).ask(edit)
        try show(report) { WordsListing.favourites(of: report) }
    }
}
