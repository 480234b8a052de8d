import ArgumentParser
import Glibc
import PotluckAPI
import PotluckClient

struct OpenCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open this laptop's photos in the browser.",
        discussion: ManPage.discussion(
            """
            Opens the gallery in the standard browser and signs that browser in as the owner's. The link works once, within \
            a minute, on this laptop. With --phone it is one for the owner's phone, which needs the door for guests \
            (`potluck guests on`) and is signed in for twelve hours.
            """,
            examples: [
                ("potluck open", "See the photos, and this laptop's state."),
                ("potluck open --phone", "Print a link and a QR code for the owner's phone."),
                ("potluck open --print --json | jq -r .url", "The link alone."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Flag(help: "Print the link instead of opening it.")
    var print = false

    @Flag(help: "A link for the owner's phone.")
    var phone = false

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(OwnerLinkRequest(phone: phone ? true : nil))
        let isOpened = !print && !phone && !common.json && Browser.open(report.url)
        try show(report) {
            if isOpened { return "Opened in the browser.\n" }
            let isWanted = invite.qr ?? (phone && console.outputIsTerminal)
            let code = isWanted ? QRCode.text(report.url, isColoured: console.outputIsTerminal) : nil
            let place = phone ? "On your phone" : "In a browser on this laptop"
            return "\(place), within a minute:\n\n    \(report.url)\n" + (code.map { "\n\($0)" } ?? "")
        }
    }
}

/// The person's standard browser.
enum Browser {
    /// - Returns: whether one was started.
    static func open(_ url: String) -> Bool {
        // Without a screen there is none to open it on, and the program would ask in the terminal.
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { AgentSocket.environment($0)?.isEmpty == false }
        guard hasScreen else { return false }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var child = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = (["xdg-open", url] as [String]).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        guard posix_spawnp(&child, "xdg-open", &actions, nil, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
