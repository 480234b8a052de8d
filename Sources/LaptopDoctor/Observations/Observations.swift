public import PotluckAPI
public import SyncEngine

/// All that was seen of this laptop and its network, as values. ``Diagnosis`` makes findings of it; what could not be
/// learned in time is absent.
public struct Observations: Hashable, Sendable {
    public var home = HomeSight()
    public var agent = AgentSight.stopped
    public var network = NetworkSight()
    /// `nil` while nobody looked.
    public var discovery: DiscoverySight?
    public var multicast: [MulticastSight] = []
    public var contacts: [Contact] = []
    public var firewalls: [FirewallSight] = []
    public var clock = ClockSight(now: 0)
    public var places: [PlaceSight] = []
    /// Only where no agent runs and the settings name a port.
    public var port: PortSight?
    public var watches = WatchSight.granted
    /// Only where the test with another laptop was asked for.
    public var test: TestSight?

    public init() {}

    /// The port at which the agent takes connections, or will: `nil` where that is not known.
    public var agentPort: UInt16? {
        if case .running(let facts) = agent { return facts.port }
        return port?.address.port ?? home.keptPort
    }

    /// How many other devices the agent is connected to.
    public var connectedCount: Int {
        if case .running(let facts) = agent { facts.connectedCount } else { 0 }
    }

    /// Whether another laptop of this gathering is connected, or takes connections.
    public var seesSomebody: Bool { connectedCount > 0 || contacts.contains(where: \.isReached) }

    public struct HomeSight: Hashable, Sendable {
        public var hasGathering = true
        /// Why its journal cannot be read, in words.
        public var obstacle: String?
        /// What DNS-SD shows of the gathering; 8 bytes. `nil` where the home could not be read.
        public var tag: [UInt8]?
        /// Of this laptop's device; 8 bytes.
        public var devicePrefix: [UInt8]?
        /// The port that the home drew for its agent.
        public var keptPort: UInt16?
        /// Whether the settings let the agent look for others; a running agent says it itself.
        public var wantsDiscovery = true
        /// What is wrong with the phrase that it has.
        public var phraseTrouble: StatusReport.PhraseTrouble?
        /// Laptops that its agent turns away, since their version is too old.
        public var earlierVersions: [String] = []
        /// Whether the settings name laptops to dial.
        public var namesPeers = false

        public init() {}
    }

    public enum AgentSight: Hashable, Sendable {
        case running(AgentFacts)
        case stopped
        /// Something uses the home and does not answer.
        case silent(reason: String)
    }

    public struct AgentFacts: Hashable, Sendable {
        public var connectedCount: Int
        /// `nil` of an agent of an earlier version.
        public var port: UInt16?
        public var looksForOthers: Bool
        /// What it says itself, each a sentence.
        public var problems: [String]

        public init(connectedCount: Int, port: UInt16?, looksForOthers: Bool = true, problems: [String] = []) {
            self.connectedCount = connectedCount
            self.port = port
            self.looksForOthers = looksForOthers
            self.problems = problems
        }
    }

    /// What Avahi gave.
    public enum DiscoverySight: Hashable, Sendable {
        case works([Announced])
        /// There is no such program.
        case missing
        case stopped
        case silent
        /// D-Bus grants no further connection: nothing is known.
        case noConnection
    }

    /// A device that is announced now.
    public struct Announced: Hashable, Sendable {
        /// 8 bytes.
        public var tag: [UInt8]
        /// 8 bytes.
        public var devicePrefix: [UInt8]
        public var addresses: [PeerAddress]

        public init(tag: [UInt8], devicePrefix: [UInt8], addresses: [PeerAddress]) {
            self.tag = tag
            self.devicePrefix = devicePrefix
            self.addresses = addresses
        }
    }

    /// What became of a multicast query of one's own on one interface.
    public struct MulticastSight: Hashable, Sendable {
        public var interface: String
        public var outcome: Outcome

        public init(interface: String, outcome: Outcome) {
            self.interface = interface
            self.outcome = outcome
        }

        public enum Outcome: Hashable, Sendable {
            case returned
            /// It was sent, and the kernel did not hand it back.
            case lost
            /// Sending was forbidden.
            case forbidden
        }
    }

    public struct ClockSight: Hashable, Sendable {
        /// All in milliseconds since 1970.
        public var now: Int64
        /// When the program was made or installed.
        public var programMade: Int64?
        /// The latest moment by this laptop's own clock that its home remembers.
        public var remembered: Int64?

        public init(now: Int64, programMade: Int64? = nil, remembered: Int64? = nil) {
            self.now = now
            self.programMade = programMade
            self.remembered = remembered
        }
    }

    public struct PortSight: Hashable, Sendable {
        public var address: PeerAddress
        public var outcome: Outcome

        public init(address: PeerAddress, outcome: Outcome) {
            self.address = address
            self.outcome = outcome
        }

        public enum Outcome: Hashable, Sendable {
            case free
            case taken
            /// Ports below 1024 are root's.
            case forbidden
            /// The address is none of this laptop's.
            case foreignAddress
        }
    }

    public enum WatchSight: Hashable, Sendable {
        case granted
        case noInstance
        case noWatch
    }
}
