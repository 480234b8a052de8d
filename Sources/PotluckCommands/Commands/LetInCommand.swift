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

            `potluck hosts` lists who was turned away since the agent began, with IDs. Compare the ID of a laptop without \
            a name with what `potluck status` says on that laptop: whoever knows an old phrase can try to come in.

            Only a host can (`potluck hosts`); whoever was put out is let in by the host that did so, or by one that is a \
            host for longer. The exit status is 78 for others. Needs a running agent.
            """,
            examples: [
                ("potluck let-in \"Ben's laptop\"", "Take back that it was put out."),
                ("potluck let-in 3f9a41c277aa01de", "Let in a laptop that has no name here yet."),
            ],
            statuses: [.failed, .notRunning, .badSetting]))

    @Argument(
        help: ArgumentHelp(
            "Name or ID of a laptop, as `potluck hosts` and `potluck peers` list them.", valueName: "device"))
    var devices: [String]

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(LetInRequest(devices: devices))
        try show(report) {
            let names = Phrases.list(report.laptops.map { "“\($0.name)”" })
            let those =
                report.laptops.count == 1
                ? "is let in. It comes by itself once it meets a laptop that has heard of it."
                : "are let in. They come by themselves once they meet a laptop that has heard of it."
            return PrintableText.line("\(names) \(those)") + "\n"
        }
    }
}
