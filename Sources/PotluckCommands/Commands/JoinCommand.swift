import ArgumentParser
import PotluckAPI
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

            Where a host changed the phrase (`potluck new-phrase`), laptops that are in get the new one by themselves. In \
            a home that does not, since it was not met since it joined or was put out, the new phrase is typed in the \
            same way, with the agent running or not; photos and folder stay as they are. If no other laptop said yet that \
            the phrase has changed, --again says that it is this gathering's. One that was wrong is taken back by joining \
            with a phrase that the home has.

            Whoever knows the phrase sees every photo, and what stands on a command line is seen by all users of this \
            machine (`ps`) and kept by the shell. Where that matters, leave the phrase out and type it when asked (it is \
            shown as you type: it is made for being read aloud), or have --phrase-file read it from the first line of a \
            file, with `-` of standard input.
            """,
            examples: [
                ("potluck join lusab-babad-gutih-tugad-kabok", "Enter a gathering."),
                ("potluck join LUSAB BABAD GUTIH TUGAD KABOK --as Ben", "The same, read aloud; call this laptop Ben."),
                ("potluck join potluck://join/lusab-babad-gutih-tugad-kabok", "The same from a link."),
                ("potluck join", "Ask for the phrase."),
                ("potluck join nofah-pudof-lilir-bogud-sodok --again", "Take the gathering's new phrase."),
                ("pass show reunion | potluck join --phrase-file -", "Take it from a program's output."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("The invite phrase, or the link. (default: asked for)", valueName: "phrase"))
    var words: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the phrase from the first line of a file; `-` is standard input.", valueName: "file"),
        completion: .file())
    var phraseFile: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("What this laptop is called.", valueName: "device"))
    var device: String?

    @Flag(help: "The phrase is the new one of the gathering that this home is in.")
    var again = false

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try DeviceNameCheck.check(device)
        if !words.isEmpty, phraseFile != nil {
            throw ValidationError("Give the invite phrase, or --phrase-file, not both.")
        }
        if words.isEmpty, phraseFile == nil, !console.canAsk {
            throw ValidationError("The invite phrase is missing; without a terminal nobody can be asked for it.")
        }
    }

    func run() async throws {
        let home = try home()
        let settings = try Settings(Settings.Flags(device: device), home: home, console: console)
        let phrase = try await phrase()
        let report = try await home.join(phrase: phrase, device: settings.device, again: again, console: console)
        try show(report, .joined, invite)
    }

    private func phrase() async throws -> String {
        if !words.isEmpty { return words.joined(separator: " ") }
        if let phraseFile { return try await PhraseFile(phraseFile, console: console).phrase() }
        console.warn("The invite phrase: ")
        return try await PhraseFile.standardInput(console: console).phrase()
    }
}
