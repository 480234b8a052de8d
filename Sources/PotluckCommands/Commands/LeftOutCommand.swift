import ArgumentParser
import PotluckAPI
import PotluckClient

struct LeftOutCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "left-out",
        abstract: "List what laptops added after they were put out, or keep it.",
        discussion: ManPage.discussion(
            """
            What a laptop had added until it was put out (`potluck put-out`) stays, as far as the host knew of it. What it \
            added beside that or afterwards is in no album, also where a laptop that had not heard of it brings it along: \
            such photos are listed here, and where their bytes are they stay. If the laptop is let in again (`potluck \
            let-in`), they are in their albums again.

            --keep puts a photo into its album on every laptop, as added by this one; its bytes must be here. A photo is \
            named by its file name, or by its ID, of which the first six digits or more will do. Listing works with and \
            without an agent, keeping needs a running one.
            """,
            examples: [
                ("potluck left-out", "Everything that is left out."),
                ("potluck left-out \"Beach day\"", "What is left out of one album."),
                ("potluck left-out \"Beach day\" --keep IMG_0001.JPG", "Take one photo in."),
                ("potluck left-out --keep-all", "Take in everything that is here."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID; all albums without it.")
    var album: String?

    @Option(help: ArgumentHelp("Keep this photo, by its file name or ID; may be repeated.", valueName: "photo"))
    var keep: [String] = []

    @Flag(help: "Keep everything that is listed and whose bytes are here.")
    var keepAll = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if keepAll, !keep.isEmpty { throw ValidationError("Say either --keep or --keep-all.") }
        if !keep.isEmpty, album == nil { throw ValidationError("Name the album before --keep.") }
    }

    func run() async throws {
        if let album, !keep.isEmpty {
            let report = try await AgentClient(home: home().path).ask(
                RemovalOrder(.keep, album: album, photos: keep))
            return try show(report) { RemovalListing.done(report) }
        }
        if keepAll {
            let client = try AgentClient(home: home().path)
            let here = try await client.leftOut(album: album).leftOut.filter(\.here)
            return try await order(.keep, here.map { ($0.albumID, $0.id) }, client)
        }
        let report = try await ask { try await $0.leftOut(album: album) }
        try show(report) { RemovalListing.leftOut(report, now: console.now(), cellCount: console.cellCount()) }
    }
}
