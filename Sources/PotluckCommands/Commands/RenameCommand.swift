import AlbumModel
import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

struct RenameCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Call this laptop something else, or an album.",
        discussion: ManPage.discussion(
            """
            With one name, this laptop is called so from now on, on every laptop: what it added is listed under the new \
            name. Works with and without an agent; without one the others learn it once one runs. Files that stand in a \
            folder beside one of the same name keep the laptop's former name. Where an album is called so, --laptop says \
            that the laptop is meant.

            With an album and a name it does what `potluck album rename` does, which needs a running agent.
            """,
            examples: [
                ("potluck rename Grandma", "Call this laptop Grandma."),
                ("potluck rename \"Beach dya\" \"Beach day\"", "Mend an album's name."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "What this laptop is called; where another name follows, the album that gets that one.")
    var name: String

    @Argument(help: ArgumentHelp("The name that the album gets.", valueName: "album-name"))
    var albumName: String?

    @Flag(help: "This laptop is meant, also where an album is called so.")
    var laptop = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let albumName {
            guard !laptop else { throw ValidationError("--laptop goes with one name.") }
            return try NameCheck.album(albumName)
        }
        guard name.contains(where: { !$0.isWhitespace }) else { throw ValidationError("The laptop needs a name.") }
    }

    func run() async throws {
        if let albumName { return try await renameAlbum(name, to: albumName) }
        if !laptop { try await refuseAlbum() }
        let report = try await renameDevice()
        try show(report) {
            let time = report.isTold ? ", on every laptop" : "; the others learn it later, when an agent runs here"
            let change =
                report.device == report.formerName ? " already." : " now, no longer “\(report.formerName)”\(time)."
            let warning =
                report.isTaken
                ? "Another laptop is called so, too: nobody can tell the two apart by their names.\n" : ""
            return PrintableText.line("This laptop is called “\(report.device)”\(change)") + "\n" + warning
        }
    }

    private func renameDevice() async throws -> DeviceNameReport {
        let home = try home()
        do {
            return try await AgentClient(home: home.path).ask(DeviceNameRequest(device: name))
        } catch let error as PotluckError where error.status == .notRunning {
            var report = try HomeSetup.rename(home: home.path, device: name)
            report.isTaken = try await OfflineListings(home: home.path).peers().hasLaptop(named: report.device)
            return report
        }
    }

    /// Who names an album alone has forgotten its new name.
    private func refuseAlbum() async throws {
        let albums = try await ask { try await $0.albums() }.albums
        let key = AlbumName.key(name)
        guard albums.contains(where: { AlbumName.key($0.name) == key && $0.photos > 0 }) else { return }
        throw PotluckError(
            .usage,
            "“\(name)” is an album: `potluck album rename` gives it another name. To call this laptop so, say --laptop as well."
        )
    }
}
