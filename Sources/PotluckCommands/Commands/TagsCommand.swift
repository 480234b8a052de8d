import ArgumentParser
import PotluckAPI

struct TagsCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "tags",
        abstract: "List the tags, and how many photos have each.",
        discussion: ManPage.discussion(
            """
            Those of an album, or of all albums. The most used come first. Works with and without an agent.
            """,
            examples: [
                ("potluck tags", "All tags of the gathering."),
                ("potluck tags \"Beach day\" --json | jq -r '.tags[].tag'", "Those of one album, for a script."),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID; all albums without it.")
    var album: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await ask { try await $0.tags(album: album) }
        try show(report) { WordsListing.tags(report, cellCount: console.cellCount()) }
    }
}
