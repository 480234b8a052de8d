import ArgumentParser
import PotluckAPI
import PotluckClient

struct FetchCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Get originals that this laptop leaves out.",
        discussion: ManPage.discussion(
            """
            Gets photos to this laptop although `potluck originals` says that its album's originals stay where they \
            are; a photo comes with what belongs to it, as a Live Photo's film. Without photos, all that the album has \
            now; those that are added later are left out again. Returns at once; `potluck status --wait` waits for them. \
            Needs a running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do.
            """,
            examples: [
                ("potluck fetch \"Beach day\" IMG_0001.JPG 724e74af", "Get two."),
                ("potluck fetch \"Beach day\" && potluck status --wait", "Get all that there are, and wait for them."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("The photos' file names or IDs.", valueName: "photo"))
    var photos: [String] = []

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(FetchRequest(album: album, photos: photos))
        try show(report) { TransfersListing.originals(report, cellCount: console.cellCount()) }
    }
}
