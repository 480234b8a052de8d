/// What `potluck hosts` prints: the laptops whose people decide who takes part.
public struct HostsReport: Codable, Hashable, Sendable {
    /// Whether it is known who started the gathering, from whom every other host has it to be one.
    public enum Founding: String, Codable, Hashable, Sendable, CaseIterable {
        case known
        /// This laptop joined, and has met nobody yet who told it; or the gathering is of an earlier version.
        case unheard
        /// The gathering was started by an earlier version, and has no hosts.
        case none
    }

    public var founding: Founding
    /// By rank: the first is host longest.
    public var hosts: [Host]
    /// Who has the newest phrase; `nil` where it was never changed, as far as is known here.
    public var phrase: Phrase?
    /// Laptops that know a phrase of the gathering and were turned away here since the agent began, the last one first;
    /// `nil` for none, and without an agent.
    public var waiting: [Waiting]?
    /// This laptop's `DeviceID` in hexadecimal digits, by which a host can let it in.
    public var ownID: String

    public init(
        founding: Founding, hosts: [Host] = [], phrase: Phrase? = nil, waiting: [Waiting]? = nil, ownID: String
    ) {
        self.founding = founding
        self.hosts = hosts
        self.phrase = phrase
        self.waiting = waiting
        self.ownID = ownID
    }

    enum CodingKeys: String, CodingKey {
        case founding, hosts, phrase, waiting
        case ownID = "own_id"
    }

    /// Who comes in once a host lets it.
    public struct Waiting: Codable, Hashable, Sendable {
        /// The `DeviceID` in hexadecimal digits.
        public var id: String
        /// `null` for a laptop that this one knows nothing of.
        @ExplicitNull public var name: String?
        /// Whether hosts put it out; else it came by a phrase that holds no longer.
        public var isOut: Bool

        public init(id: String, name: String?, isOut: Bool) {
            self.id = id
            self.name = name
            self.isOut = isOut
        }

        enum CodingKeys: String, CodingKey {
            case id, name
            case isOut = "out"
        }
    }

    public struct Phrase: Codable, Hashable, Sendable {
        /// Since when this laptop uses it; `nil` before its agent began with it.
        public var since: Instant?
        /// Laptops that have it, this one among them: those that were connected since.
        public var have: Int
        /// Laptops that take part.
        public var laptops: Int

        public init(since: Instant?, have: Int, laptops: Int) {
            self.since = since
            self.have = have
            self.laptops = laptops
        }
    }

    public struct Host: Codable, Hashable, Sendable {
        /// The `DeviceID` in hexadecimal digits.
        public var id: String
        /// `null` until the device's own change with its name has arrived.
        @ExplicitNull public var name: String?
        /// Whether it is this laptop.
        public var isHere: Bool

        public init(id: String, name: String?, isHere: Bool) {
            self.id = id
            self.name = name
            self.isHere = isHere
        }

        enum CodingKeys: String, CodingKey {
            case id, name
            case isHere = "this"
        }
    }

    /// Why there are none, in a sentence; `nil` where there are.
    public var absence: String? {
        switch founding {
        case .known: nil
        case .unheard:
            "This laptop does not know the hosts yet: it learns them from the first laptop that does. A gathering that an earlier version made has none."
        case .none: "This gathering was made by an earlier version and has no hosts."
        }
    }
}

/// What `potluck hosts --add` prints.
public struct HostAddition: Codable, Hashable, Sendable {
    /// The `DeviceID` in hexadecimal digits.
    public var id: String
    public var name: String
    /// `false` where it was a host before.
    public var isNew: Bool

    public init(id: String, name: String, isNew: Bool) {
        self.id = id
        self.name = name
        self.isNew = isNew
    }

    enum CodingKeys: String, CodingKey {
        case id, name
        case isNew = "new"
    }
}

/// What `potluck let-in` prints.
public struct LetInReport: Codable, Hashable, Sendable {
    public var laptops: [PutOutPlan.Laptop]

    public init(laptops: [PutOutPlan.Laptop]) { self.laptops = laptops }
}
