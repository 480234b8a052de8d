import AlbumModel
import SyncEngine
import WireFormat

/// What is counted apart.
public enum ScaleMessageKind: Int, CaseIterable, Sendable {
    case batches
    case acknowledged
    case announced
    case graft
    case prune
    case vectors
    case presence
    case partHeld
    case requests
    case addresses
    case summaries
    case others

    init(_ message: Message) {
        switch message {
        case .batches: self = .batches
        case .acknowledged: self = .acknowledged
        case .announced: self = .announced
        case .graft: self = .graft
        case .prune: self = .prune
        case .vector, .vectorDifference, .vectorReply, .chainSample: self = .vectors
        case .presence, .presenceChanged: self = .presence
        case .partHeld: self = .partHeld
        case .request, .refused, .cancelled, .pieceListRequest, .pieceList: self = .requests
        case .addresses: self = .addresses
        case .summaries, .summaryDifferences, .summaryVersions: self = .summaries
        case .hello, .ping, .pong, .catalogDigest, .digests, .fetching, .farewell, .rulings, .seeds, .unknown:
            self = .others
        }
    }

    /// What it takes to tell everybody of a change.
    static let gossip: [ScaleMessageKind] = [.batches, .acknowledged, .announced, .graft, .prune]
}

/// How many messages of each kind were sent.
public struct ScaleMessageCounts: Sendable {
    private var counts = [Int](repeating: 0, count: ScaleMessageKind.allCases.count)

    public subscript(kind: ScaleMessageKind) -> Int {
        get { counts[kind.rawValue] }
        set { counts[kind.rawValue] = newValue }
    }

    public var gossip: Int { ScaleMessageKind.gossip.reduce(0) { $0 + self[$1] } }

    public func since(_ earlier: ScaleMessageCounts) -> ScaleMessageCounts {
        var difference = self
        for kind in ScaleMessageKind.allCases { difference[kind] -= earlier[kind] }
        return difference
    }
}
