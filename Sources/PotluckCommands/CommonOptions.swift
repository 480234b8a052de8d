import ArgumentParser
import Logging
import PotluckAPI
import PotluckAgent
import PotluckClient

/// What every command takes, before or after its own arguments.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The home: journal, photos and identity of this laptop. (default: $POTLUCK_HOME, else what `potluck gatherings switch` chose, else ~/.local/share/potluck)",
            valueName: "dir"),
        completion: .directory)
    var home: String?

    @Flag(name: .long, help: "Print one JSON document instead of text for people; errors, too, on standard error.")
    var json = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The least important messages on standard error: trace, debug, info, notice, warning, error or critical.",
            valueName: "level"))
    var logLevel: LogLevel?
}

struct LogLevel: ExpressibleByArgument {
    var level: Logger.Level

    init?(argument: String) {
        guard let level = Logger.Level(rawValue: argument.lowercased()) else { return nil }
        self.level = level
    }
}

/// A command that answers with a report.
protocol PotluckSubcommand: AsyncParsableCommand {
    var common: CommonOptions { get }
}

extension PotluckSubcommand {
    var console: Console { .current }

    func home() throws(PotluckError) -> HomeLocation {
        try HomeLocation(option: common.home, console: console)
    }

    /// Prints the report as JSON, or as text.
    func show(_ report: some Encodable, _ text: () -> String) throws {
        try console.write(common.json ? ReportJSON.text(report) + "\n" : text())
    }

    /// Asks the running agent; without one, the home itself.
    func ask<Report>(_ question: (any Listings) async throws -> Report) async throws -> Report {
        try await home().ask(question)
    }
}

extension HomeLocation {
    /// How long an agent takes at most from its start until it answers, or between two runs.
    private static var beginningMax: Duration { .seconds(8) }
    private static var retryInterval: Duration { .milliseconds(50) }

    /// Asks the agent that runs in the home; without one, the home itself.
    func ask<Report>(_ question: (any Listings) async throws -> Report) async throws -> Report {
        let deadline = ContinuousClock.now + Self.beginningMax
        while true {
            do {
                return try await question(AgentClient(home: path))
            } catch let error as PotluckError where error == .endedEarly && ContinuousClock.now < deadline {
                // It may begin anew; a listing changes nothing, so that it can be asked for again.
                try await Task.sleep(for: Self.retryInterval)
                continue
            } catch let error as PotluckError where error.status == .notRunning {
                guard HomeSetup.hasGathering(home: path) else { throw noGathering }
            }
            let listings: OfflineListings
            do {
                listings = try await OfflineListings(home: path, waitMilliseconds: 100)
            } catch let error as PotluckError where error.status == .tryAgain && ContinuousClock.now < deadline {
                // Somebody has the home: an agent that begins, or another command.
                continue
            }
            return try await question(listings)
        }
    }
}
