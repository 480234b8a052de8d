import AlbumModel
import SyncEngine

extension Simulation {
    /// Where phrases change, the founder keeps its key: somebody must be able to let others in.
    func isFounder(_ index: Int) -> Bool { options.hasEpochs && index == 0 }
}

/// A host changes the phrase.
enum NewPhrase {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let host = simulation.anyHost(&random) else { return }
        try simulation.changePhrase(host, puttingOut: [], seed: random.bytes(Seed.byteCount))
    }
}

/// A host puts a laptop out, which then comes back under keys that it makes.
enum PutOut {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let outsider = simulation.outsider else { return }
        if !simulation.isOutsider(outsider) || random.chance(0.4), let host = simulation.anyHost(&random) {
            // Not everybody hears of it at once.
            let laggards = simulation.honest.map(\.index).filter { $0 != host && random.chance(0.4) }
            simulation.network.reachability.part(Set(laggards + [outsider]))
            simulation.plan(.faultEnd(.partition), after: random.seconds(in: 2...8))
            let devices = [simulation.laptops[outsider].id]
            try simulation.changePhrase(host, puttingOut: devices, seed: random.bytes(Seed.byteCount))
        }
        try simulation.comeBack(outsider, &random)
    }
}
