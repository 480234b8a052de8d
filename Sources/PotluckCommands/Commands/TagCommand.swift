import ArgumentParser
import PotluckAPI
import PotluckClient

struct TagCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Give tags to photos, or take them away.",
        usage: """
            potluck tag <album> <photo> <tag> ... [--remove] [--home <dir>] [--json]
            potluck tag <album> <photo> ... --tag <tag> ... [--remove] [--home <dir>] [--json]
            """,
        discussion: ManPage.discussion(
            """
            Everyone sees them. A photo has any number of tags; which ones are in use, `potluck tags` tells. Tags that \
            differ only in case are one tag. Where one person adds a tag while another takes it away, it stays. Needs a \
            running agent.

            A photo is named by its file name, or by its ID, of which the first six digits or more will do.
            """,
            examples: [
                ("potluck tag \"Beach day\" IMG_0001.JPG sea \"first swim\"", "Two tags for one photo."),
                ("potluck tag \"Beach day\" IMG_*.JPG --tag sea", "One tag for many photos."),
                ("potluck tag \"Beach day\" 724e74af sea --remove", "Take it away."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(
        help: ArgumentHelp(
            "A photo and its tags; with --tag, photos.", valueName: "photo-and-tags"))
    var words: [String]

    @Option(help: ArgumentHelp("A tag for all photos that are named; may be repeated.", valueName: "tag"))
    var tag: [String] = []

    @Flag(help: "Take the tags away.")
    var remove = false

    @OptionGroup var common: CommonOptions

    private var photos: [String] { tag.isEmpty ? Array(words.prefix(1)) : words }
    private var tags: [String] { tag.isEmpty ? Array(words.dropFirst()) : tag }

    func validate() throws {
        guard !tags.isEmpty else { throw ValidationError("Name a tag after the photo.") }
        guard tags.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
            throw ValidationError("A tag must not be empty.")
        }
    }

    func run() async throws {
        let edit = PhotoEdit(
            album: album, photos: photos, addedTags: remove ? nil : tags, removedTags: remove ? tags : nil)
        let report = try await AgentClient(home: home().path).ask(edit)
        try show(report) { WordsListing.tags(of: report) }
    }
}
