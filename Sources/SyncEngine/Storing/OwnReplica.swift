import AlbumModel
import WireFormat

/// The replica that this device continues: what it signs, and when.
struct OwnReplica: Sendable {
    /// `nil` until the next own batch begins one.
    private(set) var id: ReplicaID?
    private var clock: HybridClock

    /// - Parameters:
    ///   - id: the replica that this device continues; `nil` for a new home, and for one that was copied or moved.
    ///   - journal: the fold so far.
    init(_ id: ReplicaID?, of device: DeviceID, _ journal: JournalFold) {
        // Nobody continues a replica that is known to be forked.
        self.id = id.flatMap { journal.log.soleHead(of: $0) == nil ? nil : $0 }
        clock = journal.clock(of: device)
    }

    /// Somebody has changes of this replica that this journal does not: the next batch begins another one.
    ///
    /// - Returns: whether this device continued it.
    mutating func giveUp(_ replica: ReplicaID) -> Bool {
        guard id == replica, !PlantedFault.isPlanted(.forkedReplicaContinued) else { return false }
        id = nil
        return true
    }

    /// The transaction failed: a replica that it would have begun never came to be.
    mutating func giveUpIfUnknown(_ log: BatchLog) { if let id, log.soleHead(of: id) == nil { self.id = nil } }

    /// A batch came to be known.
    mutating func observe(_ accepted: AcceptedBatch, isOwn: Bool, wall: UInt64) {
        if !PlantedFault.isPlanted(.othersClocksIgnored) { clock.observe(accepted.batch.clock, wall: wall) }
        // What this device signed in a time that its journal forgot counts however far ahead it was.
        if isOwn { clock.resume(from: accepted.batch.clock) }
    }

    /// Signs changes as the next batch; begins a new replica where there is none to continue.
    mutating func sign(
        _ changes: [Change], as local: LocalDevice, _ log: BatchLog, wall: UInt64,
        using rng: inout some RandomNumberGenerator
    ) -> AcceptedBatch {
        let signing = local.signing
        var batch: Batch
        if let id, let head = log.soleHead(of: id) {
            batch = Batch(
                replica: id, firstSequence: head.last + 1, previous: head.id, clock: clock.next(wall: wall),
                changes: changes, proof: nil)
        } else {
            let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &rng) }
            let id = BatchSignature.replicaID(publicKey: signing.publicKey, nonce: nonce)
            batch = Batch(
                replica: id, firstSequence: 1, previous: nil, clock: clock.next(wall: wall), changes: changes,
                proof: signing.replicaProof(nonce: nonce))
            self.id = id
        }
        let content = batch.encoded()
        let id = BatchSignature.batchID(content)
        let signed = SignedBatch(content: content, signature: signing.signature(over: BatchSignature.message(id)))
        return AcceptedBatch(id: id, batch: batch, signed: signed, author: local.id, received: wall)
    }
}
