import ArgumentParser
import PotluckAPI
import PotluckAgent

struct BackupCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy everything that this laptop keeps to another disk.",
        discussion: ManPage.discussion(
            """
            Makes a copy of the home, of one moment, in a directory: journal, photos and settings, while the agent runs or \
            not. The second time only what is new is copied; what this laptop has no longer stays in the backup. Every file \
            is read back after it was written. `potluck restore DIR` makes a home of it again.

            The backup holds the key of this laptop and the phrase of the gathering: keep it where only you can read it. \
            The folder is not copied, since its photos are in the home.
            """,
            examples: [
                ("potluck backup /media/stick/potluck-backup", "Make a backup, or bring it up to date."),
                ("potluck backup /media/stick/potluck-backup --check", "Also read the photos that it has already."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(
        help: ArgumentHelp("Where to: a directory that is new, empty, or an earlier backup.", valueName: "dir"),
        completion: .directory)
    var directory: String

    @Flag(name: .long, help: "Read what earlier backups left as well, and copy again what is damaged there.")
    var check = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !directory.isEmpty else { throw ValidationError("Say where the backup is to go.") }
    }

    func run() async throws {
        let console = console
        let path = FilePaths.absolute(directory, from: console.directory)
        let line = progressLine("Copying")
        let report = try await Backup.make(home: home().path, directory: path, check: check) { line.show($0) }
        line.clear()
        try show(report) { BackupListing.made(report) }
        guard report.missing.isEmpty else {
            let count = Phrases.count(report.missing.count, "file")
            throw PotluckError(
                .failed,
                "\(count) could not be copied. `potluck verify --repair` mends what can be mended; then back up again.")
        }
    }
}
