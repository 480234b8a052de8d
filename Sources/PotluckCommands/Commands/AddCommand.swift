import ArgumentParser
import PotluckAPI
import PotluckClient

struct AddCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Contribute photos without putting them into the folder.",
        discussion: ManPage.discussion(
            """
            The files stay where they are; the album is made if there is none of that name. Of a directory, all photos and \
            videos in it and in those below are added; what else is there is left out and listed. Needs a running agent. If \
            some files could not be added, those that could are reported, and the exit status is 1.
            """,
            examples: [
                ("potluck add \"Beach day\" ~/DCIM/*.JPG", "Add some photos of a directory to an album."),
                ("potluck add \"Beach day\" ~/DCIM", "Add all that is in it."),
                ("potluck add Videos clip.mp4 --json", "Add one, and print its ID."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: ArgumentHelp("Files and directories.", valueName: "file"), completion: .file())
    var files: [String]

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard album.contains(where: { !$0.isWhitespace }) else { throw ValidationError("The album needs a name.") }
        guard !files.contains("") else { throw ValidationError("A file's name must not be empty.") }
    }

    func run() async throws {
        let console = console
        let paths = files.map { FilePaths.absolute($0, from: console.directory) }
        let report = try await AgentClient(home: home().path).ask(AddRequest(album: album, files: paths)) { progress in
            console.progress?.show("Adding: \(progress.done) of \(Phrases.count(progress.total, "file"))")
        }
        console.live.clear()
        guard !report.photos.isEmpty else { throw Self.nothingAdded(report) }
        try show(report) { Listing.added(report) }
        guard report.skipped.isEmpty else {
            let total = Phrases.count(report.photos.count + report.skipped.count, "file")
            throw PotluckError(.failed, "\(Phrases.grouped(report.skipped.count)) of \(total) not added.")
        }
    }

    private static func nothingAdded(_ report: AddReport) -> PotluckError {
        let reasons = (report.skipped + report.leftOut).map { "\($0.path): \($0.reason)" }
        guard let first = reasons.first else { return PotluckError(.failed, "Nothing was added: no photo is there.") }
        guard reasons.count > 1 else { return PotluckError(.failed, "Nothing was added. \(first)") }
        return PotluckError(.failed, "Nothing was added.\n" + Listing.shortened(reasons.map { "  \($0)" }))
    }
}
