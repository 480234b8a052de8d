import AlbumModel
import PeerTransport
import WireFormat

/// The same message again and again, from a member that reads what it is answered, or does not.
enum Flood: String, CaseIterable, Sendable {
    case pieceLists, pieces, piecesOfNothing, vectors, samples, versions, presence, changesOfPresence, parts, pings
    case announcements, digests, addresses, notices, grafts, unknownMessages

    /// Those that are answered: only who asks is owed something.
    static let questions: [Flood] = [.pieceLists, .pieces, .piecesOfNothing, .vectors, .samples, .versions, .pings]

    /// How often.
    var count: Int {
        switch self {
        case .pieceLists: 200_000
        case .vectors, .presence, .announcements, .digests, .notices: 20
        default: 50_000
        }
    }

    /// - Parameter blob: a photo that the agent has.
    func message(_ blob: BlobID, _ device: InventedDevice) -> [UInt8] {
        switch self {
        case .pieceLists: return Message.pieceListRequest(blob).encoded()
        case .pieces: return Self.request(blob)
        case .piecesOfNothing: return Self.request(BlobID(number: 1))
        case .vectors: return Proto.bytes(2, Self.entries)
        case .samples:
            let points = (1...UInt64(WireLimits.samplePointCountMax)).map { Head(sequence: $0, branch: $0) }
            return Message.chainSample(device.replica, points: points.reversed()).encoded()
        case .versions: return Message.summaryVersions(SummaryVersions(numbers: [:], isWhole: true)).encoded()
        case .presence: return Proto.bytes(5, LongPresence.bytes(.replicas, byteCount: 1 << 20))
        case .changesOfPresence:
            let blobs = (0..<4).map { BlobID(number: $0) }
            return Message.presenceChanged(PresenceChange(held: blobs, lost: blobs, counter: 1)).encoded()
        case .parts: return Message.partHeld(PartHeld(blob: blob, pieces: [true], coming: [true])).encoded()
        case .pings: return Message.ping(1).encoded()
        case .announcements: return Proto.bytes(19, Self.entries)
        case .digests:
            let digest = Proto.bytes(1, randomBytes(16)) + Proto.bytes(2, randomBytes(32))
            return Proto.bytes(14, Proto.repeated(Proto.bytes(1, digest), byteCount: 2 << 20))
        case .addresses:
            let statement = AddressStatement(
                device: device.id, number: InventedDevice.wallClock, addresses: [.init(host: "127.0.0.1", port: 9)])
            let content = statement.encoded()
            let signature = device.identity.sign(Array("potluck addresses 1".utf8) + content)
            return Message.addresses([SignedStatement(content: content, signature: signature)]).encoded()
        case .notices:
            let albums = (0..<WireLimits.leftOutAlbumCountMax).map { AlbumID(number: $0) }
            return Message.fetching(FetchingNotice(leftOut: Set(albums), isPaused: true)).encoded()
        case .grafts: return Message.graft.encoded()
        case .unknownMessages: return Proto.bytes(2000, [1, 2, 3])
        }
    }

    private static func request(_ blob: BlobID) -> [UInt8] {
        let request = PieceRequest(number: 1, blob: blob, piece: 0, byteCount: 20_000, blobClass: .original)
        return Message.request(request).encoded()
    }

    /// Ends of as many replicas as a message may name.
    private static let entries: [UInt8] = (0..<WireLimits.replicaCountMax).reduce(into: []) { bytes, number in
        let head = Proto.number(1, 1000) + Proto.fixed(2, 7)
        bytes += Proto.bytes(1, Proto.bytes(1, ReplicaID(number: number).bytes) + Proto.bytes(2, head))
    }
}
