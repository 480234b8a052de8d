import ArgumentParser
import NIOPosix
import PotluckAPI
import PotluckAgent

struct GatheringsForgetCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete the home of a gathering, and keep its photos.",
        discussion: ManPage.discussion(
            """
            No photo is deleted. Those of which the folder has a file with the very same bytes stay there; all others, those \
            of the trash, damaged and unfinished ones too, are first moved out of the home, under their names, in a directory \
            for each album: into “Potluck kept photos” in ~/Pictures, or beside a home that was named. Whether other laptops \
            have them does not count.

            Deleted are the journal (what the gathering is, and what was said of photos), this laptop's identity there, the \
            settings in potluck.toml, small pictures, and what browsers are signed in. What else a person put into the home \
            stays. Whoever joins again with the phrase, which is shown, does so as a new laptop.

            Says first what goes and what is moved, and asks; --yes answers, --dry-run ends after saying it. Where it is \
            interrupted, say it again. An agent must not run in that home. A home that is not there any more is only taken \
            from the list of `potluck gatherings`.
            """,
            examples: [
                ("potluck gatherings forget \"Kuh reunion\" --dry-run", "See what would be moved."),
                ("potluck gatherings forget \"Kuh reunion\"", "Delete its home, after a question."),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]))

    @Argument(help: "The gathering's name, or the path of its home.")
    var gathering: String

    @Flag(help: "Ask nothing.")
    var yes = false

    @Flag(help: "Say what would be moved and deleted, and do nothing.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    private struct Unlisted: Encodable {
        var unlisted: String
    }

    func run() async throws {
        let homes = try GatheringHomes(option: common.home, console: console)
        if let path = homes.listedWithoutGathering(gathering) {
            if !dryRun { try KnownHomes.forget([path], in: HomeLocation.dataDirectory(console.environment)) }
            return try show(Unlisted(unlisted: path)) {
                PrintableText.line(
                    "There is no gathering in \(path) now: nothing is deleted, and the home is listed no longer.")
                    + "\n"
            }
        }
        let home = try await homes.find(gathering, isSure: true)
        let keeping = try homes.keptPhotos(of: home)
        let forgetting = try await NIOThreadPool.singleton.runIfActive {
            try HomeForgetting(home: home, keeping: keeping)
        }
        let plan = GatheringsText.plan(forgetting.report)
        if dryRun { return try show(forgetting.report) { plan + "Nothing was changed.\n" } }
        if !yes { try await console.confirm(plan, question: "Delete this home?") }
        let listed = homes.known.homes.filter { FilePaths.isSame($0, home) } + [home]
        let report = try await NIOThreadPool.singleton.runIfActive { try forgetting.run() }
        try KnownHomes.forget(listed, in: HomeLocation.dataDirectory(console.environment))
        try show(report) { GatheringsText.forgotten(report) }
    }
}
