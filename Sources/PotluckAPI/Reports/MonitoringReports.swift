/// Whether the agent serves as it should.
public struct HealthReport: Hashable, Sendable {
    /// Something that is wrong.
    public struct Problem: Hashable, Sendable {
        /// A word for programs, such as `folder`: one of ``HealthReport/kinds``.
        public var kind: String
        /// A sentence without anything that belongs to a person: no name, path, place or address.
        public var summary: String
        /// What ``StatusReport/problems`` says.
        public var sentence: String

        public init(kind: String, summary: String, sentence: String) {
            self.kind = kind
            self.summary = summary
            self.sentence = sentence
        }
    }

    /// In the order of ``kinds``; empty when all is well.
    public var problems: [Problem]
    /// All kinds that there are.
    public var kinds: [String]

    public init(problems: [Problem], kinds: [String]) {
        self.problems = problems
        self.kinds = kinds
    }
}

/// How much of everything there is in an agent at one moment: numbers alone, for monitoring.
public struct FiguresReport: Hashable, Sendable {
    /// Bytes of frames over all connections to other laptops since the agent's start.
    public struct Traffic: Hashable, Sendable {
        public var received: UInt64
        public var sent: UInt64

        public init(received: UInt64, sent: UInt64) {
            self.received = received
            self.sent = sent
        }
    }

    /// What is being pulled from other laptops.
    public struct Pulling: Hashable, Sendable {
        /// Photos that are wanted, those that are pulled now among them.
        public var wanted: Int
        /// Photos that are pulled now.
        public var active: Int
        /// Bytes that were asked for and have not arrived.
        public var requestedBytes: Int

        public init(wanted: Int, active: Int, requestedBytes: Int) {
            self.wanted = wanted
            self.active = active
            self.requestedBytes = requestedBytes
        }
    }

    /// The agent's version, such as `1.0`.
    public var version: String
    /// Since its start, in seconds of a clock that goes on while the laptop sleeps.
    public var uptimeSeconds: Double
    /// What `status` reports at this moment.
    public var status: StatusReport
    /// Other laptops that are known, whether connected or not.
    public var knownDevices: Int
    public var albums: Int
    /// Different photos in albums.
    public var photos: StatusReport.Amount
    /// Those of them that are whole on this laptop.
    public var held: StatusReport.Amount
    public var trash: StatusReport.Amount
    public var traffic: Traffic
    public var pulling: Pulling
    /// Batches of changes in the journal.
    public var batches: Int
    /// Files of the folder that are not shared.
    public var skippedFiles: Int
    public var health: HealthReport

    public init(
        version: String, uptimeSeconds: Double, status: StatusReport, knownDevices: Int, albums: Int,
        photos: StatusReport.Amount, held: StatusReport.Amount, trash: StatusReport.Amount, traffic: Traffic,
        pulling: Pulling, batches: Int, skippedFiles: Int, health: HealthReport
    ) {
        self.version = version
        self.uptimeSeconds = uptimeSeconds
        self.status = status
        self.knownDevices = knownDevices
        self.albums = albums
        self.photos = photos
        self.held = held
        self.trash = trash
        self.traffic = traffic
        self.pulling = pulling
        self.batches = batches
        self.skippedFiles = skippedFiles
        self.health = health
    }
}
