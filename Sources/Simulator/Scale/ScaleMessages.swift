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
        case .hello, .ping, .pong, .catalogDigest, .digests, .fetching, .farewell, .unknown: self = .others
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

extension Message {
    /// About as many bytes as it has on the wire; encoding every one would take longer than all else.
    var roughByteCount: Int {
        switch self {
        case .vector(let vector): 64 + 40 * vector.heads.count
        case .vectorDifference(let difference): 64 + 40 * difference.changed.count
        case .vectorReply(let entries): 64 + 40 * entries.count
        case .batches(let page):
            page.batches.reduce(64) { $0 + $1.content.count + 72 }
                + page.pieceLists.values.reduce(0) { $0 + 32 * $1.hashes.count + 40 }
        case .presence(let presence, _): presence.branches.reduce(64) { $0 + 48 + 16 * $1.runs.count }
        case .presenceChanged(let change): 64 + 34 * (change.held.count + change.lost.count)
        case .addresses(let statements), .summaries(let statements):
            statements.reduce(64) { $0 + $1.content.count + 72 }
        case .summaryDifferences(let differences):
            differences.reduce(64) { $0 + 96 + $1.pieces.reduce(0) { $0 + 8 + $1.added.count } }
        case .summaryVersions(let versions): 64 + 18 * versions.numbers.count
        case .announced(let entries): 64 + 34 * entries.count
        case .pieceList(_, let list): 64 + 32 * (list?.hashes.count ?? 0)
        default: 96
        }
    }
}
