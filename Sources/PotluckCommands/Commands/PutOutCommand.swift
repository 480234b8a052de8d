import ArgumentParser
import PotluckAPI
import PotluckClient

struct PutOutCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "put-out",
        abstract: "Put laptops out of the gathering.",
        discussion: ManPage.discussion(
            """
            For a laptop that was stolen, or that should not have come. It learns nothing new any more, and gives nothing \
            new. What it has, it keeps; the photos that it added stay in their albums, as far as this laptop knows of \
            them, and what it adds from then on is in none (`potluck left-out`). The phrase changes, as with \
            `potluck new-phrase`: laptops that are in get the new one by themselves, those that are away once they are \
            back. All doors for guests close, and their links end: `potluck guests on` opens one anew. Whoever was put \
            out by mistake is let in again by `potluck let-in`.

            Only a host can (`potluck hosts`), and no host that is one for longer can be put out; the exit status is 78 \
            then. With --recovery whoever has the recovery code, which `potluck host` printed for paper, can put any \
            laptop out, also the one that started the gathering; this laptop is a host from then on. Hosts \
            that the other one had named are hosts no longer: `potluck hosts --add` names them again.

            Says first what it means, and asks, which --yes answers. Needs a running agent.
            """,
            examples: [
                ("potluck put-out \"Ben's laptop\"", "Put it out, after a question."),
                ("potluck put-out 3f9a41c2 77aa01de", "Two at once, by the IDs that `potluck peers` lists."),
                ("potluck put-out Grandma --recovery", "Grandma's laptop was stolen; asks for the recovery code."),
                ("potluck put-out Ben --yes --json | jq -r .phrase", "The new phrase, for a script."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("Name or ID of a laptop, as `potluck peers` lists them.", valueName: "device"))
    var devices: [String]

    @OptionGroup var recovery: RecoveryOptions

    @Flag(help: "Ask nothing.")
    var yes = false

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let client = try AgentClient(home: home().path)
        let code = try await recovery.code(console: console)
        let plan = try await client.ask(PutOutPlanRequest(devices: devices, recoveryCode: code))
        if !yes { try await confirm(plan) }
        let connected = try await client.peers().peers.count { $0.connected && !plan.devices.contains($0.id) }
        let report = try await client.ask(PutOutRequest(devices: plan.devices, recoveryCode: code))
        let spread = await SpreadWatch(client: client).spread(until: connected + 1)
        try show(PutOutReport(plan, NewPhraseReport(report, spread))) {
            PutOutText.done(plan) + InviteText.text(report, spread, code: self.code(report.link, invite))
        }
    }

    private func confirm(_ plan: PutOutPlan) async throws {
        guard console.canAsk else {
            throw PotluckError(.usage, "Without a terminal nobody can be asked: say --yes as well.")
        }
        console.warn(PutOutText.question(plan))
        let those = plan.out.count == 1 ? "it" : "them"
        guard try await console.isMeant("Put \(those) out?") else {
            throw PotluckError(.failed, "Nothing was changed.")
        }
    }
}

/// What `potluck put-out` prints.
struct PutOutReport: Encodable {
    /// Who was named.
    var out: [PutOutPlan.Laptop]
    /// Earlier identities of theirs.
    var formerly: [PutOutPlan.Laptop]
    private var invite: NewPhraseReport

    init(_ plan: PutOutPlan, _ invite: NewPhraseReport) {
        (out, formerly) = (plan.out.map(\.laptop), plan.formerly)
        self.invite = invite
    }

    private enum CodingKeys: CodingKey { case out, formerly }

    func encode(to encoder: any Encoder) throws {
        try invite.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(out, forKey: .out)
        try container.encode(formerly, forKey: .formerly)
    }
}
