import LaptopDoctor
import PotluckAPI
import PotluckAgent
import SyncEngine
import Testing

@testable import PotluckCommands

/// What the doctor is told of a home and its agent, and what a person is told of its findings.
@Suite(.timeLimit(.minutes(1))) struct DoctorCommandTests {
    private func patient(_ home: String, listen: String? = nil) throws -> DoctorPatient {
        let console = TestConsole().console(isTerminal: false, environment: ["HOME": "/people/g"])
        let location = try HomeLocation(option: home, console: console)
        let flags = Settings.Flags(listen: listen.flatMap(AddressText.listening))
        return DoctorPatient(
            home: location, settings: try Settings(flags, home: location, console: console), console: console)
    }

    /// Shows that a running agent's word counts: port, folder, reserve, discovery, and whom it knows.
    @Test func agentsAreAsked() async throws {
        var status = FakeAgent.status(missing: 0)
        status.gathering.tag = "0011223344556677"
        status.device.id = String(repeating: "ab", count: 32)
        status.network = .init(port: 4711, discovery: false, peers: ["10.0.0.9:4711"])
        status.disk = DiskReport(free: 9, reserve: 5)
        try await withAgent(FakeAgent(statuses: [status])) { home in
            let subject = await (try patient(home)).subject()
            #expect(
                subject.agent
                    == .running(.init(connectedCount: 1, port: 4711, looksForOthers: false, problems: [])))
            #expect(subject.folder == "/home/g/Photos" && subject.reserve(1000) == 5)
            #expect(subject.sight.tag == [0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77])
            #expect(subject.sight.devicePrefix == Array(repeating: 0xab, count: 8))
            #expect(subject.peers.map(\.description) == ["10.0.0.9:4711"] && subject.sight.namesPeers)
            #expect(subject.known.map(\.name) == ["Anna"])
        }
    }

    /// Shows that without an agent the home and its settings tell what they can, and that a home without a gathering is
    /// told as such.
    @Test func homesAreAsked() async throws {
        try await withTemporaryHome { home in
            let empty = await (try patient(home)).subject()
            #expect(empty.agent == .stopped && !empty.sight.hasGathering && empty.sight.tag == nil)
            _ = try await HomeSetup.host(home: home, gathering: "Doctor", device: "Anna")
            let subject = await (try patient(home, listen: ":4711")).subject()
            #expect(subject.agent == .stopped && subject.sight.hasGathering && subject.sight.obstacle == nil)
            #expect(subject.sight.tag?.count == 8 && subject.sight.devicePrefix?.count == 8)
            #expect(subject.listen == PeerAddress(host: "", port: 4711) && subject.folder == home + "/Photos")
            #expect(subject.known.isEmpty && subject.clock.programMade != nil)
        }
    }

    /// Shows what a person reads: what was looked at, each finding with what helps, and the verdict at the end; and that
    /// no name of another laptop can do anything to a terminal.
    @Test func findingsAreText() throws {
        var seen = Observations()
        seen.agent = .running(.init(connectedCount: 0, port: 4711))
        seen.network.interfaces = [
            .init(
                name: "wlan0", index: 2, kind: .local,
                networks: [IPv4Network(address: IPv4("192.168.1.20")!, prefixLength: 24)])
        ]
        seen.discovery = .stopped
        seen.contacts = [
            Contact(
                name: "Be\u{1B}[31mn",
                attempts: [.init(address: .init(host: "192.168.1.21", port: 1), outcome: .timedOut)])
        ]
        let report = DoctorReport(seen)
        #expect(
            DoctorListing.text(report) == """
                Agent      runs at port 4711, 0 devices connected
                Network    wlan0 192.168.1.20/24
                Avahi      does not run
                Multicast  was not tried
                Firewall   none is known to be in the way
                Others     Be\u{FFFD}[31mn does not answer
                Disk       gave no answer

                Avahi does not run on this laptop, so laptops cannot find each other.
                  sudo systemctl enable --now avahi-daemon

                Verdict: Avahi does not run on this laptop, so laptops cannot find each other. What helps: \
                `sudo systemctl enable --now avahi-daemon`

                """)
        let json = try ReportJSON.text(report)
        #expect(json.hasPrefix(#"{"checks":[{"result":"runs at port 4711"#))
        #expect(
            json.contains(
                #""findings":[{"advice":["sudo systemctl enable --now avahi-daemon"],"cause":"avahi-stopped""#))
        #expect(json.contains(#""healthy":false"#) && !json.contains("\u{1B}"))
    }

    /// Shows that a laptop is found for a test by what the agent says of it, and that a wrong name ends the command before
    /// anything is looked at, with what to do.
    @Test func laptopsAreFoundForATest() async throws {
        try await withAgent(FakeAgent()) { home in
            let subject = await (try patient(home)).subject()
            for text in ["anna", "c1c1c1"] { #expect(try subject.testPartner(text).host == "10.77.0.1", "\(text)") }
            let outcome = await run("doctor", "--with", "Zoe", "--home", home)
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.contains("“Zoe”") && outcome.errors.contains("`potluck peers`"), "\(outcome)")
        }
        try await withTemporaryHome { home in
            let outcome = await run("doctor", "--with", "Anna", "--home", home)
            #expect(outcome.status == 69 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.contains("`potluck up`") && outcome.errors.contains("--answer"), "\(outcome)")
        }
    }

    /// Shows that one cannot help and ask at once.
    @Test func helpersDoNotAsk() async {
        let outcome = await run("doctor", "--answer", "--with", "10.0.0.1")
        #expect(outcome.status == 64 && outcome.errors.contains("--answer"))
    }
}
