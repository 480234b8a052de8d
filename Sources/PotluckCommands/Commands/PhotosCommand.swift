import ArgumentParser
import PotluckAgent

struct PhotosCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "List the photos of an album.",
        discussion: ManPage.discussion(
            """
            For each photo: its name, who added it, its size, whether it is on this laptop or where else it is, and the \
            first digits of its ID. Works with and without an agent.

            The album is named by its ID or its name; where no name is exactly that, case does not matter.
            """,
            examples: [
                ("potluck photos \"Beach day\"", "List the photos of that album."),
                (
                    "potluck photos Videos --json | jq '.photos[] | select(.here | not) | .name'",
                    "What is not here yet."
                ),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
        if common.json, let document = try await agentsDocument() { return try console.write(document + "\n") }
        let report = try await ask { try await $0.photos(album: album) }
        try show(report) { Listing.photos(report, cellCount: console.cellCount()) }
    }

    /// `nil` where no agent runs.
    private func agentsDocument() async throws -> String? {
        do {
            return try await ControlClient(home: home().path).photosDocument(album: album)
        } catch let error as PotluckError where error.status == .notRunning {
            return nil
        }
    }
}
