import AlbumModel
import ArgumentParser
import PotluckAPI
import PotluckClient

/// Lets people with phones in, by a link.
struct GuestsCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "guests",
        abstract: "Let phones in by a link, see who came, and show them out.",
        discussion: ManPage.discussion(
            """
            Guests need no Potluck: their phone's browser opens a link, which is printed here as a QR code too. They see \
            the photos, add their own and take photos home, at this laptop's door on the network. The door is closed until \
            `potluck guests on`, and stays open over restarts until `potluck guests off`.

            Links are this laptop's: a guest's personal link (“it's me again”) opens here alone, and what you let show on \
            the wall counts for this laptop's wall alone; those of other laptops do not wait for a tap here. A guest's page \
            that moves to another laptop may there what both laptops allow. `potluck guests revoke` counts everywhere.
            """,
            examples: [
                ("potluck guests on", "Open the door and print link and QR code."),
                ("potluck guests list", "Who came in."), ("potluck guests revoke Lena", "End what Lena may."),
                ("potluck guests off", "Close this laptop's door."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]),
        subcommands: [
            GuestsOnCommand.self, GuestsListCommand.self, GuestsRevokeCommand.self, GuestsOffCommand.self,
        ],
        defaultSubcommand: GuestsListCommand.self)

    @OptionGroup var common: CommonOptions
}

struct GuestsOnCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Open this laptop's door for guests, and print their link.",
        discussion: ManPage.discussion(
            """
            Said again it changes only what is named. Everybody on this network could read along: the pages have no \
            encryption of their own, since phones refuse such laptops.

            With --hide-places guests do not see where photos were taken, and what they take home are copies that do not \
            say it, as `potluck export --strip-place` makes them. Films lose their coordinates and names of places; tracks \
            that dash and action cameras record inside stay. Files that cannot be changed, and those over 512 MB, are not \
            given to guests then.
            """,
            examples: [
                ("potluck guests on", "Guests see all albums, and add photos."),
                ("potluck guests on --albums \"Beach day,Dinner\" --look-only", "They see these two, and add nothing."),
                ("potluck guests on --until 2026-08-17T12:00", "The link ends on Monday noon."),
                ("potluck guests on --json | jq -r .link", "The link alone."),
            ],
            statuses: [.failed, .usage, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Option(
        help: ArgumentHelp(
            "Names or IDs of the albums that guests see, with commas between; “all” for all.",
            valueName: "albums"))
    var albums: String?

    @Flag(inversion: .prefixedNo, help: "Guests may look, and add nothing. (default: no)")
    var lookOnly: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "What guests add here shows on this laptop's wall only after a tap of yours. (default: no)")
    var approve: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Guests learn nothing of where photos were taken, also not by what they take home. (default: no)")
    var hidePlaces: Bool?

    @Option(
        help: ArgumentHelp("When the link ends: YYYY-MM-DD, YYYY-MM-DDThh:mm, or “never”.", valueName: "time"),
        transform: { try GuestLinkEnd(parsing: $0) })
    var until: GuestLinkEnd?

    @Flag(help: "Make a new link; the old one opens nothing any more. Guests who are in stay in.")
    var renew = false

    @OptionGroup var invite: InviteOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var order = GuestDoorOrder(
            lookOnly: lookOnly, approve: approve, hidesPlaces: hidePlaces, renew: renew ? true : nil)
        order.albums = albums.map { list in
            list == "all" ? [] : list.split(separator: ",").map { AlbumName.trimmed(String($0)) }
        }
        switch until {
        case .never: order.forever = true
        case .at(let time): order.until = time
        case nil: break
        }
        let report = try await AgentClient(home: home().path).ask(order)
        try show(report) {
            let isWanted = invite.qr ?? console.outputIsTerminal
            let code = isWanted ? QRCode.text(report.link, isColoured: console.outputIsTerminal) : nil
            return GuestsText.link(report, code: code)
        }
    }
}

struct GuestsListCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the guests, and the link that lets them in.",
        discussion: ManPage.discussion(
            "Needs a running agent.", examples: [("potluck guests list", "Who came in.")],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(GuestsRequest())
        try show(report) { GuestsText.list(report, now: console.now(), cellCount: console.cellCount()) }
    }
}

struct GuestsRevokeCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Show a guest out, on all laptops.",
        discussion: ManPage.discussion(
            """
            The guest's pages end within a second, and the link is made anew, so that the old one lets nobody in. Photos \
            that the guest added stay; `potluck remove` takes them away. Where several guests fit, nobody is shown out.
            """,
            examples: [
                ("potluck guests revoke Lena", "End what Lena may."), ("potluck guests on", "See the new link."),
            ],
            statuses: [.failed, .notFound, .notRunning, .tryAgain, .badSetting]))

    @Argument(help: "The guest's name, or the beginning of the ID: four digits or more, that no other guest's ID has.")
    var guest: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await AgentClient(home: home().path).ask(RevokeRequest(guest: guest))
        try show(report) { GuestsText.list(report, now: console.now(), cellCount: console.cellCount()) }
    }
}

struct GuestsOffCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Close this laptop's door for guests.",
        discussion: ManPage.discussion(
            """
            Guests who came in at this laptop see nothing more here; the link works again after `potluck guests on`. With \
            --everywhere the doors of all laptops close, and every guest is signed out for good.
            """,
            examples: [
                ("potluck guests off", "Close this laptop's door."),
                ("potluck guests off --everywhere", "Close all doors, and end all links."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Flag(help: "On all laptops, and for good.")
    var everywhere = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let done = try await AgentClient(home: home().path).ask(GuestDoorEnd(everywhere: everywhere))
        try show(done) {
            everywhere ? "All doors for guests are closed.\n" : "This laptop's door for guests is closed.\n"
        }
    }
}

/// What `--until` says.
enum GuestLinkEnd: Hashable, Sendable {
    case never
    case at(Instant)

    init(parsing text: String) throws {
        if text == "never" {
            self = .never
        } else if let time = Instant(parsing: text) {
            self = .at(time)
        } else if let local = LocalTime(parsing: text) {
            self = .at(WallClock.instant(of: local))
        } else {
            throw ValidationError("--until takes YYYY-MM-DD, YYYY-MM-DDThh:mm, or “never”.")
        }
    }
}
