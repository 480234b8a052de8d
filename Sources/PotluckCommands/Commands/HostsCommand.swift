import ArgumentParser
import PotluckAPI
import PotluckClient

struct HostsCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "hosts",
        abstract: "List the hosts of the gathering, or name another one.",
        discussion: ManPage.discussion(
            """
            Hosts are the laptops whose people decide who takes part. The one that started the gathering is the first; \
            a host names others, and whoever has been one for longer ranks higher. Hosts name hosts, change the phrase \
            (`potluck new-phrase`), put laptops out (`potluck put-out`) and let them in (`potluck let-in`). Listed as \
            well is who knows a phrase and was turned away here.

            A laptop that has joined learns the hosts from the first laptop that knows them. A gathering that was made \
            by an earlier version has none. Naming a host needs a running agent, and cannot be taken back; who is no \
            host gets the exit status 78.
            """,
            examples: [
                ("potluck hosts", "List them, the highest rank first."),
                ("potluck hosts --add Ben", "Make Ben's laptop a host, on every laptop."),
                ("potluck hosts --add 3f9a41c2", "The same by the ID that `potluck peers` lists."),
                ("potluck hosts --json | jq -r '.hosts[].name'", "Their names."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Option(
        help: ArgumentHelp(
            "Make this device a host; its name or ID, as `potluck peers` lists them.", valueName: "device"))
    var add: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard let add else {
            let report = try await ask { try await $0.hosts() }
            return try show(report) { Listing.hosts(report, cellCount: console.cellCount()) }
        }
        let report = try await AgentClient(home: home().path).ask(AddHostRequest(device: add))
        try show(report) {
            let state =
                report.isNew
                ? "is a host now. Laptops that are away hear of it when they are back." : "is a host already."
            return PrintableText.line("“\(report.name)” \(state)") + "\n"
        }
    }
}
