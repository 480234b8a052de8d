import ArgumentParser
import NIOPosix
import PotluckAPI
import PotluckAgent
import PotluckClient

struct FolderCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "Say where the photos' folder is, or move it.",
        discussion: ManPage.discussion(
            """
            Without a directory it prints where the folder is. With one, the folder is moved there, with all that is in it, \
            and `potluck.toml` names it from then on. On the same disk that takes a moment. To another disk every file is \
            copied and read back before the first is deleted; links, and what other programs change meanwhile, stay.

            A folder that you moved by yourself is found by its file .potluck-folder: say where it is now.

            The new place must be a directory that is new or empty. An agent must not run: `potluck down` first, \
            `potluck up` after it. Where it is interrupted, no photo is lost, and the folder is where it was.
            """,
            examples: [
                ("potluck folder", "Print where the folder is."),
                ("potluck folder ~/Pictures/Reunion", "Move it there."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(
        help: ArgumentHelp("Where the folder is to be, or where you moved it.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    @OptionGroup var common: CommonOptions

    private struct Place: Encodable {
        var folder: String
    }

    func validate() throws {
        guard directory?.isEmpty != true else { throw ValidationError("Say where the folder is to be.") }
    }

    func run() async throws {
        let settings = try Settings(.init(), home: home(), console: console)
        guard let directory else { return try await showPlace(settings) }
        guard console.environment[SettingName.folder.variable]?.isEmpty != false else {
            throw PotluckError(
                .badSetting,
                "The folder is \(settings.folder) by \(SettingName.folder.variable): move it, and change that.")
        }
        let (home, folder) = (try home().path, FilePaths.absolute(directory, from: console.directory))
        let change = try FolderSetting(folder, home: home)
        let line = progressLine("Copying")
        let report = try await NIOThreadPool.singleton.runIfActive {
            var move = try HomeFolderMove(home: home, to: folder, settled: settings.folder)
            try move.run { line.show($0) }
            line.clear()
            try change.write()
            return try move.finish()
        }
        try show(report) { FolderListing.moved(report) }
    }

    private func showPlace(_ settings: Settings) async throws {
        var folder = settings.folder
        do {
            folder = try await AgentClient(home: home().path).status(skipped: false, all: false).folder ?? folder
        } catch let error as PotluckError where error.status == .notRunning {
            // The next agent's.
        }
        try show(Place(folder: folder)) { PrintableText.line(folder) + "\n" }
    }
}
