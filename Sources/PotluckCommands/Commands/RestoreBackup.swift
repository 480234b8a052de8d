import PotluckAPI
import PotluckAgent

extension PotluckSubcommand {
    /// Whether a directory holds what `potluck backup` made.
    static func isBackup(_ directory: String) -> Bool { BackupManifest.isPresent(in: directory) }

    /// Makes this command's home of a backup, and says what came of it.
    ///
    /// - Parameter directory: as a person wrote it.
    /// - Throws: ``PotluckError``; `.failed` as well where some photos of the backup are damaged.
    func restoreBackup(from directory: String) async throws {
        let console = console
        let home = try home()
        let line = progressLine("Restoring")
        let report = try await Restore.run(
            directory: FilePaths.absolute(directory, from: console.directory), home: home.path
        ) { line.show($0) }
        line.clear()
        home.remember(console)
        try show(report) { BackupListing.restored(report, now: console.now()) }
        guard report.missing.isEmpty else {
            let count = Phrases.count(report.missing.count, "file")
            throw PotluckError(
                .failed, "\(count) of the backup could not be restored; the agent asks the other laptops for them.")
        }
    }
}
