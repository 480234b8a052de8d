import ArgumentParser
import PotluckAPI
import PotluckAgent

struct HostCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Start a gathering on this laptop.",
        discussion: ManPage.discussion(
            """
            Makes a gathering and prints its invite phrase, the same as a link and, on a terminal, as a QR code. \
            Whoever knows the phrase can enter and see every photo; `potluck invite` prints it again. A home holds one \
            gathering: in a home that has one nothing is changed, and the exit status is 78.

            This laptop is the first host (`potluck hosts`). A recovery code is printed once and kept nowhere: if \
            this laptop is lost or stolen, whoever has the code on paper puts it out on another laptop, which is a host \
            then: `potluck put-out DEVICE --recovery`.
            """,
            examples: [
                ("potluck host \"Kuh reunion\"", "Start a gathering; the laptop is called by its host name."),
                ("potluck host \"Kuh reunion\" --as Grandma", "Start one, and call this laptop Grandma."),
                ("potluck host \"Kuh reunion\" --json | jq -r .recovery_code", "The recovery code alone."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(help: "What the gathering is called.")
    var name: String

    @Option(name: .customLong("as"), help: ArgumentHelp("What this laptop is called.", valueName: "device"))
    var device: String?

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try DeviceNameCheck.check(device)
        guard name.contains(where: { !$0.isWhitespace }) else { throw ValidationError("The gathering needs a name.") }
    }

    func run() async throws {
        let home = try home()
        let settings = try Settings(Settings.Flags(device: device), home: home, console: console)
        let report = try await home.host(gathering: name, device: settings.device, console: console)
        try show(report, invite)
    }
}

enum DeviceNameCheck {
    /// - Throws: What the parser tells a person whose device name is empty.
    static func check(_ name: String?) throws {
        guard let name else { return }
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("The name after --as must not be empty.")
        }
    }
}
