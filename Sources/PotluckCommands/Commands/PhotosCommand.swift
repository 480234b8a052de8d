import ArgumentParser
import PotluckAPI
import PotluckClient

struct PhotosCommand: PotluckSubcommand, PhotoListingCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "List the photos of an album, in the order in which they were taken.",
        discussion: ManPage.discussion(
            """
            For each photo: its name, when it was taken, who added it, its size, whether it is on this laptop or where \
            else it is, and the first digits of its ID; below it its caption, its tags, whose favourite it is, and \
            what people wrote about it. A Live Photo, a raw file with its picture, and a photo with its sidecar are \
            one entry. Works with and without an agent.

            The album is named by its ID or its name; where no name is exactly that, case does not matter. Without an \
            album, at least one filter is needed, and all albums are looked at.

            Times are those of the clock where a photo was taken. A date means its beginning: --taken-after 2026-08-01 \
            --taken-before 2026-08-02 lists that day.
            """,
            examples: [
                ("potluck photos \"Beach day\"", "List the photos of that album."),
                ("potluck photos --tag sea --by Anna --type video", "Anna's videos of the sea, of all albums."),
                ("potluck photos \"Beach day\" --conflicts", "Where two people wrote different captions at one time."),
                (
                    "potluck photos Videos --json | jq '.photos[] | select(.here | not) | .name'",
                    "What is not here yet."
                ),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID; may be left out where a filter is given.")
    var album: String?

    @OptionGroup(title: "Filters") var filters: PhotoFilters

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard album != nil || filters.query(album: nil).hasConditions else {
            throw ValidationError("Name an album, or say what is looked for, such as --tag.")
        }
    }

    func run() async throws {
        let query = filters.query(album: album)
        let none =
            query.hasConditions
            ? "No photo fits.\n" : "“\(PrintableText.line(album ?? ""))” has no photos.\n"
        try await list(query, none: none)
    }
}

/// A command that lists photos.
protocol PhotoListingCommand: PotluckSubcommand {}

extension PhotoListingCommand {
    /// - Parameter none: What people are told where there is no such photo.
    func list(_ query: PhotoQuery, none: String) async throws {
        if common.json, let document = try await agentsDocument(query) { return try console.write(document + "\n") }
        var query = query
        query.isBrief = !common.json
        let report = try await ask { try await $0.photos(query) }
        try show(report) { report.photos.isEmpty ? none : PhotoTable.text(report, cellCount: console.cellCount()) }
    }

    /// `nil` where no agent runs, or where it ended meanwhile.
    private func agentsDocument(_ query: PhotoQuery) async throws -> String? {
        do {
            return try await AgentClient(home: home().path).text(query)
        } catch let error as PotluckError where error.status == .notRunning || error == .endedEarly {
            return nil
        }
    }
}
