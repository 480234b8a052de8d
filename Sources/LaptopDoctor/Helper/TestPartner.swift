import Glibc
public import PotluckAPI
import SyncEngine

/// The laptop that is to help with a test.
public struct TestPartner: Hashable, Sendable {
    /// A numeric address; ``Helper/port`` is the port there.
    public let host: String
    /// `nil` where a person gave the address.
    public let name: String?

    init(host: String, name: String? = nil) {
        self.host = host
        self.name = name
    }

    /// For people: `Ben (192.168.1.20)`.
    var shown: String { name.map { "\($0) (\(host))" } ?? host }

    /// Whether a text is an IPv4 or IPv6 address, with a scope or without.
    static func isAddress(_ text: String) -> Bool {
        guard IPv4(text) == nil else { return true }
        var bytes = in6_addr()
        return inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1
    }
}

extension Doctor.Subject {
    /// The laptop that a person names for a test: by its address, or by name or ID where the running agent knows its
    /// IPv4 address, since helpers have no other ones.
    ///
    /// - Throws: ``PotluckError`` that says what to give instead: `.usage` where no laptop or several fit, `.notRunning`
    ///   without an agent, `.tryAgain` where it gives no answer or no address.
    public func testPartner(_ text: String) throws(PotluckError) -> TestPartner {
        if TestPartner.isAddress(text) { return TestPartner(host: text) }
        let instead = "give the address that `potluck doctor --answer` prints on the other laptop."
        switch agent {
        case .running: break
        case .stopped:
            throw PotluckError(
                .notRunning,
                "Without an agent nobody knows the address of “\(text)”. Start it with `potluck up`, or \(instead)")
        case .silent:
            throw PotluckError(
                .tryAgain,
                "The agent gives no answer, so the address of “\(text)” is not known. Start it anew, or \(instead)")
        }
        let laptops = known.map { (id: $0.id, name: $0.name ?? "Laptop \($0.id.prefix(6))") }
        let place = try LaptopLookup.find(text, among: laptops, advice: "`potluck peers` lists them; or \(instead)")
        let address = known[place].address.flatMap(PeerAddress.init(parsing:))
        guard let host = address?.host, IPv4(host) != nil else {
            throw PotluckError(
                .tryAgain, "The agent knows no IPv4 address of “\(laptops[place].name)”: \(instead)")
        }
        return TestPartner(host: host, name: laptops[place].name)
    }
}
