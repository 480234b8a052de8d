import AlbumModel
public import PotluckAPI
public import SyncEngine

/// Finds out why laptops do not find each other: looks, and says what it found. Nothing is changed, and root is never
/// needed.
public struct Doctor: Sendable {
    /// What is known before anything is looked at.
    public struct Subject: Sendable {
        public var home: String
        public var folder: String
        public var sight = Observations.HomeSight()
        /// Where the settings have the agent take connections; an empty host stands for all addresses.
        public var listen: PeerAddress?
        /// Laptops that the settings name; hosts may be names, which are not looked up.
        public var peers: [PeerAddress] = []
        public var agent = Observations.AgentSight.stopped
        /// Devices that the home knows.
        public var known: [PeersReport.Peer] = []
        /// What is left free of a disk of a size, both in bytes.
        public var reserve: @Sendable (UInt64) -> UInt64
        public var clock: Observations.ClockSight

        public init(
            home: String, folder: String, clock: Observations.ClockSight,
            reserve: @escaping @Sendable (UInt64) -> UInt64
        ) {
            self.home = home
            self.folder = folder
            self.clock = clock
            self.reserve = reserve
        }
    }

    private static let patience = Duration.seconds(5)

    private let subject: Subject

    public init(_ subject: Subject) { self.subject = subject }

    /// Looks at everything: some five seconds where all is well, half a minute at most.
    ///
    /// - Parameters:
    ///   - partner: The laptop that helps with a test, if one does.
    ///   - helperPort: Where its helper answers.
    public func look(
        testingWith partner: TestPartner? = nil, helperPort: UInt16 = Helper.port
    ) async -> Observations {
        var seen = Observations()
        (seen.home, seen.agent, seen.clock) = (subject.sight, subject.agent, subject.clock)
        seen.network = await ProbeThreads.run(within: Self.patience) { NetworkProbe.look() } ?? NetworkSight()
        let network = seen.network
        async let gateway = ProbeThreads.run(within: .seconds(12)) { NetworkProbe.gateway(network) }
        async let multicast = ProbeThreads.run(within: Self.patience) { MulticastProbe.look(network.local) }
        async let places = PlaceProbe.look(home: subject.home, folder: subject.folder, reserve: subject.reserve)
        async let watches = ProbeThreads.run(within: Self.patience) { WatchProbe.look("/") }
        if case .stopped = seen.agent, let listen = subject.listen {
            seen.port = await ProbeThreads.run(within: Self.patience) { PortProbe.look(listen) } ?? nil
        }
        let agentPort = seen.agentPort
        async let firewalls = ProbeThreads.run(within: .seconds(12)) {
            FirewallProbe.look(network, agentPort: agentPort)
        }
        let discovery = await DiscoveryProbe.look(tag: subject.sight.tag, own: subject.sight.devicePrefix)
        seen.discovery = discovery
        seen.contacts = await ContactProbe.look(candidates(discovery), network)
        if let partner { seen.test = await TestProbe.look(partner, port: helperPort, seen) }
        seen.network.gateway = await gateway ?? nil
        seen.multicast = await multicast ?? []
        seen.places = await places
        seen.watches = await watches ?? .granted
        seen.firewalls = await firewalls ?? []
        return seen
    }

    /// Other laptops of the gathering: announced now, known to the home, or named by a person.
    private func candidates(_ discovery: Observations.DiscoverySight) -> [ContactProbe.Candidate] {
        var announced: [Observations.Announced] = []
        if case .works(let devices) = discovery {
            announced = devices.filter {
                $0.tag == subject.sight.tag && $0.devicePrefix != subject.sight.devicePrefix && !$0.addresses.isEmpty
            }
        }
        var candidates: [ContactProbe.Candidate] = subject.known.map { peer in
            let prefix = Self.prefix(peer.id)
            let device = announced.first { $0.devicePrefix == prefix }
            let known = [peer.address.flatMap(PeerAddress.init(parsing:))].compactMap { $0 }
            return ContactProbe.Candidate(
                name: peer.name, devicePrefix: prefix, isAnnounced: device != nil, isConnected: peer.connected,
                addresses: device?.addresses ?? known)
        }
        for device in announced where !candidates.contains(where: { $0.devicePrefix == device.devicePrefix }) {
            candidates.append(
                .init(
                    devicePrefix: device.devicePrefix, isAnnounced: true, isConnected: false,
                    addresses: device.addresses))
        }
        for peer in subject.peers where !candidates.contains(where: { $0.addresses.contains(peer) }) {
            candidates.append(.init(isAnnounced: false, isConnected: false, addresses: [peer]))
        }
        return candidates
    }

    /// The first 8 bytes of an identifier in hexadecimal digits.
    public static func prefix(_ hexadecimal: String) -> [UInt8]? {
        Hexadecimal.bytes(hexadecimal.prefix(16)).flatMap { $0.count == 8 ? $0 : nil }
    }
}
