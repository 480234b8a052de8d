import SyncEngine

@testable import LaptopDoctor

/// What is seen where all is well: an agent runs, and Ben is connected.
enum HealthyLaptop {
    static let tag: [UInt8] = Array(repeating: 7, count: 8)
    static let own: [UInt8] = Array(repeating: 1, count: 8)
    static let ben: [UInt8] = Array(repeating: 2, count: 8)
    static let bensAddress = PeerAddress(host: "192.168.1.21", port: 4711)
    static let now: Int64 = 1_780_000_000_000
    static let day: Int64 = 86_400_000

    static let wifi = NetworkSight.Interface(
        name: "wlan0", index: 2, kind: .local,
        networks: [IPv4Network(address: IPv4("192.168.1.20")!, prefixLength: 24)])
    static let tunnel = NetworkSight.Interface(
        name: "wg0", index: 3, kind: .tunnel, networks: [IPv4Network(address: IPv4("10.8.0.2")!, prefixLength: 24)])

    static func gateway(_ neighbour: Neighbour = .answers(hardware: "aa")) -> NetworkSight.Gateway {
        NetworkSight.Gateway(address: IPv4("192.168.1.1")!, interface: "wlan0", neighbour: neighbour)
    }

    static func announced(_ device: [UInt8], tag: [UInt8] = tag) -> Observations.Announced {
        Observations.Announced(tag: tag, devicePrefix: device, addresses: [bensAddress])
    }

    static var observations: Observations {
        var seen = Observations()
        (seen.home.tag, seen.home.devicePrefix) = (tag, own)
        seen.agent = .running(.init(connectedCount: 1, port: 4711))
        seen.network = NetworkSight(interfaces: [wifi], gateway: gateway())
        seen.discovery = .works([announced(own), announced(ben)])
        seen.multicast = [.init(interface: "wlan0", outcome: .returned)]
        seen.contacts = [
            Contact(
                name: "Ben", devicePrefix: ben, isAnnounced: true, isConnected: true,
                attempts: [.init(address: bensAddress, outcome: .accepted)])
        ]
        seen.clock = .init(now: now, programMade: now - 30 * day, remembered: now - day)
        seen.places = [
            PlaceSight(role: .home, path: "/h", fileSystem: "ext4", space: .init(free: 9_000_000, reserve: 1_000_000))
        ]
        return seen
    }

    /// The same with Ben announced, and not reached.
    static func unreached(_ outcome: Contact.Outcome, _ neighbour: Neighbour, isAnnounced: Bool = true) -> Observations
    {
        var seen = observations
        seen.agent = .running(.init(connectedCount: 0, port: 4711))
        if !isAnnounced { seen.discovery = .works([announced(own)]) }
        seen.contacts = [
            Contact(
                name: "Ben", devicePrefix: ben, isAnnounced: isAnnounced,
                attempts: [.init(address: bensAddress, outcome: outcome, neighbour: neighbour)])
        ]
        return seen
    }

    /// A test that went well.
    static var answer: HelperAnswer {
        HelperAnswer(
            tag: tag, clockDifference: 20, runsAgent: true, isAvahiWell: true, heardMulticast: true, wasHeard: true,
            connectionBack: .accepted, connectionThere: .accepted)
    }

    static func tested(_ change: (inout HelperAnswer) -> Void) -> Observations {
        var seen = observations
        var answer = answer
        change(&answer)
        seen.test = TestSight(
            host: "192.168.1.21", attempt: .init(address: bensAddress, outcome: .accepted), answer: answer)
        return seen
    }
}
