import AlbumModel
import SyncEngine
import WireFormat

/// A laptop of a later version that once came by: its batches hold changes of kinds that nobody here knows.
struct Visitor {
    private let signing: any BatchSigning
    private let nonce: [UInt8]
    private(set) var rows: [SimulatedDisk.Row] = []
    private var nextSequence: UInt64 = 1

    /// - Parameter nonce: 16 bytes.
    init(signing: any BatchSigning, nonce: [UInt8]) {
        self.signing = signing
        self.nonce = nonce
    }

    /// One more batch: unknown changes, with one that is known between them.
    mutating func write(wall: UInt64, _ random: inout SeededRandom) {
        var changes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Change.unknown(kind: UInt32.random(in: 1000...2000, using: &random), payload: random.bytes(40))
        }
        changes.append(.deviceNamed("Visitor \(nextSequence)"))
        let isFirst = rows.isEmpty
        let proof = signing.replicaProof(nonce: nonce)
        let batch = Batch(
            replica: BatchSignature.replicaID(publicKey: signing.publicKey, nonce: nonce),
            firstSequence: nextSequence, previous: rows.last?.id, clock: ClockReading(microseconds: wall),
            changes: changes, proof: isFirst ? proof : nil)
        nextSequence = batch.lastSequence + 1
        let content = batch.encoded()
        let id = BatchSignature.batchID(content)
        let signed = SignedBatch(content: content, signature: signing.signature(over: BatchSignature.message(id)))
        rows.append(SimulatedDisk.Row(id: id, replica: batch.replica, signed: signed, received: wall))
    }
}
