import ArgumentParser
import PotluckAPI

struct PeersCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "List the other devices of the gathering.",
        discussion: ManPage.discussion(
            """
            For each device: its name, whether it is connected or when it was last seen, its address and how that was \
            found (dns-sd, static, gossip or inbound), and how many photos it has. Without an agent, all devices that \
            are known.
            """,
            examples: [
                ("potluck peers", "List them."),
                ("potluck peers --json | jq '[.peers[] | select(.connected)] | length'", "How many are connected."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await ask { try await $0.peers() }
        try show(report) { Listing.peers(report, now: console.now(), cellCount: console.cellCount()) }
    }
}
