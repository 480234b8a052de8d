import ArgumentParser
import PotluckAPI
import PotluckClient

struct DownCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Stop the agent of this home.",
        discussion: ManPage.discussion(
            """
            Returns when the agent has ended. Nothing is lost: what was under way goes on where it was at the next \
            `potluck up`.
            """,
            examples: [
                ("potluck down", "Stop the agent."),
                ("potluck down --home /media/photos/potluck", "Stop the agent of another home."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    private struct Report: Encodable {
        var agent = StatusReport.AgentState.stopped
    }

    func run() async throws {
        try await AgentClient(home: home().path).down()
        try show(Report()) { "The agent has stopped.\n" }
    }
}
