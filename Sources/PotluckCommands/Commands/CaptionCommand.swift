import ArgumentParser
import PotluckAPI
import PotluckClient

struct CaptionCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "caption",
        abstract: "Show or write the caption of a photo.",
        discussion: ManPage.discussion(
            """
            Without a text it shows the caption, with and without an agent. With one it replaces all that is written \
            there, for everyone; that needs a running agent.

            Where two people write at one time without knowing of each other, the later caption is shown and both are \
            kept: `potluck photos --conflicts` lists them. The next caption that anybody writes replaces both.
            """,
            examples: [
                ("potluck caption \"Beach day\" IMG_0001.JPG \"The first wave\"", "Write it."),
                ("potluck caption \"Beach day\" IMG_0001.JPG", "Show it."),
                ("potluck caption \"Beach day\" 724e74af --clear", "Take it away."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: "The photo's file name, or its ID, of which the first six digits or more will do.")
    var photo: String

    @Argument(help: ArgumentHelp("The caption; several words need no quotes.", valueName: "text"))
    var text: [String] = []

    @Flag(help: "Take the caption away.")
    var clear = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !clear || text.isEmpty else { throw ValidationError("Write a caption, or take it away with --clear.") }
        guard text.isEmpty || text.contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw ValidationError("The caption is empty; --clear takes it away.")
        }
    }

    func run() async throws {
        let report =
            if clear || !text.isEmpty {
                try await AgentClient(home: home().path).ask(
                    PhotoEdit(album: album, photos: [photo], caption: text.joined(separator: " ")))
            } else {
                try await ask { try await $0.photos(PhotoQuery(album: album, photos: [photo])) }
            }
        try show(report) { WordsListing.captions(of: report) }
    }
}
