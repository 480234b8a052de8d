import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

struct RestoreCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring photos back from the trash, or make a home of a backup.",
        discussion: ManPage.discussion(
            """
            With an album and photos: they are in their album again on every laptop, with their captions and tags, added \
            by this laptop. Whoever removed them, anyone who has them in the trash can do this. Needs a running agent. A \
            photo is named by its file name, or by its ID, of which the first six digits or more will do; `potluck trash` \
            lists both. With an album alone, all that is in the trash of it; with --all, everything that is in the trash.

            With a directory that `potluck backup` made: the home is made anew with everything that was in it, and every \
            photo is checked while it is copied. The laptop is a member of its gathering again, under the same name; what \
            the others did since the backup comes by itself once the agent runs. An interrupted restore is gone on with \
            when it is run again. The home must have no gathering yet. The folder is filled by the agent.
            """,
            examples: [
                ("potluck restore \"Beach day\" IMG_0001.JPG", "Bring a photo back."),
                ("potluck restore \"Beach day\"", "Bring back all that left an album."),
                ("potluck trash \"Beach day\"", "See what can be brought back."),
                ("potluck restore /media/stick/potluck-backup", "Make this laptop's home of a backup."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("The album's name or ID, or the directory of a backup.", valueName: "album|dir"))
    var source: String?

    @Argument(help: ArgumentHelp("The photos' file names or IDs; all without them.", valueName: "photo"))
    var photos: [String] = []

    @Flag(help: "Bring back everything that is in the trash, of all albums.")
    var all = false

    @OptionGroup var common: CommonOptions

    func validate() throws { try WholeAlbums.validate(album: source, all: all) }

    func run() async throws {
        if let source, photos.isEmpty {
            if Self.isBackup(FilePaths.absolute(source, from: console.directory)) {
                return try await restoreBackup(from: source)
            }
            guard !source.contains("/") else { throw Self.noBackup(source) }
        }
        let home = try home()
        do {
            try await restorePhotos(AgentClient(home: home.path))
        } catch let error as PotluckError where error.status == .notRunning {
            if HomeSetup.hasGathering(home: home.path) { throw error }
            // There has been no album here: whoever names a directory means a backup.
            guard let source, photos.isEmpty else { throw home.noGathering }
            throw Self.noBackup(source)
        }
    }

    private func restorePhotos(_ client: AgentClient) async throws {
        if let source, !photos.isEmpty {
            let report = try await client.ask(RemovalOrder(.restore, album: source, photos: photos))
            return try show(report) { RemovalListing.done(report) }
        }
        let trash = try await client.trash(album: source).trash
        try await order(.restore, trash.map { ($0.albumID, $0.id) }, client)
    }

    private static func noBackup(_ source: String) -> PotluckError {
        PotluckError(
            .usage,
            "\(source) is no backup. Name a directory that `potluck backup` made, or an album (`potluck trash` lists what can be restored)."
        )
    }
}
