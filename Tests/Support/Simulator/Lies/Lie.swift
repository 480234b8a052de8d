import AlbumModel
import SyncEngine
import WireFormat

/// What a peer may do other than it should. Its engine is honest; what leaves it is changed.
public enum Lie: String, CaseIterable, Hashable, Sendable {
    /// Signs batches that follow all rules of form and make no sense.
    case chains
    /// Signs that a file is longer or other than it is, and serves pieces that fit its word.
    case claims
    /// Sends more pages than the window allows, and asks for pieces without end.
    case floods
    /// Says hello in another version.
    case otherVersion = "other-version"
    /// Sends piece lists that are none.
    case pieceLists = "piece-lists"
    /// Sends other bytes than it was asked for.
    case pieces
    /// Says that it holds what it lacks.
    case presence
    /// Sends batches out of order.
    case reorders
    /// Sends again what it sent before.
    case replays
    /// Comes back once it was put out.
    case returns
    /// Signs wrongly.
    case signatures
    /// Takes requests and never answers them.
    case silence
    /// Signs summaries of what it does not hold.
    case summaries
    /// Says that it knows more, less or other batches than it does.
    case vectors
    /// Passes no news on, for some seconds of every ten.
    case withholding

    /// How often a liar has this lie. A liar without any is an honest guest that may be left out.
    var probability: Double {
        switch self {
        case .otherVersion: 0.04
        // Hosts must put it out first.
        case .returns: 0
        case .claims: 0.35
        default: 0.2
        }
    }

    /// What leaves instead of a message.
    /// - Parameters:
    ///   - known: blobs that the liar has heard of, ordered.
    ///   - signing: with the liar's key.
    func distort(
        _ message: Message, known: [BlobID], _ signing: any BatchSigning, _ random: inout SeededRandom
    ) -> [Message] {
        switch self {
        case .floods: Flood.distort(message, known: known, &random)
        case .otherVersion: OtherVersion.distort(message)
        case .pieceLists: FalsePieceLists.distort(message)
        case .presence: FalsePresence.distort(message, known: known, &random)
        case .reorders: Reordering.distort(message, &random)
        case .replays: Replay.distort(message, &random)
        case .signatures: FalseSignatures.distort(message, &random)
        case .summaries: FalseSummaries.distort(message, known: known, signing, &random)
        case .vectors: FalseVectors.distort(message, &random)
        // They are in what is signed, and in what is served.
        case .chains, .claims, .pieces, .returns, .silence, .withholding: [message]
        }
    }

    /// What the bytes of a piece are worth that leaves; `nil` if none leaves.
    static func distort(_ lies: Set<Lie>, _ content: SimulatedBlob, _ random: inout SeededRandom) -> PieceBytes? {
        if lies.contains(.silence), random.chance(0.5) { return nil }
        if lies.contains(.pieces), random.chance(0.5) { return .wrong }
        // Of some blobs the pieces fit the list that it signed: only their whole, or their last one, is wrong.
        if lies.contains(.claims), content.id.prefix % 2 == 0, let list = content.forgedList(FalseClaims.content) {
            return .forged(list: list.listHash)
        }
        return .right
    }
}
