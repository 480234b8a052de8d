import ArgumentParser
import PotluckAPI

/// `potluck` itself, which does nothing without a subcommand.
struct PotluckCommand: AsyncParsableCommand {
    /// Rises with each release.
    static let number = "1.0"

    static let configuration = CommandConfiguration(
        commandName: "potluck",
        abstract: "Share photos with everyone in the room, from laptop to laptop.",
        discussion: ManPage.discussion(
            """
            One laptop starts a gathering, the others join it with its phrase. Each runs an agent with `potluck up`. \
            Whatever anyone puts into the folder (~/Pictures/Potluck, a subfolder for each album) appears in the folder \
            of all others. There is no account and no server, and no internet is needed.
            """,
            examples: [
                ("potluck host \"Kuh reunion\"", "Start a gathering on the first laptop; prints its phrase."),
                ("potluck join lusab-babad-gutih-tugad-kabok", "Enter it on another laptop."),
                ("potluck up", "Run the agent."),
                ("potluck status", "See what is on its way, and what only this laptop has."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]),
        version: "Potluck \(number)",
        groupedSubcommands: [
            CommandGroup(
                name: "Gathering",
                subcommands: [
                    HostCommand.self, JoinCommand.self, InviteCommand.self, HostsCommand.self, NewPhraseCommand.self,
                    PutOutCommand.self, LetInCommand.self, GatheringsCommand.self,
                ]),
            CommandGroup(
                name: "Agent",
                subcommands: [UpCommand.self, DownCommand.self, FolderCommand.self, RenameCommand.self]),
            CommandGroup(
                name: "Browsers and phones", subcommands: [OpenCommand.self, PhonesCommand.self, GuestsCommand.self]),
            CommandGroup(
                name: "Photos",
                subcommands: [
                    AlbumsCommand.self, PhotosCommand.self, SearchCommand.self, AddCommand.self, MoveCommand.self,
                    CopyCommand.self, AlbumCommand.self, ExportCommand.self,
                ]),
            CommandGroup(
                name: "Removing and bringing back",
                subcommands: [
                    RemoveCommand.self, RestoreCommand.self, TrashCommand.self, HiddenCommand.self,
                    UnhideCommand.self, LeftOutCommand.self, ConfirmCommand.self, UndoCommand.self,
                ]),
            CommandGroup(
                name: "What comes",
                subcommands: [
                    OriginalsCommand.self, FetchCommand.self, PauseCommand.self, ResumeCommand.self, LimitCommand.self,
                ]),
            CommandGroup(
                name: "Words and order",
                subcommands: [
                    TagCommand.self, TagsCommand.self, CaptionCommand.self, FavouriteCommand.self, CoverCommand.self,
                    ClockCommand.self,
                ]),
            CommandGroup(name: "Without a network", subcommands: [PackCommand.self, UnpackCommand.self]),
            CommandGroup(
                name: "Safety", subcommands: [VerifyCommand.self, BackupCommand.self]),
            CommandGroup(
                name: "State",
                subcommands: [
                    StatusCommand.self, LeaveCheckCommand.self, PeersCommand.self, EventsCommand.self,
                    DoctorCommand.self,
                ]),
        ])

    /// Here too, so that the common options may stand before the command's name.
    @OptionGroup var common: CommonOptions
}
