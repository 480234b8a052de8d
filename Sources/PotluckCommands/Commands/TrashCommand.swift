import ArgumentParser
import PotluckAPI
import PotluckClient

struct TrashCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "List photos that left their albums, or delete them for good.",
        discussion: ManPage.discussion(
            """
            What leaves an album stays in the trash of every laptop that had it. After 30 days in which the agent runs \
            (the setting trash_days) its space is given back, except where this laptop is the one that keeps the last \
            copy that it knows of: such photos stay until you delete them with --last-copies. Listing works with and \
            without an agent, deleting needs a running one.
            """,
            examples: [
                ("potluck trash", "Everything in the trash of this laptop."),
                ("potluck trash \"Beach day\"", "What left one album."),
                ("potluck trash --empty --dry-run", "See what that would free, and change nothing."),
                ("potluck trash --empty", "Delete what another laptop keeps too."),
                ("potluck trash \"Beach day\" --delete IMG_0001.JPG --last-copies", "Delete a photo whatever comes."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID; all albums without it.")
    var album: String?

    @Flag(help: "Delete everything that is listed.")
    var empty = false

    @Option(help: ArgumentHelp("Delete this photo, by its file name or ID; may be repeated.", valueName: "photo"))
    var delete: [String] = []

    @Flag(help: "Delete also what no other laptop is known to keep: it is then lost for ever.")
    var lastCopies = false

    @Flag(help: "With --empty: say what would be deleted and freed, and change nothing.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if dryRun, !empty { throw ValidationError("--dry-run goes with --empty.") }
        if empty, !delete.isEmpty { throw ValidationError("Say either --empty or --delete.") }
        if !delete.isEmpty, album == nil { throw ValidationError("Name the album before --delete.") }
        if lastCopies, !empty, delete.isEmpty { throw ValidationError("--last-copies goes with --empty or --delete.") }
    }

    func run() async throws {
        if dryRun { return try await preview() }
        if empty || !delete.isEmpty {
            let order = TrashOrder(album: album, photos: delete, lastCopies: lastCopies)
            let report = try await AgentClient(home: home().path).ask(order)
            return try show(report) { RemovalListing.done(report) }
        }
        let report = try await ask { try await $0.trash(album: album) }
        try show(report) { RemovalListing.trash(report, now: console.now(), cellCount: console.cellCount()) }
    }

    /// Asks for listings alone: no agent, of whatever version, deletes anything for them.
    private func preview() async throws {
        let preview = try await ask { agent in
            let chosen = try await agent.trash(album: album)
            let all = try await album == nil ? chosen : agent.trash(album: nil)
            return TrashPreview(chosen, of: all, lastCopies: lastCopies)
        }
        try show(preview) { RemovalListing.preview(preview) }
    }
}
