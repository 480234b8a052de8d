import ArgumentParser
import PotluckAPI

struct SearchCommand: PotluckSubcommand, PhotoListingCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find photos by words.",
        discussion: ManPage.discussion(
            """
            Looks in names, captions, tags, people, cameras and albums' names for photos that have every word, or \
            something that begins with it, in any case, and with or without accents: “soren” finds “Søren”. The best \
            matches come first. Works with and without an agent.

            The filters of `potluck photos` narrow it further.
            """,
            examples: [
                ("potluck search sunset", "Photos that speak of a sunset."),
                ("potluck search anna pixel --type video", "Anna's videos that were taken with a Pixel."),
                ("potluck search cake --json | jq -r '.photos[].id'", "The IDs, for a script."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("What is looked for.", valueName: "word"))
    var words: [String]

    @OptionGroup(title: "Filters") var filters: PhotoFilters

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else {
            throw ValidationError("Say what is looked for: at least one letter or digit.")
        }
    }

    func run() async throws {
        var query = filters.query(album: nil)
        query.words = words.joined(separator: " ")
        try await list(query, none: "Nothing is found for “\(PrintableText.line(query.words))”.\n")
    }
}
