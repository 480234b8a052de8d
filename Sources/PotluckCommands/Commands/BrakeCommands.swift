import ArgumentParser
import PotluckAPI
import PotluckClient

struct ConfirmCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Say that files of the folder that wait for your word were meant to go or to change.",
        discussion: ManPage.discussion(
            """
            Where many files of the folder vanish or change at once, all files of a directory vanish, or any vanished while \
            the agent did not run, nothing is removed or replaced until you decide; `potluck status` says what was seen. \
            This command says that it was meant: photos of this laptop leave their albums and go to the trash, those of \
            others are hidden here. It lists these files first, and counts for them alone: what goes or changes meanwhile \
            waits for a second word. `potluck undo` says the opposite.

            Where nothing waits, it gives up disks in the folder that are not there any more, or that another disk has \
            taken the place of: from then on the folder is what it is without them. Photos that were on them wait for a \
            second word. Needs a running agent. Just after a start it waits up to 20 seconds until the folder has been \
            looked through.
            """,
            examples: [
                ("potluck confirm", "It was meant."),
                ("potluck status", "See what waits."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let client = try AgentClient(home: home().path)
        let seen = try await client.ask(HeldRequest()).held
        if let seen, !common.json { try console.write(RemovalListing.waiting(seen)) }
        let report = try await client.ask(DecideRequest(.confirm, version: seen?.version))
        try show(report) { RemovalListing.confirmed(report, seen: seen) }
    }
}

struct UndoCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Put back files that went from the folder, or changed, by mistake.",
        discussion: ManPage.discussion(
            """
            Where many files of the folder vanish or change at once, all files of a directory vanish, or any vanished while \
            the agent did not run, nothing is removed or replaced until you decide; `potluck status` says what was seen. \
            This command says that it was a mistake: the files are put back as they were, and a file that took the name of \
            one is kept beside it. `potluck confirm` says the opposite. Needs a running agent; where nothing waits it does \
            nothing. Just after a start it waits up to 20 seconds until the folder has been looked through.
            """,
            examples: [
                ("potluck undo", "Put the files back."),
                ("potluck status", "See what waits."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(DecideRequest(.undo))
        try show(report) { RemovalListing.undone(report) }
    }
}
