import AlbumModel
import SyncEngine
import WireFormat

/// Every batch that an honest laptop keeps is signed by the device whose replica it is of.
enum SignedJournals {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        var keys: [ReplicaID: [UInt8]] = [:]
        var seen: Set<BatchID> = []
        for laptop in simulation.honest {
            for row in laptop.disk.journal where seen.insert(row.id).inserted {
                guard let batch = try? Batch(decoding: row.signed.content) else {
                    throw SimulationFailure(.damagedJournal, "laptop \(laptop.index) keeps a batch that cannot be read")
                }
                if let proof = batch.proof { keys[batch.replica] = proof.publicKey }
                let message = BatchSignature.message(BatchSignature.batchID(row.signed.content))
                guard let key = keys[batch.replica],
                    laptop.signing.isSignature(row.signed.signature, over: message, by: key)
                else {
                    let sentence = "laptop \(laptop.index) keeps a batch of \(batch.replica.hex.prefix(8))"
                    throw SimulationFailure(.badSignature, sentence + " that its device did not sign")
                }
            }
        }
    }
}
