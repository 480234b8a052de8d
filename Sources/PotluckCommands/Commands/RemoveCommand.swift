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

            A photo is named by its file name, or by its ID, of which the first six digits or more will do. --all takes all \
            photos that the album has now, after a question on the terminal; --yes answers it. An album of which all photos \
            are gone is no longer listed.
            """,
            examples: [
                ("potluck remove \"Beach day\" IMG_0001.JPG", "Take your photo out, or hide somebody else's."),
                ("potluck remove \"Beach day\" 724e74af --for-everyone", "Take out a photo, whoever added it."),
                ("potluck remove \"Beach day\" --all --for-everyone --yes", "Take out all, without a question."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("The photos' file names or IDs.", valueName: "photo"))
    var photos: [String] = []

    @Flag(help: "Take them from the album on every laptop, whoever added them.")
    var forEveryone = false

    @Flag(help: "Take out all photos of the album.")
    var all = false

    @Flag(help: "Ask nothing before all photos are taken out.")
    var yes = false

    @OptionGroup var common: CommonOptions

    private var action: RemovalOrder.Action { forEveryone ? .removeForEveryone : .remove }

    func validate() throws {
        try WholeAlbums.validate(photos: photos, all: all)
        if yes, !all { throw ValidationError("--yes goes with --all.") }
    }

    func run() async throws {
        guard all else {
            let order = RemovalOrder(action, album: album, photos: photos)
            let report = try await AgentClient(home: home().path).ask(order)
            return try show(report) { RemovalListing.done(report) }
        }
        try await removeAll(of: album, action, isMeant: yes)
    }
}

extension PotluckSubcommand {
    /// Takes all photos out of an album, once the person means it.
    ///
    /// - Parameter isMeant: whether nothing is to be asked.
    func removeAll(of album: String, _ action: RemovalOrder.Action, isMeant: Bool) async throws {
        let client = try AgentClient(home: home().path)
        let photos = try await client.photos(PhotoQuery(album: album, isBrief: true))
        if !photos.photos.isEmpty, !isMeant { try await confirm(photos, of: album, action) }
        let report = try await client.ask(RemovalOrder(action, album: album, photos: photos.photos.map(\.id)))
        try show(report) { RemovalListing.done(report) }
    }

    /// - Throws: ``PotluckError`` unless the person means it.
    private func confirm(_ report: PhotosReport, of album: String, _ action: RemovalOrder.Action) async throws {
        let photos = Phrases.count(report.photos.count, "photo")
        let album = "“\(report.album ?? album)”"
        guard console.canAsk else {
            throw PotluckError(.usage, "\(album) has \(photos): say --yes as well to take out all of them.")
        }
        let effect =
            action == .removeForEveryone
            ? "They leave it on every laptop" : "Those that you added leave it on every laptop, others are hidden here"
        guard try await console.isMeant("Take all \(photos) out of \(album)? \(effect).") else {
            throw PotluckError(.failed, "Nothing was taken out.")
        }
    }
}
