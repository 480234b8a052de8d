import ArgumentParser
import PotluckAPI
import PotluckClient

struct OriginalsCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "originals",
        abstract: "Choose which originals of an album come to this laptop.",
        discussion: ManPage.discussion(
            """
            all, as at the start; none, which is names and thumbnails only, for a laptop with little room; or own, what \
            was contributed here. It counts for this laptop alone, for photos that are not here yet: what is here \
            stays. `potluck fetch` gets single photos all the same. With --all it counts for all albums that there are; one \
            that is made later begins with all.

            Without a choice it shows what is chosen, with and without an agent; choosing needs a running agent.
            """,
            examples: [
                ("potluck originals", "Show it for all albums."),
                ("potluck originals \"Beach day\" none", "Only names and thumbnails of what is not here yet."),
                ("potluck originals \"Beach day\" all", "Everything again."),
                ("potluck originals --all none", "Only names and thumbnails of all albums."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String?

    @Argument(help: "all, none or own.")
    var choice: Choice?

    @Flag(help: "Choose for all albums that there are; no album is named then.")
    var all = false

    @OptionGroup var common: CommonOptions

    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case all, none, own

        var policy: OriginalsReport.Policy {
            switch self {
            case .all: .all
            case .none: .none
            case .own: .own
            }
        }
    }

    func validate() throws {
        guard all else { return }
        guard choice == nil, let album, Choice(rawValue: album) != nil else {
            throw ValidationError("After --all comes all, none or own.")
        }
    }

    func run() async throws {
        if all, let choice = album.flatMap(Choice.init(rawValue:)) { return try await choose(choice) }
        let report =
            if let album, let choice {
                try await AgentClient(home: home().path).ask(SetOriginalsRequest(album: album, choice.policy))
            } else {
                try await ask { try await $0.originals(album: album) }
            }
        try show(report)
    }

    /// For each album that there is.
    private func choose(_ choice: Choice) async throws {
        let client = try AgentClient(home: home().path)
        let outcome = try await WholeAlbums.each(try await client.originals(album: nil).albums) { album in
            try await client.ask(SetOriginalsRequest(album: album.id, choice.policy))
        }
        try show(OriginalsReport(albums: outcome.reports.flatMap(\.albums)))
        if let failure = outcome.failure { throw failure }
    }

    private func show(_ report: OriginalsReport) throws {
        try show(report) { TransfersListing.originals(report, cellCount: console.cellCount()) }
    }
}
