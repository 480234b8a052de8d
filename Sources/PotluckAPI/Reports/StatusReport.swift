/// What `potluck status` prints.
public struct StatusReport: Codable, Hashable, Sendable {
    public var device: Device
    public var gathering: Gathering
    public var agent: AgentState
    /// The folder's absolute path; `null` where no agent has run in this home yet.
    @ExplicitNull public var folder: String?
    public var missing: Missing
    /// Bytes a second that arrive now; `null` without an agent.
    @ExplicitNull public var rate: UInt64?
    /// Bytes a second of photos and thumbnails that leave now; `nil` without an agent.
    public var rateUp: UInt64?
    /// What is known to be on this device alone.
    public var atRisk: Amount
    /// How many other devices are connected.
    public var connected: Int
    /// What a person should do something about, each a sentence; empty when all is well.
    public var problems: [String]
    /// No originals are pulled, because somebody said `potluck pause`; `nil` without an agent.
    public var paused: Bool?
    /// The home's disk; `nil` without an agent.
    public var disk: DiskReport?
    /// Bytes a second of photos and thumbnails at most; `nil` for no limit, and without an agent.
    public var limitUp: UInt64?
    public var limitDown: UInt64?
    /// Photos that are not here because of what `potluck originals` says of their albums; they do not count as missing.
    public var leftOut: Amount?
    /// Photos that are in no album, since whoever added them was put out before: those that `potluck left-out` lists; `nil`
    /// for none.
    public var notCounted: Amount?
    /// Files that lie in the folder and are not shared yet; `nil` without an agent.
    public var incoming: Amount?
    /// About how long it takes until they are shared, at the pace of the last half minute; `nil` where that is not known.
    public var incomingSeconds: UInt64?
    /// Photos that are whole on this device and get no file in the folder, since their bytes are of no type that this
    /// version knows; `nil` without an agent.
    public var notPlaced: NotPlaced?
    /// Files of the folder that are not shared; only there when asked for.
    public var skipped: [SkippedFile]?
    /// Files that went or changed in such numbers that a person is asked; only there while they wait.
    public var held: BrakeReport.Held?
    /// How the agent is reached by others; `nil` without an agent.
    public var network: Network?
    /// What is wrong with the phrase that is known here; `nil` for nothing.
    public var phrase: PhraseTrouble?
    /// Laptops that take part no longer until they are updated, by name; `nil` for none.
    public var earlierVersions: [String]?

    public init(
        device: Device, gathering: Gathering, agent: AgentState, folder: String?, missing: Missing, rate: UInt64?,
        atRisk: Amount, connected: Int, problems: [String], skipped: [SkippedFile]? = nil
    ) {
        self.device = device
        self.gathering = gathering
        self.agent = agent
        self.folder = folder
        self.missing = missing
        self.rate = rate
        self.atRisk = atRisk
        self.connected = connected
        self.problems = problems
        self.skipped = skipped
    }

    enum CodingKeys: String, CodingKey {
        case device, gathering, agent, folder, missing, rate, connected, problems, skipped, paused, disk, held, incoming
        case network, phrase
        case incomingSeconds = "incoming_seconds"
        case earlierVersions = "earlier_versions"
        case rateUp = "rate_up"
        case limitUp = "limit_up"
        case limitDown = "limit_down"
        case leftOut = "left_out"
        case notCounted = "not_counted"
        case notPlaced = "not_placed"
        case atRisk = "at_risk"
    }

    public enum PhraseTrouble: String, Codable, Hashable, Sendable, CaseIterable {
        /// Another laptop says that the phrase has changed.
        case changed
        /// Another laptop says that this one was put out.
        case out
        /// A host changed it, and this laptop has not got it yet.
        case behind
    }

    public enum AgentState: String, Codable, Hashable, Sendable, CaseIterable {
        case running
        case stopped
    }

    public struct Device: Codable, Hashable, Sendable {
        /// The `DeviceID` in hexadecimal digits.
        public var id: String
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    public struct Gathering: Codable, Hashable, Sendable {
        /// `null` on a device that joined and has not met another one yet.
        @ExplicitNull public var name: String?
        /// What DNS-SD shows, in hexadecimal digits.
        public var tag: String

        public init(name: String?, tag: String) {
            self.name = name
            self.tag = tag
        }
    }

    public struct Network: Codable, Hashable, Sendable {
        /// Where connections of other laptops are taken.
        public var port: Int
        /// Whether the agent looks for others, and is announced, over DNS-SD.
        public var discovery: Bool
        /// Laptops that were named to be dialled, `HOST:PORT`.
        public var peers: [String]

        public init(port: Int, discovery: Bool, peers: [String]) {
            self.port = port
            self.discovery = discovery
            self.peers = peers
        }
    }

    public struct Amount: Codable, Hashable, Sendable {
        /// A photo with all that belongs to it, like a Live Photo's film, is one, also where only some of it is meant. Files
        /// count where nobody knows yet what belongs together.
        public var photos: Int
        /// Of the files that are meant.
        public var bytes: UInt64
        /// How many of these files have no part in `bytes`, because their size is not known yet; `nil` for none.
        public var unmeasured: Int?

        public init(photos: Int, bytes: UInt64, unmeasured: Int? = nil) {
            self.photos = photos
            self.bytes = bytes
            self.unmeasured = unmeasured
        }

        package static func + (left: Amount, right: Amount) -> Amount {
            let unmeasured = (left.unmeasured ?? 0) + (right.unmeasured ?? 0)
            return Amount(
                photos: left.photos + right.photos, bytes: left.bytes + right.bytes,
                unmeasured: unmeasured == 0 ? nil : unmeasured)
        }
    }

    /// The photos of the gathering that are not whole on this device.
    public struct Missing: Codable, Hashable, Sendable {
        /// The most items that are listed, unless all are asked for.
        public static let itemCountMax = 1000

        public var photos: Int
        /// What has still to arrive.
        public var bytes: UInt64
        /// Of how many of the photos no connected device holds anything that is missing; `null` without an agent.
        @ExplicitNull public var unreachable: Int?
        /// How many of the photos somebody who is connected has, all or in part, and this laptop keeps from coming: it is
        /// paused, or its disk is full. `nil` without an agent.
        public var heldUp: Int?
        /// In the order in which they are wanted; of a photo with several files one that is missing.
        public var items: [Item]

        public init(photos: Int, bytes: UInt64, unreachable: Int?, heldUp: Int? = nil, items: [Item]) {
            self.photos = photos
            self.bytes = bytes
            self.unreachable = unreachable
            self.heldUp = heldUp
            self.items = items
        }

        enum CodingKeys: String, CodingKey {
            case photos, bytes, unreachable, items
            case heldUp = "held_up"
        }
    }

    public struct NotPlaced: Codable, Hashable, Sendable {
        public var photos: Int
        public var bytes: UInt64
        /// Ordered by the identifiers of album and photo; the first ``Missing/itemCountMax``, unless all are asked for.
        public var items: [Item]

        public init(photos: Int, bytes: UInt64, items: [Item]) {
            self.photos = photos
            self.bytes = bytes
            self.items = items
        }
    }

    public struct Item: Codable, Hashable, Sendable {
        /// SHA-256 of the original, in hexadecimal digits.
        public var id: String
        /// The album's name.
        public var album: String
        public var name: String
        /// Why it is not here yet, or has no file, in words.
        public var reason: String

        public init(id: String, album: String, name: String, reason: String) {
            self.id = id
            self.album = album
            self.name = name
            self.reason = reason
        }
    }
}
