import AlbumModel
import SyncEngine

/// What came of a laptop that was known to be out is in every journal in the end, though it is left out.
struct NothingDiscarded {
    private var stored: Set<BatchID> = []

    /// A batch is durable.
    mutating func stored(_ batch: AcceptedBatch, by laptop: Laptop) {
        if laptop.isHonest, laptop.knownOut.contains(batch.author) { stored.insert(batch.id) }
    }

    /// No honest laptop has it any longer: homes went back to an earlier state.
    mutating func lost(_ batch: BatchID) { stored.remove(batch) }

    func check(_ simulation: Simulation) throws(SimulationFailure) {
        for laptop in simulation.honest {
            guard let batch = stored.filter({ !laptop.disk.contains($0) }).min() else { continue }
            let sentence = "laptop \(laptop.index) lacks batch \(batch.hex.prefix(8)), which was left out and stored"
            throw SimulationFailure(.discarded, sentence)
        }
    }
}
