import ArgumentParser
import PotluckAPI

struct AlbumsCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "albums",
        abstract: "List the albums.",
        discussion: ManPage.discussion(
            """
            For each album: its name, how many photos it has, their size, how many of them are on this laptop, the \
            fewest copies that any of its photos has, and when it last changed. A Live Photo or a photo with a raw file is \
            one photo, and its size that of all its files. Albums of which all photos are gone are left out here, and have \
            no photos in JSON. Works with and without an agent.

            In JSON, `digest` is equal on two laptops of one `digest_level` exactly when both know the same photos in \
            that album.
            """,
            examples: [
                ("potluck albums", "List them."),
                ("potluck albums --json | jq -r '.albums[].name'", "Their names, for a script."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await ask { try await $0.albums() }
        try show(report) { Listing.albums(report, now: console.now(), cellCount: console.cellCount()) }
    }
}
