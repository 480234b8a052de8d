import PotluckAPI
import Testing

@testable import LaptopDoctor

/// Which laptop a person names for a test.
@Suite struct TestPartnerTests {
    private func subject(_ agent: Observations.AgentSight = HealthyLaptop.observations.agent) -> Doctor.Subject {
        var subject = Doctor.Subject(home: "/h", folder: "/f", clock: .init(now: HealthyLaptop.now)) { _ in 0 }
        subject.agent = agent
        subject.known = [
            peer("0202020202020202", "Ben", "192.168.1.21:4711"), peer("0303030303030303", nil, "192.168.1.22:40001"),
            peer("0404040404040404", "Dora", nil), peer("0505050505050505", "Emil", "[fe80::1%wlan0]:4711"),
        ]
        return subject
    }

    private func peer(_ id: String, _ name: String?, _ address: String?) -> PeersReport.Peer {
        PeersReport.Peer(
            id: id, name: name, connected: true, address: address, found: nil, lastSeen: nil, photos: nil)
    }

    private func refusal(_ text: String, _ subject: Doctor.Subject) -> PotluckError? {
        let error = #expect(throws: PotluckError.self) { try subject.testPartner(text) }
        return error
    }

    /// Shows that addresses are taken as they are, whether an agent runs or not.
    @Test(arguments: ["192.168.1.20", "fe80::1%wlan0", "fd00::2"]) func addressesAreTaken(text: String) throws {
        for agent in [HealthyLaptop.observations.agent, .stopped, .silent(reason: "it says nothing.")] {
            let partner = try subject(agent).testPartner(text)
            #expect(partner == TestPartner(host: text) && partner.shown == text)
        }
    }

    /// Shows that a laptop's name or ID gives its address, at which the helper's own port is asked; people read both.
    @Test(arguments: [
        ("Ben", "Ben (192.168.1.21)"), ("ben", "Ben (192.168.1.21)"), ("020202", "Ben (192.168.1.21)"),
        ("0303030303030303", "Laptop 030303 (192.168.1.22)"),
    ])
    func namesGiveAddresses(text: String, shown: String) throws {
        #expect(try subject().testPartner(text).shown == shown)
    }

    /// Shows that whoever cannot be found by name is asked for by address: nobody of that name, a laptop whose IPv4
    /// address is not known, no agent, and one that is silent.
    @Test func othersAreAskedForByAddress() {
        let refusals: [(PotluckError?, PotluckAPI.ExitStatus, String)] = [
            (refusal("Zoe", subject()), .usage, "`potluck peers`"),
            (refusal("192.168.1.21:4711", subject()), .usage, "`potluck peers`"),
            (refusal("Dora", subject()), .tryAgain, "“Dora”"), (refusal("Emil", subject()), .tryAgain, "“Emil”"),
            (refusal("Ben", subject(.stopped)), .notRunning, "`potluck up`"),
            (refusal("Ben", subject(.silent(reason: "it says nothing."))), .tryAgain, "“Ben”"),
        ]
        for (error, status, words) in refusals {
            #expect(error?.status == status, "\(words)")
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("`potluck doctor --answer`") == true, "\(error?.message ?? "")")
        }
    }

    /// Shows that what people read of a test has the name that they gave.
    @Test func theReportHasTheName() {
        var seen = HealthyLaptop.tested { $0.runsAgent = false }
        seen.test?.host = TestPartner(host: "192.168.1.21", name: "Ben").shown
        #expect(Diagnosis(seen).findings.map(\.sentence) == ["No agent runs on Ben (192.168.1.21)."])
    }
}
