import ArgumentParser
import PotluckAPI
import PotluckAgent
import PotluckClient

/// Several homes, each with a gathering.
struct GatheringsCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "gatherings",
        abstract: "List the gatherings that this laptop is in; switch between them, leave and forget them.",
        discussion: ManPage.discussion(
            """
            A home holds one gathering: journal, photos and this laptop's identity there. The first is in \
            ~/.local/share/potluck; `potluck host` and `potluck join` with --home DIR make others, which are remembered \
            in ~/.local/share/potluck-homes (not those below /tmp). Each has its own folder and its own agent.
            """,
            examples: [
                ("potluck gatherings", "All of them at one glance."),
                ("potluck join PHRASE --home ~/potluck-club", "Be in a second one."),
                ("potluck gatherings switch \"Rowing club\"", "Commands work on this one from now on."),
                ("potluck gatherings leave \"Kuh reunion\"", "Share nothing there any more, and keep the photos."),
                ("potluck gatherings forget \"Kuh reunion\" --dry-run", "See what would be moved and deleted."),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]),
        subcommands: [
            GatheringsListCommand.self, GatheringsSwitchCommand.self, GatheringsLeaveCommand.self,
            GatheringsForgetCommand.self,
        ],
        defaultSubcommand: GatheringsListCommand.self)

    @OptionGroup var common: CommonOptions
}

struct GatheringsListCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the gatherings that this laptop is in.",
        discussion: ManPage.discussion(
            """
            For each home: its gathering, this laptop's name there, whether its agent runs, how many photos are missing and \
            how many are on this laptop alone. A home is `away` where its disk is not mounted, and `unreadable` where it \
            cannot be looked at now. Works with and without agents.
            """,
            examples: [
                ("potluck gatherings", "All of them."),
                ("potluck gatherings list --json | jq -r '.gatherings[].home'", "Their homes, for a script."),
            ],
            statuses: [.failed, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await GatheringHomes(option: common.home, console: console).report()
        try show(report) { GatheringsText.list(report, cellCount: console.cellCount()) }
    }
}

struct GatheringsSwitchCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "switch",
        abstract: "Choose the gathering that commands work on.",
        discussion: ManPage.discussion(
            """
            Commands without --home, and without POTLUCK_HOME, work on that home from now on, `potluck up` and the icon as \
            well. An agent that runs goes on in its own home: stop it with `potluck down --home DIR`, or let both run. The \
            agent that systemd's unit starts at login is always that of the standard home.
            """,
            examples: [
                ("potluck gatherings switch \"Rowing club\"", "By the gathering's name."),
                ("potluck gatherings switch ~/potluck-club", "By its home."),
            ],
            statuses: [.failed, .notFound, .badSetting]))

    @Argument(help: "The gathering's name, or the path of its home.")
    var gathering: String

    @OptionGroup var common: CommonOptions

    private struct Report: Encodable {
        var home: String
    }

    func run() async throws {
        let homes = try GatheringHomes(option: common.home, console: console)
        let home = try await homes.find(gathering, isSure: false)
        let former = await homes.look(at: homes.current.path)
        let isStandard = FilePaths.isSame(home, homes.standard.path)
        try KnownHomes.choose(isStandard ? nil : home, in: HomeLocation.dataDirectory(console.environment))
        try show(Report(home: home)) {
            var text = "Commands work on the home \(home) now.\n"
            if console.environment[SettingName.homeVariable]?.isEmpty == false {
                text += "POTLUCK_HOME is set in this terminal, and beats that.\n"
            }
            if former.state == .running, !FilePaths.isSame(former.home, home) {
                text +=
                    "The agent of \(former.home) goes on: `potluck down --home \(FilePaths.quoted(former.home))` stops it.\n"
            }
            if !isStandard {
                text +=
                    "At login only the agent of the standard home is started; `potluck up` runs the one of this home.\n"
            }
            return PrintableText.lines(text)
        }
    }
}

struct GatheringsLeaveCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Take part in a gathering no longer, and keep the photos.",
        discussion: ManPage.discussion(
            """
            Says first what is on this laptop alone, as `potluck leave-check` does, and asks; --yes answers. Then the agent \
            stops, and no other one runs in that home. All photos stay where they are, on this laptop and on the others; \
            albums can still be listed and exported. `potluck join` with the same phrase takes part again, under the same \
            name.

            Where photos are on this laptop alone, --yes is not enough: the others will never have them. The same goes for \
            files in the folder that no agent has looked at. --last-copies says that this is meant.
            """,
            examples: [
                ("potluck gatherings leave", "Leave the one that commands work on."),
                ("potluck leave-check --wait && potluck gatherings leave --yes", "Leave once nothing can be lost."),
            ],
            statuses: [.failed, .notFound, .tryAgain, .badSetting]))

    @Argument(help: "The gathering's name, or the path of its home; without it, the one that commands work on.")
    var gathering: String?

    @Flag(help: "Ask nothing.")
    var yes = false

    @Flag(help: "Leave although photos are on this laptop alone.")
    var lastCopies = false

    @OptionGroup var common: CommonOptions

    private struct Report: Encodable {
        var home: String
        var alone: StatusReport.Amount
    }

    func run() async throws {
        let home = try await homePath()
        guard HomeSetup.hasGathering(home: home) else { throw HomeSetup.noGathering(home: home) }
        if try HomeSetup.hasLeft(home: home) { throw PotluckError(.failed, "This laptop left that gathering before.") }
        let check = try await leaveCheck(home)
        // As long as an agent looks through its folder, and without one, nobody knows what is there alone.
        guard check.safe || check.alone.photos > 0 || lastCopies else {
            throw PotluckError(.tryAgain, LeaveListing.verdict(check))
        }
        try await Farewell(console: console, isMeant: yes, takesLastCopies: lastCopies).ask(
            Self.remains(check, home: home), alone: check.alone.photos,
            question: "Leave? The agent of this home stops, and no photo is deleted.")
        try await stop(home)
        try HomeSetup.leave(home: home, now: console.now())
        try show(Report(home: home, alone: check.alone)) {
            PrintableText.line(
                "Left: no agent runs in \(home) any more. `potluck join --home \(FilePaths.quoted(home))` takes part again."
            )
                + "\n"
        }
    }

    private func homePath() async throws -> String {
        guard let gathering else { return try home().path }
        return try await GatheringHomes(option: common.home, console: console).find(gathering, isSure: true)
    }

    private func leaveCheck(_ home: String) async throws -> LeaveReport {
        do {
            return try await AgentClient(home: home).leaveCheck(others: 1)
        } catch let error as PotluckError where error.status == .notRunning {
            let listings = try await OfflineListings(home: home)
            var check = try await listings.leaveCheck(others: 1)
            if check.safe, let folder = try await listings.status(skipped: false, all: false).folder {
                check.safe = false
                check.obstacles.append(
                    "No agent runs, so nobody knows whether the folder \(folder) has files that are not shared yet. Nothing was changed: start `potluck up` first, or say --last-copies if that is meant."
                )
            }
            return check
        }
    }

    private static func remains(_ check: LeaveReport, home: String) -> String {
        let here = "The home \(home) has \(Phrases.count(check.here.photos, "photo"))."
        let alone =
            check.alone.photos == 0
            ? "Each that was shared is known to be on another laptop, too."
            : "\(Phrases.amount(check.alone, "photo")), on this laptop alone."
        return "\(here) \(alone)\n"
    }

    private func stop(_ home: String) async throws {
        do {
            try await AgentClient(home: home).down()
        } catch let error as PotluckError where error.status == .notRunning {
            return
        }
    }
}

/// What a person is told and asked before a home is left.
struct Farewell {
    let console: Console
    /// Nothing is asked.
    let isMeant: Bool
    let takesLastCopies: Bool

    /// - Parameters:
    ///   - remains: what is there, in whole lines.
    ///   - alone: how many photos no other laptop is known to have.
    /// - Throws: ``PotluckError`` unless the person means it.
    func ask(_ remains: String, alone: Int, question: String) async throws {
        if alone > 0, !takesLastCopies {
            throw PotluckError(
                .tryAgain,
                "\(remains)\(Phrases.count(alone, "photo")) would be on no laptop of the gathering. Nothing was changed: let `potluck up` and `potluck leave-check --wait` copy them first, or say --last-copies if that is meant."
            )
        }
        if !isMeant { try await console.confirm(remains, question: question) }
    }
}

extension Console {
    /// Has the person say that they mean what is said of a home.
    ///
    /// - Parameter remains: what is there, in whole lines.
    /// - Throws: ``PotluckError`` unless they do.
    func confirm(_ remains: String, question: String) async throws {
        guard canAsk else { throw PotluckError(.usage, "\(remains)Nothing was changed: say --yes as well.") }
        warn(PrintableText.lines(remains))
        guard try await isMeant(question) else { throw PotluckError(.failed, "Nothing was changed.") }
    }
}
