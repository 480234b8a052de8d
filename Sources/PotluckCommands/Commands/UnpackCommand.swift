import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

struct UnpackCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "unpack",
        abstract: "Take in changes and photos from a stick.",
        discussion: ManPage.discussion(
            """
            Takes in what `potluck pack` has written on another laptop of the same gathering: all changes that this \
            laptop lacks, and the photos that it is missing. Everything is checked as if it came from that laptop \
            itself, and the pack is not changed. Works with and without an agent; the photos appear in the folder when \
            one runs.

            What was taken in stays if this is interrupted; say it again to go on. If part of the pack cannot be used, \
            the rest is taken in, and the exit status is 1.
            """,
            examples: [
                ("potluck unpack /media/stick/potluck", "Take in all that is new."),
                ("potluck unpack /media/stick/potluck --json | jq .photos", "How many photos were taken in."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("The directory that was packed.", valueName: "dir"), completion: .directory)
    var directory: String

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !directory.isEmpty else { throw ValidationError("Say where the pack is.") }
    }

    func run() async throws {
        let report = try await unpack(try home())
        console.live.clear()
        try show(report) { PackListing.unpacked(report, now: console.now()) }
        if report.isDamaged { throw PackListing.damaged(report) }
    }

    private func unpack(_ home: HomeLocation) async throws -> UnpackReport {
        let console = console
        let path = FilePaths.absolute(directory, from: console.directory)
        let progress: @Sendable (AddProgress) async -> Void = { progress in
            console.progress?.show(
                "Unpacking: \(Phrases.grouped(progress.done)) of \(Phrases.count(progress.total, "file"))")
        }
        defer { console.live.clear() }
        do {
            return try await AgentClient(home: home.path).ask(UnpackRequest(directory: path), progress: progress)
        } catch let error as PotluckError where error.status == .notRunning {
            guard HomeSetup.hasGathering(home: home.path) else { throw home.noGathering }
            return try await OfflinePack.unpack(home: home.path, directory: path, progress: progress)
        }
    }
}
