import AlbumModel
import ArgumentParser
import PotluckAPI
import PotluckClient

struct ClockCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Find cameras whose clock was wrong, and set their photos right.",
        discussion: ManPage.discussion(
            """
            Compares the cameras of an album by the moments that several of them photographed, and by photos that have \
            GPS time, and says what should be added to the clock of each. Works with and without an agent.

            --apply stores what is proposed, for everyone: photos are then listed at the corrected time. The files \
            keep their bytes. What is proposed always counts from what the camera showed, so it can be applied again. \
            Storing needs a running agent.

            A camera is one in one person's hands: the same model on two laptops is two cameras.
            """,
            examples: [
                ("potluck clock \"Beach day\"", "Compare, and propose."),
                ("potluck clock \"Beach day\" --apply", "Store all that is proposed."),
                ("potluck clock \"Beach day\" --camera \"anna eos\" --set 3725", "Store an amount that you know."),
                ("potluck clock \"Beach day\" --camera \"anna eos\" --set 0", "Take it back."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Flag(help: "Store what is proposed.")
    var apply = false

    @Option(
        help: ArgumentHelp(
            "Only cameras whose owner, make, model and serial number contain these words.", valueName: "words"))
    var camera: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Store this amount for the one camera that is meant: seconds, or h:mm:ss; negative where its clock was ahead.",
            valueName: "seconds"),
        transform: ClockCommand.amount)
    var set: Int64?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard apply || set != nil else {
            let report = try await ask { try await $0.clocks(album: album, camera: camera) }
            return try show(report) { ClockListing.text(report) }
        }
        let edit = ClockEdit(album: album, camera: camera, seconds: set)
        let report = try await AgentClient(home: home().path).ask(edit)
        try show(report) { ClockListing.applied(report) }
    }

    /// Reads `3725`, `-3725` and `+1:02:05`.
    static func amount(_ text: String) throws -> Int64 {
        let isSigned = text.hasPrefix("-") || text.hasPrefix("+")
        let parts = text.dropFirst(isSigned ? 1 : 0).split(separator: ":", omittingEmptySubsequences: false)
        // The parser would take a second sign.
        let numbers = parts.compactMap { $0.allSatisfy { ("0"..."9").contains($0) } ? Int64($0) : nil }
        let isClock = numbers.count == 3 && numbers.dropFirst().allSatisfy { $0 < 60 }
        guard numbers.count == parts.count, numbers.count == 1 || isClock else {
            throw ValidationError("“\(text)” is no amount of time; write seconds, such as 3725, or 1:02:05.")
        }
        let limit = CatalogLimits.clockSeconds.upperBound
        let seconds = numbers.reduce(0) { min($0, limit) * 60 + min($1, limit + 1) }
        guard seconds <= limit else { throw ValidationError("A clock is not set by more than a hundred years.") }
        return text.hasPrefix("-") ? -seconds : seconds
    }
}
