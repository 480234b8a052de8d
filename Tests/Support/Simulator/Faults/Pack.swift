import AlbumModel
import SyncEngine
import WireFormat

/// Somebody carries a stick from one laptop to another: some of the batches of the first, now and then a damaged one, and
/// photos that the second lacks.
enum Pack {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let from = simulation.anyHonest(&random)
        guard let to = simulation.anyRunning(&random), from != to else { return }
        try carryBatches(&simulation, from, to, &random)
        guard !simulation.laptops[to].isDiskFull, !simulation.laptops[to].failsCommits else { return }
        let wanted = simulation.laptops[to].look { $0.carriedWants.map(\.blob) } ?? []
        let carried = wanted.filter { simulation.laptops[from].disk.holdsGood($0) }
        for blob in carried.shuffled(using: &random).prefix(10) {
            simulation.laptops[to].disk.takeIn(blob)
            try simulation.feed(to, simulation.laptops[to].life, .blobCarried(blob))
        }
    }

    private static func carryBatches(
        _ simulation: inout Simulation, _ from: Int, _ to: Int, _ random: inout SeededRandom
    ) throws(SimulationFailure) {
        let rows = simulation.laptops[from].disk.journal
        // Mostly all, and mostly few are new.
        let start = random.chance(0.7) ? 0 : Int.random(in: 0...rows.count, using: &random)
        var batches = rows[start...].prefix(300).map(\.signed)
        guard !batches.isEmpty else { return }
        if random.chance(0.3) {
            let index = Int.random(in: batches.indices, using: &random)
            batches[index].content[batches[index].content.count / 2] ^= 0x10
        }
        let token = simulation.nextToken
        simulation.nextToken += 1
        let page = BatchPage(batches: batches, page: 0)
        try simulation.feed(to, simulation.laptops[to].life, .carried(token: token, page))
    }
}
