import SyncEngine
import Testing

@testable import LaptopDoctor

@Suite struct ContactTests {
    /// Shows that of very many laptops, each with very many addresses, some are looked at. They are connected, so that
    /// nobody is dialled.
    @Test func contactsAreBounded() async {
        let candidates = (0..<40).map { number in
            ContactProbe.Candidate(
                name: "Laptop \(number)", devicePrefix: nil, isAnnounced: true, isConnected: true,
                addresses: (1...9).map { PeerAddress(host: "10.0.\(number).\($0)", port: 4711) })
        }
        let contacts = await ContactProbe.look(candidates, NetworkSight())
        #expect(contacts.map(\.name) == candidates.prefix(32).map(\.name))
        #expect(contacts.allSatisfy { $0.attempts.map(\.address.host).last?.hasSuffix(".4") == true })
    }
}
