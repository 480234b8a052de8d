import ArgumentParser
import Logging
import PotluckAPI
import SyncEngine
import Testing

@testable import PotluckCommands

/// What arguments are understood, and what is said of others.
@Suite(.timeLimit(.minutes(1))) struct ParsingTests {
    static let commandNames = PotluckCommand.configuration.subcommands.compactMap { $0.configuration.commandName }

    /// Shows that the commands are those that are promised.
    @Test func allCommandsAreThere() {
        #expect(
            Set(Self.commandNames)
                == [
                    "host", "join", "invite", "up", "down", "albums", "photos", "search", "add", "tag", "tags",
                    "caption", "favourite", "cover", "clock", "export", "verify", "backup", "restore", "peers",
                    "status", "events", "originals", "fetch", "pause", "resume", "limit", "leave-check", "pack",
                    "unpack", "move", "copy", "rename", "remove", "trash", "hidden", "unhide", "confirm", "undo",
                    "open", "guests", "phones", "doctor", "album", "gatherings", "hosts", "new-phrase", "put-out",
                    "let-in", "left-out", "folder",
                ])
    }

    /// Shows that each command's help has what a manual page has, on standard output, with 0, in both spellings.
    @Test(arguments: commandNames)
    func everyCommandHasAManualPage(name: String) async {
        for help in [await run(name, "--help"), await run("help", name)] {
            #expect(help.status == 0)
            #expect(help.errors.isEmpty)
            for part in [
                "OVERVIEW: ", "EXAMPLES:\n  potluck \(name)", "EXIT STATUS:\n  0   Done.", "  64  Wrong usage.",
                "USAGE: potluck \(name)", "--home <dir>", "--json",
            ] {
                #expect(help.output.contains(part), "\(name) lacks \(part)")
            }
        }
    }

    /// Shows that each command that is asked for JSON says what is wrong in JSON.
    @Test(arguments: commandNames)
    func everyCommandComplainsInJSON(name: String) async {
        let outcome = await run(name, "--json", "--frob")
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix(#"{"error":{"code":"usage","message":""#))
        #expect(outcome.errors.hasSuffix("\"}}\n"))
    }

    /// Shows that wrong arguments end with 64 and one sentence on standard error that names the help to read.
    @Test(arguments: [
        ([], "potluck --help"), (["frobnicate"], "“frobnicate”"), (["albms"], "`potluck albums`"),
        (["--home", "/x", "frobnicate"], "“frobnicate”"), (["albums", "--frob"], "`potluck albums --help`"),
        (["albums", "extra"], "`potluck albums --help`"), (["photos"], "`potluck photos --help`"),
        (["photos", "a", "b"], "`potluck photos --help`"), (["add", "Album"], "`potluck add --help`"),
        (["join"], "`potluck join --help`"), (["host", " "], "needs a name"), (["host", "X", "--as", ""], "--as"),
        (["up", "--peer", "laptop"], "HOST:PORT"), (["up", "--listen", "4711"], "ADDR:PORT"),
        (["photos", "--taken-after", "yesterday"], "no date"),
        (["photos", "A", "--type", "gif"], "photo, video, live, motion and raw"),
        (["photos", "--taken-after", "2026-08-02", "--taken-before", "2026-08-01"], "Nothing was taken"),
        (["search"], "`potluck search --help`"), (["search", "?!"], "letter or digit"),
        (["tag", "A", "b.jpg"], "Name a tag"), (["tag", "A", "b.jpg", " "], "must not be empty"),
        (["caption", "A", "b.jpg", "text", "--clear"], "--clear"), (["caption", "A", "b.jpg", ""], "--clear"),
        (["favourite", "A"], "`potluck favourite --help`"), (["favorit"], "`potluck favorite`"),
        (["cover", "A", "b.jpg", "--clear"], "--clear"), (["clock", "A", "--set", "soon"], "no amount of time"),
        (["clock", "A", "--set", "--5"], "no amount of time"), (["clock", "A", "--set", "99999999999999"], "hundred"),
        (["up", "--log-level", "loud"], "--log-level"), (["status", "--home"], "--home"),
        (["move", "A", "b.jpg"], "--to"), (["move", "A", "--to", "B"], "--all"),
        (["copy", "A", "b.jpg", "--to", " "], "name"),
        (["rename"], "`potluck rename --help`"), (["rename", " "], "needs a name"),
        (["rename", "A", " "], "needs a name"), (["rename", "A", "B", "--laptop"], "--laptop"),
        (["album"], "`potluck album rename`"), (["album", "rename", "A"], "`potluck album --help`"),
        (["album", "rename", "A", " "], "needs a name"),
        (["gatherings", "nonsense"], "`potluck gatherings --help`"),
        (["up", "--standard-home", "--home", "/x"], "--standard-home"),
        (["help", "nonsense"], "“nonsense”"), (["help", "albms"], "`potluck albums`"),
        (["--home", "/x", "help", "guests", "nonsense"], "“nonsense”"),
    ])
    func wrongArgumentsAreWrongUsage(arguments: [String], part: String) async {
        let console = TestConsole()
        let status = await PotluckCommandLine.run(
            arguments, console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
        let outcome = console.outcome(status)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("potluck: "))
        #expect(outcome.errors.contains(part), "\(outcome.errors)")
        #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
    }

    /// Shows that the version is told, and that `help` knows what commands there are below others.
    @Test func versionAndNestedHelp() async {
        let version = await run("--version")
        #expect(version.status == 0 && version.errors.isEmpty)
        #expect(version.output.hasPrefix("Potluck 1.") && version.output.filter { $0 == "\n" }.count == 1)
        for words in [["help", "guests", "revoke"], ["help", "help"], ["help"]] {
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                words, console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
            #expect(status == 0, "\(words)")
        }
    }

    /// Shows that the common options may stand before the command, after it, and after its arguments.
    @Test(arguments: [
        ["--home", "/h", "--json", "photos", "Beach day"], ["photos", "--home", "/h", "--json", "Beach day"],
        ["photos", "Beach day", "--json", "--home=/h"], ["--json", "photos", "Beach day", "--home", "/h"],
    ])
    func commonOptionsStandAnywhere(arguments: [String]) async throws {
        let command = try #require(try await PotluckCommand.asyncParseAsRoot(arguments) as? PhotosCommand)
        #expect(command.album == "Beach day")
        #expect(command.common.home == "/h")
        #expect(command.common.json)
    }

    /// Shows the options of `up`.
    @Test func upTakesItsOptions() async throws {
        let arguments = [
            "up", "--folder", "pics", "--listen", ":4711", "--peer", "10.0.0.1:1", "--peer", "[fe80::1%2]:2",
            "--no-discovery", "--log-level", "DEBUG",
        ]
        let command = try #require(try await PotluckCommand.asyncParseAsRoot(arguments) as? UpCommand)
        #expect(command.folder == "pics")
        #expect(command.listen?.port == 4711)
        #expect(command.peers.map(\.host) == ["10.0.0.1", "fe80::1%2"])
        #expect(command.discovery == false)
        #expect(command.common.logLevel?.level == .debug)
    }

    /// Shows that a phrase may be several arguments.
    @Test func aPhraseMayBeSeveralArguments() async throws {
        let arguments = ["join", "LUSAB", "babad", "gutih", "tugad", "kabok", "--as", "Ben"]
        let command = try #require(try await PotluckCommand.asyncParseAsRoot(arguments) as? JoinCommand)
        #expect(command.words == ["LUSAB", "babad", "gutih", "tugad", "kabok"])
        #expect(command.device == "Ben")
    }
}
