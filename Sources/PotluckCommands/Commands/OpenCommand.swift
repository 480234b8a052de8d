import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

struct OpenCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open this laptop's photos in the browser.",
        discussion: ManPage.discussion(
            """
            Opens the gallery in the standard browser and signs that browser in as the owner's. The link works once, within \
            a minute, on this laptop. With --phone it is one for the owner's phone, which needs the door for guests \
            (`potluck guests on`) and is signed in for twelve hours, or until `potluck phones end`.

            With --start an agent is started first where none runs: by systemd where the package's unit is installed, else \
            as a process that goes on when the terminal is closed. A laptop without a gathering is asked first whether to \
            start one or to join one, in the terminal, or with --ask-in-browser on a page that only this laptop's browser \
            reaches. The icon in the list of programs does the same, and is handed the invite links that are opened: nothing \
            is joined before the person says so.
            """,
            examples: [
                ("potluck open", "See the photos, and this laptop's state."),
                ("potluck open --start", "The same, also where no agent runs yet."),
                ("potluck open --start --ask-in-browser", "The same without a word in the terminal."),
                ("potluck open --phone", "Print a link and a QR code for the owner's phone."),
                ("potluck open --print --json | jq -r .url", "The link alone."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Flag(help: "Print the link instead of opening it.")
    var print = false

    @Flag(help: "A link for the owner's phone.")
    var phone = false

    @Flag(help: "Start the agent first where none runs.")
    var start = false

    @Flag(help: "With --start: ask on a page in the browser what a laptop without a gathering is to do.")
    var askInBrowser = false

    @Argument(
        help: ArgumentHelp("With --start: the link of a gathering to join, if the person agrees.", valueName: "link"))
    var link: String?

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard start || !askInBrowser && link == nil else {
            throw ValidationError("--ask-in-browser and an invite link need --start.")
        }
        if askInBrowser, print || phone || common.json {
            throw ValidationError("--ask-in-browser opens the browser; it goes without --print, --phone and --json.")
        }
    }

    func run() async throws {
        if start {
            let home = try home()
            if HomeSetup.hasGathering(home: home.path) {
                try HomeSetup.checkTakesPart(home: home.path, link: link)
                home.remember(console)
            } else if askInBrowser {
                let settings = try Settings(Settings.Flags(), home: home, console: console)
                return try await FirstRun(home: home, settings: settings, console: console).hold(link: link) {
                    try await startAgent(home)
                } openPhotos: {
                    try await AgentClient(home: home.path).ask(OwnerLinkRequest(phone: nil)).url
                }
            } else {
                let settings = try Settings(Settings.Flags(), home: home, console: console)
                try await GatheringDialogue(home: home, settings: settings, console: console).hold(link: link)
            }
            try await startAgent(home)
        }
        let agent = AgentClient(path: try AgentSocket.path(home: home().path))
        let report = try await agent.ask(OwnerLinkRequest(phone: phone ? true : nil))
        if !print, !phone, !common.json, let page = DoorPage(leadingTo: report.url, console: console),
            console.openFile(page.path)
        {
            try console.write("Opened in the browser.\n")
            try await waitUntilUsed(report.url, asking: agent)
            // The page goes only now: so far the browser may have been about to read it.
            return withExtendedLifetime(page) {}
        }
        // Nobody reads what an icon's program prints.
        if askInBrowser { throw FirstRun.noBrowser }
        try show(report) {
            let isWanted = invite.qr ?? (phone && console.outputIsTerminal)
            let code = isWanted ? QRCode.text(report.url, isColoured: console.outputIsTerminal) : nil
            let place = phone ? "On your phone" : "In a browser on this laptop"
            return "\(place), within a minute:\n\n    \(report.url)\n" + (code.map { "\n\($0)" } ?? "")
        }
    }

    private func startAgent(_ home: HomeLocation) async throws {
        try await AgentStart(home: home, option: common.home, console: console).perform()
    }

    /// Waits until a link's code is of no use any more: the browser has come in, or its minute is over.
    private func waitUntilUsed(_ url: String, asking agent: AgentClient) async throws {
        let code = String(url.drop { $0 != "#" }.dropFirst())
        // An agent that does not answer lets nobody in either.
        while let state = try? await agent.ask(OwnerLinkStateRequest(code: code)), state.waits {
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
