import AlbumModel
import WireFormat

/// A bug that is put in on purpose, to see that the checkers find it. Never drawn from a seed.
public enum Plant: String, CaseIterable, Sendable {
    /// The journal says now and then that a batch is stored, and has not got it.
    case lostBatch = "lost-batch"
    /// An agent that starts forgets, now and then, what removals its journal holds.
    case resurrectedRemoval = "resurrected-removal"
    /// Pieces are taken as they come, and nobody hashes the whole.
    case unverifiedPiece = "unverified-piece"

    /// The batch as a fold would read it that does not know removals.
    static func withoutRemovals(_ signed: SignedBatch) -> SignedBatch {
        guard var batch = try? Batch(decoding: signed.content) else { return signed }
        batch.changes = batch.changes.map { change in
            if case .photoRemoved = change { .unknown(kind: 1_000_000, payload: []) } else { change }
        }
        return SignedBatch(content: batch.encoded(), signature: signed.signature)
    }
}
