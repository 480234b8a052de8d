import ArgumentParser
import PotluckAgent

struct RestoreCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a home of a backup.",
        discussion: ManPage.discussion(
            """
            DIR is what `potluck backup` made. The home is made anew with everything that was in it, and every photo is \
            checked while it is copied. The laptop is a member of its gathering again, under the same name; what the \
            others did since the backup comes by itself once the agent runs. An interrupted restore is gone on with when \
            it is run again.

            The home must have no gathering yet. The folder is filled by the agent.
            """,
            examples: [
                ("potluck restore /media/stick/potluck-backup", "Make this laptop's home of a backup."),
                ("potluck restore /media/stick/potluck-backup --home /data/potluck", "Make another home of it."),
            ],
            statuses: [.failed, .tryAgain, .badSetting]))

    @Argument(help: ArgumentHelp("The backup.", valueName: "dir"), completion: .directory)
    var directory: String

    @OptionGroup var common: CommonOptions

    func run() async throws { try await restoreBackup(from: directory) }
}
