import ArgumentParser
import PotluckAPI
import PotluckClient

/// The phones that are signed in as the owner's.
struct PhonesCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "phones",
        abstract: "See which phones are signed in as yours, and sign one out.",
        discussion: ManPage.discussion(
            """
            `potluck open --phone` signs a phone in as the owner's for twelve hours. A phone that is lost, or was lent, is \
            signed out here before that.
            """,
            examples: [
                ("potluck phones", "Which phones are signed in."),
                ("potluck phones end 0a1b2c3d", "Sign this one out."),
            ],
            statuses: [.failed, .usage, .notFound, .notRunning, .tryAgain, .badSetting]),
        subcommands: [PhonesListCommand.self, PhonesEndCommand.self], defaultSubcommand: PhonesListCommand.self)

    @OptionGroup var common: CommonOptions
}

struct PhonesListCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the phones that are signed in as yours at this laptop.",
        discussion: ManPage.discussion(
            "Needs a running agent.", examples: [("potluck phones list", "Which phones are signed in.")],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(PhonesRequest())
        try show(report) { PhonesText.list(report, now: console.now(), cellCount: console.cellCount()) }
    }
}

struct PhonesEndCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Sign one of your phones out.",
        discussion: ManPage.discussion(
            """
            Its pages and downloads end within two seconds. It is signed in again by a new link alone, of \
            `potluck open --phone`.
            """,
            examples: [("potluck phones end 0a1b2c3d", "Sign this one out.")],
            statuses: [.failed, .usage, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The phone's ID, or the beginning of it.")
    var phone: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(PhoneEnd(phone: phone))
        try show(report) { PhonesText.list(report, now: console.now(), cellCount: console.cellCount()) }
    }
}
