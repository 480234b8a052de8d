import AlbumModel
import SyncEngine

/// Once all is healed, and all honest laptops know who is out, whoever is out gets nothing that is new to it.
struct NothingLearned {
    private struct Knowledge {
        var batches: Set<BatchID>
        var blobs: Set<BlobID>
    }

    private var isShut = false
    /// What the laptop that comes back had, some seconds after everybody knew that it is out.
    private var known: Knowledge?

    /// - Throws: if it has learned something since.
    mutating func look(_ simulation: Simulation) throws(SimulationFailure) {
        guard let present = knowledge(simulation) else {
            (isShut, known) = (false, nil)
            return
        }
        try compare(present)
        // What was on its way may still come until the next look; what its disk refused has come already.
        if isShut, known == nil, !isAwaitingDisk(simulation) { known = present }
        isShut = true
    }

    func check(_ simulation: Simulation) throws(SimulationFailure) {
        if let present = knowledge(simulation) { try compare(present) }
    }

    private func compare(_ present: Knowledge) throws(SimulationFailure) {
        guard let known else { return }
        guard present.batches.isSubset(of: known.batches), present.blobs.isSubset(of: known.blobs) else {
            throw SimulationFailure(.outsiderTold, "the laptop that was put out has learned something new")
        }
    }

    private func isAwaitingDisk(_ simulation: Simulation) -> Bool {
        guard let index = simulation.outsider else { return false }
        return simulation.laptops[index].look { $0.queueSizes.waitingPages > 0 } ?? false
    }

    /// What others gave to it; `nil` while it is not out everywhere.
    private func knowledge(_ simulation: Simulation) -> Knowledge? {
        // What other liars know and tell is their own affair.
        guard simulation.options.lies.isEmpty, let index = simulation.outsider, simulation.isOutsider(index),
            simulation.laptops[index].isRunning, AllInForce.isKept(simulation), EqualRulings.isKept(simulation)
        else { return nil }
        let laptop = simulation.laptops[index]
        let isShutOut = simulation.honest.allSatisfy { other in
            other.look { NothingToOutsiders.isShutOut(laptop.id, holding: laptop.disk.seeds, $0.roll) } ?? false
        }
        guard isShutOut else { return nil }
        let own = simulation.rulingLedger.returnerKeys
        let batches = laptop.disk.journal.filter { row in
            guard let author = laptop.look({ $0.log.author(of: row.replica) }) ?? nil else { return false }
            return !own.contains(author)
        }
        let blobs = laptop.disk.blobs.filter { !simulation.oracle.isAdding($0, on: index) }
        return Knowledge(batches: Set(batches.map(\.id)), blobs: blobs)
    }
}
