import FoundationEssentials
import Glibc
import PotluckAPI
import Synchronization
import Testing

@testable import PotluckCommands

/// Doors that remember what they were told.
final class FakeDoors: DoorKeeping {
    private let noted = Mutex<[AnyHashable]>([])
    var requests: [AnyHashable] { noted.withLock { $0 } }

    private func note(_ request: some APIRequest) { noted.withLock { $0.append(AnyHashable(request)) } }

    static let link = GuestLinkReport(
        link: "http://10.0.0.5:4712/g/#secret", others: ["http://192.168.1.7:4712/g/#secret"],
        expires: Instant(parsing: "2026-08-17T12:00:00Z"), albums: ["Beach day"], lookOnly: true, approve: false,
        hidesPlaces: true)
    static let guests = GuestsReport(
        link: nil, isOpen: false, noLink: "The door for guests is closed; `potluck guests on` opens it.",
        guests: [
            .init(
                id: "0123456789abcdef", name: "Lena\u{1B}[31m", joined: Instant(parsing: "2026-08-01T12:00:00Z"),
                seen: nil, photos: 14, revoked: false),
            .init(id: "fedcba9876543210", name: "Tom", joined: nil, seen: nil, photos: 0, revoked: true),
        ], waiting: [])

    func openGuestDoor(_ order: GuestDoorOrder) async throws -> GuestLinkReport {
        note(order)
        return Self.link
    }

    func closeGuestDoor(everywhere: Bool) async throws { note(GuestDoorEnd(everywhere: everywhere)) }

    func guests() async throws -> GuestsReport {
        note(GuestsRequest())
        return Self.guests
    }

    func revoke(guest: String) async throws -> GuestsReport {
        note(RevokeRequest(guest: guest))
        return Self.guests
    }

    func approve(album: String, photos: [String]) async throws -> GuestsReport {
        note(ApproveRequest(album: album, photos: photos))
        return Self.guests
    }

    func ownerLink() async throws -> OwnerLinkReport {
        note(OwnerLinkRequest())
        return OwnerLinkReport(url: "http://127.10.11.12:4713/open/#code")
    }

    /// The browser comes while the command asks for the third time.
    func ownerLinkWaits(code: String) async -> Bool {
        note(OwnerLinkStateRequest(code: code))
        return requests.count { $0 == AnyHashable(OwnerLinkStateRequest(code: "code")) } < 3
    }

    func ownerPass() async throws -> OwnerLinkReport {
        note(OwnerLinkRequest(phone: true))
        return OwnerLinkReport(url: "http://10.0.0.5:4712/open/#code")
    }

    func phones() async throws -> PhonesReport {
        note(PhonesRequest())
        return PhonesReport(phones: [
            .init(
                id: "0a1b2c3d", since: Instant(millisecondsSince1970: 1_785_585_600_000),
                seen: Instant(millisecondsSince1970: 1_785_589_200_000),
                expires: Instant(millisecondsSince1970: 1_785_628_800_000))
        ])
    }

    func endPhone(_ phone: String) async throws -> PhonesReport {
        note(PhoneEnd(phone: phone))
        return PhonesReport(phones: [])
    }
}

/// `potluck open` and `potluck guests`: what the agent is asked, and what people read.
@Suite(.timeLimit(.minutes(1))) struct GuestsCommandTests {
    private func ask(_ arguments: String..., status expected: Int32 = 0) async throws -> (Outcome, [AnyHashable]) {
        let agent = FakeAgent()
        let console = TestConsole()
        try await withAgent(agent) { home in
            let status = await PotluckCommandLine.run(
                arguments + ["--home", home], console: console.console(isTerminal: false, environment: [:]))
            #expect(status == expected)
        }
        return (console.outcome(expected), agent.fakeDoors.requests)
    }

    /// What is not named stays as it was; “all” and “never” end limits.
    @Test func ordersSayWhatIsNamed() async throws {
        #expect(try await ask("guests", "on").1 == [GuestDoorOrder()])
        #expect(
            try await ask("guests", "on", "--albums", "Beach day, Dinner", "--look-only", "--approve", "--renew").1
                == [GuestDoorOrder(albums: ["Beach day", "Dinner"], lookOnly: true, approve: true, renew: true)])
        #expect(
            try await ask("guests", "on", "--albums", "all", "--no-look-only", "--until", "never").1
                == [GuestDoorOrder(albums: [], lookOnly: false, forever: true)])
        #expect(try await ask("guests", "on", "--hide-places").1 == [GuestDoorOrder(hidesPlaces: true)])
        #expect(try await ask("guests", "on", "--no-hide-places").1 == [GuestDoorOrder(hidesPlaces: false)])
        #expect(
            try await ask("guests", "on", "--until", "2026-08-17T12:00:00Z").1
                == [GuestDoorOrder(until: Instant(parsing: "2026-08-17T12:00:00Z"))])
        #expect(try await ask("guests", "on", "--until", "tomorrow", status: 64).1 == [])
        #expect(try await ask("guests", "revoke", "Lena").1 == [RevokeRequest(guest: "Lena")])
        #expect(try await ask("guests", "off").1 == [GuestDoorEnd(everywhere: false)])
        #expect(try await ask("guests", "off", "--everywhere").1 == [GuestDoorEnd(everywhere: true)])
    }

    /// Guests choose their names: one that is a word of the API's own paths is revoked like any other.
    @Test(arguments: ["link", "approve", "revoke", "..", "a/b", "Lena & Tom"])
    func anyNameCanBeRevoked(name: String) async throws {
        #expect(try await ask("guests", "revoke", name).1 == [RevokeRequest(guest: name)])
    }

    /// The link comes first, and what it means for guests and for those who read along.
    @Test func theLinkIsExplained() async throws {
        let text = try await ask("guests", "on").0.output
        #expect(
            text.hasPrefix("Guests open this on their phone, on this network:\n\n    http://10.0.0.5:4712/g/#secret\n"))
        #expect(text.contains("on another one:\n    http://192.168.1.7:4712/g/#secret\n"))
        #expect(text.contains("They see “Beach day”, and add nothing."))
        #expect(text.contains("They do not see where photos were taken."))
        #expect(text.contains("The link ends at "))
        #expect(text.contains("Everybody on this network could read along"))
        #expect(!text.contains("█"), "a QR code is for terminals")
        #expect(try await ask("guests", "on", "--qr").0.output.contains("█"))
        let json = try await ask("guests", "on", "--json").0.output
        #expect(json.contains(#""link":"http://10.0.0.5:4712/g/#secret""#) && json.contains(#""look_only":true"#))
        #expect(json.contains(#""hide_places":true"#))
    }

    /// Shows that nothing is said of what guests add who add nothing.
    @Test func whoOnlyLooksAddsNothing() {
        let tap = "What they add shows on the wall after a tap of yours.\n"
        var link = FakeDoors.link
        link.approve = true
        #expect(!GuestsText.link(link, code: nil).contains(tap))
        link.lookOnly = false
        #expect(GuestsText.link(link, code: nil).contains(tap))
    }

    /// Names of guests are what somebody typed at the door.
    @Test func guestsAreListed() async throws {
        let text = try await ask("guests").0.output
        #expect(text.hasPrefix("The door for guests is closed; `potluck guests on` opens it.\n"))
        #expect(text.contains("Lena") && !text.contains("\u{1B}"))
        #expect(text.contains("shown out") && text.contains("elsewhere"))
        // As in all other lists.
        #expect(text.contains("\nName") && text.contains("  Came"), "\(text)")
    }

    /// Shows that a door that is open and that no phone can reach is not called closed.
    @Test func anUnreachableDoorIsNotCalledClosed() {
        var report = FakeDoors.guests
        (report.isOpen, report.noLink) = (true, "The door for guests is open, but phones have no address.")
        let text = GuestsText.list(report, now: Instant(millisecondsSince1970: 0), cellCount: nil)
        #expect(text.hasPrefix("The door for guests is open, but phones have no address.\n\nName"), "\(text)")
        (report.link, report.noLink) = (FakeDoors.link, nil)
        let reachable = GuestsText.list(report, now: Instant(millisecondsSince1970: 0), cellCount: nil)
        #expect(reachable.hasPrefix("Guests open this on their phone"), "\(reachable)")
    }

    /// The owner's phones are listed and signed out by what the list calls them.
    @Test func phonesAreListedAndEnd() async throws {
        let (listed, requests) = try await ask("phones")
        #expect(requests == [PhonesRequest()])
        #expect(listed.output.hasPrefix("ID") && listed.output.contains("\n0a1b2c3d"), "\(listed.output)")
        let (ended, order) = try await ask("phones", "end", "0a1b2c3d")
        #expect(order == [PhoneEnd(phone: "0a1b2c3d")])
        #expect(ended.output == "No phone is signed in as yours; `potluck open --phone` signs one in.\n")
        #expect(try await ask("phones", "end", status: 64).1 == [])
    }

    /// Without a screen the link is printed.
    @Test func theOwnerGetsALink() async throws {
        let (outcome, requests) = try await ask("open", "--print")
        #expect(
            outcome.output.contains(
                "In a browser on this laptop, within a minute:\n\n    http://127.10.11.12:4713/open/#code"))
        #expect(requests == [OwnerLinkRequest()])
        let phone = try await ask("open", "--phone")
        #expect(
            phone.0.output.hasPrefix("On your phone, within a minute:") && phone.1 == [OwnerLinkRequest(phone: true)])
        #expect(
            try await ask("open", "--print", "--json").0.output == #"{"url":"http://127.10.11.12:4713/open/#code"}"#
                + "\n")
    }

    /// Shows that the one-time code stands on no command line: the browser gets the name of a page that only its owner can
    /// read, in a directory that a browser in a sandbox sees, and that is gone once the browser has come in.
    @Test func theCodeIsInAPageOfItsOwn() async throws {
        try await withTemporaryHome { person in
            let pages = Mutex<[(path: String, mode: mode_t, text: String)]>([])
            let console = TestConsole { path in
                var info = stat()
                lstat(path, &info)
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                pages.withLock { $0.append((path, info.st_mode, text)) }
                return true
            }
            let agent = FakeAgent()
            // What a crash left behind is no obstacle.
            try "old".write(toFile: person + "/potluck-open.html", atomically: false, encoding: .utf8)
            try await withAgent(agent) { home in
                let status = await PotluckCommandLine.run(
                    ["open", "--home", home], console: console.console(isTerminal: false, environment: ["HOME": person])
                )
                #expect(console.outcome(status) == Outcome(status: 0, output: "Opened in the browser.\n", errors: ""))
            }
            let page = try #require(pages.withLock { $0.count == 1 ? $0.first : nil })
            #expect(page.path == person + "/potluck-open.html")
            #expect(page.mode == S_IFREG | 0o600)
            #expect(page.text.contains(#"content="0; url=http://127.10.11.12:4713/open/#code""#))
            #expect(try FileManager.default.contentsOfDirectory(atPath: person) == [])
            let asked = AnyHashable(OwnerLinkStateRequest(code: "code"))
            #expect(agent.fakeDoors.requests == [AnyHashable(OwnerLinkRequest()), asked, asked, asked])
        }
    }

    /// Shows that without a browser, or a place for its page, the link is printed and nothing stays behind.
    @Test func withoutABrowserTheLinkIsPrinted() async throws {
        try await withTemporaryHome { person in
            for directory in [person, person + "/nowhere"] {
                let console = TestConsole()
                try await withAgent(FakeAgent()) { home in
                    let status = await PotluckCommandLine.run(
                        ["open", "--home", home],
                        console: console.console(isTerminal: false, environment: ["HOME": directory]))
                    #expect(console.outcome(status).output.contains("    http://127.10.11.12:4713/open/#code\n"))
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: person) == [])
            }
        }
    }
}
