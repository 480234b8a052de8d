import ArgumentParser
import PotluckAPI
import PotluckClient

/// Whole albums.
struct AlbumCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "album",
        abstract: "Rename a whole album, or take all photos out of it.",
        discussion: ManPage.discussion(
            """
            An album is made by its first photo (`potluck add`, or a new directory in the folder), and is no longer listed \
            when its last one has gone. `potluck albums` lists them, `potluck move` makes one of two.
            """,
            examples: [
                ("potluck album rename \"Beach dya\" \"Beach day\"", "Mend a name."),
                ("potluck album remove \"Tests\"", "Take all photos out."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]),
        subcommands: [AlbumRenameCommand.self, AlbumRemoveCommand.self])

    @OptionGroup var common: CommonOptions

    func run() async throws {
        throw PotluckError(.usage, "Say `potluck album rename` or `potluck album remove`; `potluck albums` lists them.")
    }
}

struct AlbumRenameCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give an album another name.",
        discussion: ManPage.discussion(
            """
            The album has the name on every laptop, whoever made it, and so has its directory in each folder soon after; \
            renaming the directory instead renames the album as well. Needs a running agent.
            """,
            examples: [("potluck album rename \"Beach dya\" \"Beach day\"", "Mend a name.")],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Argument(help: "The name that it gets.")
    var name: String

    @OptionGroup var common: CommonOptions

    func validate() throws { try NameCheck.album(name) }

    func run() async throws { try await renameAlbum(album, to: name) }
}

struct AlbumRemoveCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take all photos out of an album.",
        discussion: ManPage.discussion(
            """
            Does what `potluck remove ALBUM --all` does, after a question on the terminal; --yes answers it. Photos that \
            this laptop added leave the album on every laptop. Those that somebody else added are hidden on this laptop \
            only; with --for-everyone they leave it everywhere. Every laptop keeps them in its trash for 30 days in which \
            its agent runs: `potluck restore ALBUM` brings them back. Needs a running agent.
            """,
            examples: [
                ("potluck album remove Tests", "Take out yours, and hide the others."),
                ("potluck album remove Tests --for-everyone --yes", "Take out all, without a question."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The album's name or ID.")
    var album: String

    @Flag(help: "Take them from the album on every laptop, whoever added them.")
    var forEveryone = false

    @Flag(help: "Ask nothing before.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await removeAll(of: album, forEveryone ? .removeForEveryone : .remove, isMeant: yes)
    }
}

enum NameCheck {
    /// - Throws: what the parser tells a person who names no album.
    static func album(_ name: String) throws {
        guard name.contains(where: { !$0.isWhitespace }) else { throw ValidationError("The album needs a name.") }
    }
}

extension PotluckSubcommand {
    func renameAlbum(_ album: String, to name: String) async throws {
        let report = try await AgentClient(home: home().path).ask(RenameRequest(album: album, name: name))
        try show(report) {
            PrintableText.line("“\(report.formerName)” is called “\(report.album)” now, on every laptop.") + "\n"
        }
    }
}
