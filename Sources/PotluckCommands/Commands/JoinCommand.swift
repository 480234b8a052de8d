import ArgumentParser
import PotluckAgent

struct JoinCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Enter a gathering with its invite phrase.",
        discussion: ManPage.discussion(
            """
            Takes the phrase that `potluck host` printed on another laptop, in any case, with dashes or spaces between \
            its words, or the link. A mistyped phrase is noticed. No other laptop has to be near: `potluck up` finds \
            them. A home holds one gathering: in a home that has another one nothing is changed, and the exit status \
            is 78; joining the same one again is fine.
            """,
            examples: [
                ("potluck join lusab-babad-gutih-tugad-kabok", "Enter a gathering."),
                ("potluck join LUSAB BABAD GUTIH TUGAD KABOK --as Ben", "The same, read aloud; call this laptop Ben."),
                ("potluck join potluck://join/lusab-babad-gutih-tugad-kabok", "The same from a link."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("The invite phrase, or the link.", valueName: "phrase"))
    var words: [String]

    @Option(name: .customLong("as"), help: ArgumentHelp("What this laptop is called.", valueName: "device"))
    var device: String?

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try DeviceNameCheck.check(device)
    }

    func run() async throws {
        let home = try home()
        let settings = try Settings(Settings.Flags(device: device), home: home, console: console)
        let phrase = words.joined(separator: " ")
        let report = try await HomeSetup.join(home: home.path, phrase: phrase, device: settings.device)
        try show(report, .joined, invite)
    }
}
