import ArgumentParser
import PotluckAPI
import PotluckClient

struct RemoveCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take photos out of an album.",
        discussion: ManPage.discussion(
            """
            A photo that this laptop added leaves the album on every laptop. One that somebody else added is hidden on \
            this laptop only, and stays for all others; with --for-everyone it leaves the album everywhere, under your \
            name, and anyone can bring it back. Deleting files in the folder does the same as this command without \
            --for-everyone.

            Every laptop keeps what leaves an album in its trash for 30 days in which its agent runs (the setting \
            trash_days): `potluck trash` lists it, `potluck restore` brings it back. A raw file or a film that belongs to \
            a photo goes with it. Needs a running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do.
            """,
            examples: [
                ("potluck remove \"Beach day\" IMG_0001.JPG", "Take your photo out, or hide somebody else's."),
                ("potluck remove \"Beach day\" 724e74af --for-everyone", "Take out a photo, whoever added it."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("The photos' file names or IDs.", valueName: "photo"))
    var photos: [String]

    @Flag(help: "Take them from the album on every laptop, whoever added them.")
    var forEveryone = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let order = RemovalOrder(forEveryone ? .removeForEveryone : .remove, album: album, photos: photos)
        let report = try await AgentClient(home: home().path).ask(order)
        try show(report) { RemovalListing.done(report) }
    }
}
