import ArgumentParser
import PotluckAPI
import PotluckClient

struct EventsCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print what happens, as it happens.",
        discussion: ManPage.discussion(
            """
            One JSON object a line, with or without --json: `at`, `event` (peer.connected, peer.lost, album.changed, \
            photo.added, photo.here, photo.changed, photo.removed, guests.changed, transfer.progress, brake.held, \
            brake.released or problem), and what else is known. Ends when the agent ends, with 69.
            """,
            examples: [
                ("potluck events", "Watch."),
                (
                    "potluck events | jq -r 'select(.event == \"photo.here\") | .name'",
                    "The names of photos as they arrive."
                ),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = console
        try await AgentClient(home: home().path).events { event in
            try console.write(ReportJSON.text(event) + "\n")
        }
        throw PotluckError(.notRunning, "The agent has stopped. Start it with `potluck up`.")
    }
}
