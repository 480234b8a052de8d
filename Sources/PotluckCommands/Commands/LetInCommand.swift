import ArgumentParser
import PotluckAPI
import PotluckClient

struct LetInCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "let-in",
        abstract: "Let laptops into the gathering that were put out, or that came too late.",
        discussion: ManPage.discussion(
            """
            For a laptop that was put out by mistake, or that has an earlier phrase and was never met here. It comes in \
            by itself, with its photos and its folder: nothing has to be typed there. The phrase stays as it is.

            `potluck hosts` lists who was turned away since the agent began, with IDs. Whoever was put out is named as \
            ever. Others are named by 16 digits of their ID at least: compare them with what `potluck hosts` says on \
            that laptop, since whoever knows an old phrase can try to come in under any name.

            Only a host can (`potluck hosts`); whoever was put out is let in by the host that did so, by one that is a \
            host for longer, or with the recovery code, which `potluck host` printed for paper (--recovery); this laptop \
            is a host from then on. The exit status is 78 for others. Needs a running agent.
            """,
            examples: [
                ("potluck let-in \"Ben's laptop\"", "Take back that it was put out."),
                ("potluck let-in 3f9a41c277aa01de", "Let in a laptop that has no name here yet."),
            ],
            statuses: [.failed, .notRunning, .badSetting]))

    @Argument(help: ArgumentHelp("Name or ID of a laptop, as `potluck hosts` lists them.", valueName: "device"))
    var devices: [String]

    @OptionGroup var recovery: RecoveryOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let client = try AgentClient(home: home().path)
        let code = try await recovery.code(console: console)
        let report = try await client.ask(LetInRequest(devices: devices, recoveryCode: code))
        try show(report) {
            let names = Phrases.list(report.laptops.map { "“\($0.name)” (\($0.id.prefix(LaptopID.digitCountMin)))" })
            let those =
                report.laptops.count == 1
                ? "is let in. It comes by itself once it meets a laptop that has heard of it."
                : "are let in. They come by themselves once they meet a laptop that has heard of it."
            return PrintableText.line("\(names) \(those)") + "\n"
        }
    }
}
