import ArgumentParser
import PotluckAPI

struct InviteCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Show the invite phrase again.",
        discussion: ManPage.discussion(
            """
            Prints the phrase of this home's gathering, the same as a link and, on a terminal, as a QR code. Any laptop \
            of the gathering can invite.
            """,
            examples: [
                ("potluck invite", "Print phrase, link and QR code."),
                ("potluck invite --json | jq -r .phrase", "The phrase alone, for a script."),
                ("potluck invite --qr > invite.txt", "With the QR code, to be printed dark on light."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try show(try await ask { try await $0.invite() }, .shown, invite)
    }
}
