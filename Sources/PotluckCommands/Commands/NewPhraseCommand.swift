import ArgumentParser
import PotluckAPI
import PotluckClient

struct NewPhraseCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "new-phrase",
        abstract: "Change the invite phrase.",
        discussion: ManPage.discussion(
            """
            From then on the old phrase lets nobody in who was not in before. Laptops that are in get the new one by \
            themselves, those that are away once they are back; whoever comes needs it. Nobody is put out, and guests' \
            links stay as they are. A laptop that joined just before and was not met yet needs the new phrase, too: \
            `potluck join PHRASE` there.

            Only a host can (`potluck hosts`); who is none gets the exit status 78. Needs a running agent. Asks before, \
            which --yes answers. Laptops that run a version before 1.0's hosts stay behind until they are updated.
            """,
            examples: [
                ("potluck new-phrase", "Change it, after a question."),
                ("potluck new-phrase --yes --json | jq -r .phrase", "The new phrase alone, for a script."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Flag(help: "Ask nothing.")
    var yes = false

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let client = try AgentClient(home: home().path)
        if !yes { try await confirm() }
        let connected = try await client.peers().peers.count(where: \.connected)
        let report = try await client.ask(NewPhraseRequest())
        let spread = await SpreadWatch(client: client).spread(until: connected + 1)
        try show(NewPhraseReport(report, spread)) {
            InviteText.text(report, spread, code: code(report.link, invite))
        }
    }

    private func confirm() async throws {
        guard console.canAsk else {
            throw PotluckError(.usage, "Without a terminal nobody can be asked: say --yes as well.")
        }
        console.warn("The old phrase will let nobody in any more. Laptops that are in get the new one by themselves.\n")
        guard try await console.isMeant("Change the phrase?") else {
            throw PotluckError(.failed, "Nothing was changed.")
        }
    }
}

/// What `potluck new-phrase` prints.
struct NewPhraseReport: Encodable {
    var gathering: String?
    var phrase: String
    var link: String
    /// Laptops that have it, this one among them; absent where the agent could not be asked.
    var have: Int?
    var laptops: Int?

    init(_ invite: InviteReport, _ spread: HostsReport.Phrase?) {
        (gathering, phrase, link) = (invite.gathering, invite.phrase, invite.link)
        (have, laptops) = (spread?.have, spread?.laptops)
    }
}

/// Waits until a new phrase has reached the laptops that were there.
struct SpreadWatch {
    /// The agent begins anew, and dials all of them.
    private static let patience = Duration.seconds(20)
    private static let interval = Duration.milliseconds(250)

    let client: AgentClient

    /// - Returns: who has it when so many have, or after some seconds; `nil` where the agent gives no answer.
    func spread(until count: Int) async -> HostsReport.Phrase? {
        let deadline = ContinuousClock.now + Self.patience
        var last: HostsReport.Phrase?
        repeat {
            // While the agent begins anew nobody answers.
            if let phrase = try? await client.impatient.hosts().phrase, phrase.since != nil { last = phrase }
            if let last, last.have >= min(count, last.laptops) { break }
            // A cancelled sleep ends the loop.
            guard (try? await Task.sleep(for: Self.interval)) != nil else { break }
        } while ContinuousClock.now < deadline
        return last
    }
}
