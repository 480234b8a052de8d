import AlbumModel
import SyncEngine
import WireFormat

/// What travels over a simulated connection.
enum Packet {
    /// A message's encoded bytes.
    case message([UInt8], Origin)
    /// A message as it is, where nobody looks at bytes: encoding would take most of the time.
    case spoken(Message, Origin)
    case piece(number: UInt32, BlobID, piece: Int, byteCount: Int, PieceBytes)

    var byteCount: Int {
        switch self {
        case .message(let bytes, _): bytes.count + 4
        case .spoken(let message, _): message.roughByteCount + 4
        case .piece(_, _, _, let byteCount, _): byteCount + 64
        }
    }
}

/// When a message was sent, and in which run of which agent.
struct Origin {
    var laptop: Int
    var device: DeviceID
    var run: [UInt8]
    var at: MonotonicInstant
}

/// One end of a connection: the laptop, and the name that its engine knows the connection by.
struct Endpoint: Hashable {
    var laptop: Int
    var link: LinkID
}

/// A TCP connection between two laptops: each direction in order, until it is cut.
struct Connection {
    /// What one end sends.
    struct Direction {
        /// When the last message arrives at the other end.
        var lastArrival: MonotonicInstant
        /// What arrives later than this is lost: nobody retransmits.
        var lostFrom: MonotonicInstant?
        /// Whole packets that arrived.
        var arrivedByteCount = 0
        /// As much of it as the receiving agent's timer has seen.
        var seenByteCount = 0

        func loses(at instant: MonotonicInstant) -> Bool { lostFrom.map { $0 <= instant } ?? false }

        mutating func lose(from instant: MonotonicInstant) { lostFrom = min(lostFrom ?? instant, instant) }
    }

    /// The one that dialled first.
    let ends: [Endpoint]
    /// The runs of their agents.
    let lives: [Int]
    /// What they were when it began.
    let devices: [DeviceID]
    /// Whether each end has been told that the connection is over.
    var isOver = [false, false]
    /// Under which epoch each end proved itself to the other one; rulings may come before the dialler's engine knows of it.
    var epochs: [RulingID?] = [nil, nil]
    var views: [LinkView]
    /// By the end that sends.
    var directions: [Direction]
    /// Nothing arrives before this …
    var stalledUntil: MonotonicInstant
    /// … and what would have arrived waits, in its order.
    var waiting: [(end: Int, packet: Packet)] = []

    init(ends: [Endpoint], lives: [Int], devices: [DeviceID], directions: [Direction], now: MonotonicInstant) {
        self.ends = ends
        self.lives = lives
        self.devices = devices
        self.directions = directions
        views = [LinkView(now: now), LinkView(now: now)]
        stalledUntil = now
    }

    func index(of laptop: Int) -> Int { ends[0].laptop == laptop ? 0 : 1 }

    var isOpen: Bool { !isOver[0] && !isOver[1] }
}

/// Cables, and who is at the end of them.
struct Network {
    var connections: [Connection] = []
    var reachability: Reachability
    /// Whether announcements come to everyone who can be reached.
    var hasMulticast = true
    /// Until then a dial takes seconds, so that two meet.
    var slowDialsUntil = MonotonicInstant(nanoseconds: 0)

    /// Connections that break off behind so many messages.
    var breakOffs: [Int: Int] = [:]
    /// The same of those that two laptops make next, the last of them first.
    var nextBreakOffs: [Set<Int>: [Int]] = [:]

    /// A connection begins.
    mutating func arm(_ number: Int) {
        let pair = Set(connections[number].ends.map(\.laptop))
        breakOffs[number] = nextBreakOffs[pair]?.popLast()
    }

    /// An open connection.
    func anyOpen(using random: inout SeededRandom) -> Int? {
        connections.indices.filter { connections[$0].isOpen }.randomElement(using: &random)
    }
}

/// Whose packets arrive where.
struct Reachability {
    private var group: [Int]
    /// Receivers that do not hear a sender.
    private var deaf: Set<Path> = []

    struct Path: Hashable {
        var from: Int
        var to: Int
    }

    init(laptopCount: Int) {
        group = [Int](repeating: 0, count: laptopCount)
    }

    mutating func add() { group.append(0) }

    /// Whether what `first` sends arrives at `second`.
    func carries(from first: Int, to second: Int) -> Bool {
        group[first] == group[second] && !deaf.contains(Path(from: first, to: second))
    }

    /// Whether both hear each other, which a handshake needs.
    func connects(_ first: Int, _ second: Int) -> Bool {
        carries(from: first, to: second) && carries(from: second, to: first)
    }

    mutating func partition(using random: inout SeededRandom) {
        group = group.map { _ in Int.random(in: 0...1, using: &random) }
    }

    /// Nobody hears a laptop, and it hears nobody.
    mutating func isolate(_ laptop: Int) { group[laptop] = 2 }

    /// These reach each other, and nobody else.
    mutating func part(_ laptops: Set<Int>) { group = group.indices.map { laptops.contains($0) ? 1 : 0 } }

    mutating func unite() { group = group.map { _ in 0 } }

    mutating func deafen(_ path: Path) { deaf.insert(path) }

    mutating func undeafen(_ path: Path) { deaf.remove(path) }

    mutating func heal() {
        unite()
        deaf = []
    }
}
