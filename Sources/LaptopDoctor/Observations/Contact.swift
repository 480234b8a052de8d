public import SyncEngine

/// Another laptop of this gathering, and what became of connecting to it.
public struct Contact: Hashable, Sendable {
    /// As people call it; `nil` where that is not known.
    public var name: String?
    /// 8 bytes; `nil` of a laptop that is known by its address alone.
    public var devicePrefix: [UInt8]?
    public var isAnnounced: Bool
    /// The agent is connected to it.
    public var isConnected: Bool
    public var attempts: [Attempt]
    /// Whether its Avahi answered a query that was sent to it alone; `nil` where it was not asked.
    public var answersQueries: Bool?

    public init(
        name: String? = nil, devicePrefix: [UInt8]? = nil, isAnnounced: Bool = false, isConnected: Bool = false,
        attempts: [Attempt] = [], answersQueries: Bool? = nil
    ) {
        self.name = name
        self.devicePrefix = devicePrefix
        self.isAnnounced = isAnnounced
        self.isConnected = isConnected
        self.attempts = attempts
        self.answersQueries = answersQueries
    }

    /// One address that was dialled.
    public struct Attempt: Hashable, Sendable {
        public var address: PeerAddress
        public var outcome: Outcome
        public var neighbour: Neighbour

        public init(address: PeerAddress, outcome: Outcome, neighbour: Neighbour = .unknown) {
            self.address = address
            self.outcome = outcome
            self.neighbour = neighbour
        }
    }

    public enum Outcome: String, Codable, Hashable, Sendable {
        case accepted
        case refused
        case timedOut = "timed_out"
        /// Nobody there, or no way there.
        case unreachable
        /// This laptop may not send there.
        case forbidden
    }

    public var isReached: Bool { isConnected || attempts.contains { $0.outcome == .accepted } }
}

/// A laptop that was to help with the test.
public struct TestSight: Hashable, Sendable {
    /// As people are told of it: its address, or its name with that.
    public var host: String
    /// Where the helper was looked for.
    public var attempt: Contact.Attempt
    /// What the helper gave; `nil` where none answered.
    public var answer: HelperAnswer?

    public init(host: String, attempt: Contact.Attempt, answer: HelperAnswer? = nil) {
        self.host = host
        self.attempt = attempt
        self.answer = answer
    }
}

/// What a test between two laptops gave.
public struct HelperAnswer: Hashable, Sendable {
    /// Its gathering's tag, 8 bytes; `nil` where it has no gathering.
    public var tag: [UInt8]?
    /// The other clock less this one, in milliseconds.
    public var clockDifference: Int64
    public var runsAgent: Bool
    public var isAvahiWell: Bool
    /// Whether it got a multicast of this laptop's.
    public var heardMulticast: Bool
    /// Whether this laptop got one of the helper's.
    public var wasHeard: Bool
    /// What became of its connection to this laptop's agent; `nil` where none runs here.
    public var connectionBack: Contact.Outcome?
    /// What became of this laptop's connection to its agent; `nil` where none runs there.
    public var connectionThere: Contact.Outcome?

    public init(
        tag: [UInt8]?, clockDifference: Int64, runsAgent: Bool, isAvahiWell: Bool, heardMulticast: Bool, wasHeard: Bool,
        connectionBack: Contact.Outcome?, connectionThere: Contact.Outcome?
    ) {
        self.tag = tag
        self.clockDifference = clockDifference
        self.runsAgent = runsAgent
        self.isAvahiWell = isAvahiWell
        self.heardMulticast = heardMulticast
        self.wasHeard = wasHeard
        self.connectionBack = connectionBack
        self.connectionThere = connectionThere
    }
}
