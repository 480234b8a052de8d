import AlbumModel
import SyncEngine
import WireFormat

/// What travels over a simulated connection.
enum Packet {
    /// A message's encoded bytes.
    case message([UInt8])
    case piece(number: UInt32, blob: BlobID, piece: Int, byteCount: Int)

    var byteCount: Int {
        switch self {
        case .message(let bytes): bytes.count + 4
        case .piece(_, _, _, let byteCount): byteCount + 64
        }
    }
}

/// One end of a connection: the device, and the name that its engine knows the connection by.
struct Endpoint: Hashable {
    var device: Int
    var link: LinkID
}

/// A TCP connection between two simulated devices: in order, until it is cut.
struct Connection {
    var ends: [Endpoint]
    /// Whether each end has been told that the connection is over.
    var isOver = [false, false]
    /// When the last byte sent by each end arrives at the other.
    var lastArrival: [MonotonicInstant]
    /// Nothing arrives before this: a stalled cable delivers later, in order.
    var stalledUntil: MonotonicInstant
    /// Silently lost from now on: neither side is told.
    var isBlackHole = false

    func index(of device: Int) -> Int { ends[0].device == device ? 0 : 1 }
}

/// Which pairs of devices can exchange packets.
struct Reachability {
    private var group: [Int]

    init(deviceCount: Int) {
        group = [Int](repeating: 0, count: deviceCount)
    }

    func connects(_ first: Int, _ second: Int) -> Bool { group[first] == group[second] }

    mutating func partition(using random: inout SeededRandom) {
        group = group.map { _ in Int.random(in: 0...1, using: &random) }
    }

    mutating func heal() { group = group.map { _ in 0 } }
}
