import ArgumentParser
import PotluckAgent

struct RestoreCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring photos back from the trash.",
        discussion: ManPage.discussion(
            """
            The photos are in their album again on every laptop, with their captions and tags, added by this laptop. \
            Whoever removed them, anyone who has them in the trash can do this. Needs a running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do; `potluck \
            trash` lists both.
            """,
            examples: [
                ("potluck restore \"Beach day\" IMG_0001.JPG", "Bring a photo back."),
                ("potluck trash \"Beach day\"", "See what can be brought back."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("The photos' file names or IDs.", valueName: "photo"))
    var photos: [String] = []

    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard !photos.isEmpty else {
            throw PotluckError(.usage, "Name the photos after the album; `potluck trash` lists what can be restored.")
        }
        let report = try await ControlClient(home: home().path).remove(
            RemovalOrder(.restore, album: album, photos: photos))
        try show(report) { RemovalListing.done(report) }
    }
}
