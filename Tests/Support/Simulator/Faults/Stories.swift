import AlbumModel
import SyncEngine

/// Connections break off after a few messages: while something is told in parts, and again while their laptops greet each
/// other anew, or for the first time.
enum BreakOff {
    private static let messageCounts = 1...18

    /// Before anybody met.
    static func begin(_ simulation: inout Simulation) {
        guard simulation.options.faults[.breakOff] != nil else { return }
        var random = SeededRandom(seed: simulation.options.seed, stream: "first break-off")
        for one in simulation.laptops.indices {
            for other in 0..<one where random.chance(0.4) {
                simulation.network.nextBreakOffs[[one, other]] = counts(2, &random)
            }
        }
    }

    static func counts(_ countMax: Int, _ random: inout SeededRandom) -> [Int] {
        (0..<Int.random(in: 0...countMax, using: &random)).map { _ in Int.random(in: messageCounts, using: &random) }
    }

    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        guard let number = simulation.network.anyOpen(using: &random) else { return }
        simulation.network.breakOffs[number] = Int.random(in: messageCounts, using: &random)
        let ends = simulation.network.connections[number].ends
        let pair = Set(ends.map(\.laptop))
        simulation.network.nextBreakOffs[pair] = counts(3, &random)
    }
}

/// A guest comes who was not there before.
enum Join {
    private static let laptopCountMax = 8

    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard simulation.laptops.count < laptopCountMax else { return }
        let index = simulation.addLaptop(key: nil)
        for other in 0..<index where random.chance(0.5) {
            simulation.network.nextBreakOffs[[index, other]] = BreakOff.counts(2, &random)
        }
        try simulation.start(index)
    }
}

/// Two laptops do not reach each other for a while, and hear of each other through the rest. Meanwhile one of them may be
/// started again, and lose photos.
enum Apart {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let (one, other) = (simulation.anyHonest(&random), simulation.anyHonest(&random))
        guard one != other else { return }
        let paths = [Reachability.Path(from: one, to: other), Reachability.Path(from: other, to: one)]
        for path in paths { simulation.network.reachability.deafen(path) }
        for number in simulation.laptops[one].connections.values.sorted() {
            let connection = simulation.network.connections[number]
            guard connection.ends[1 - connection.index(of: one)].laptop == other else { continue }
            for end in 0...1 {
                simulation.network.connections[number].directions[end].lose(from: simulation.now)
                simulation.plan(.over(connection: number, end: end), after: random.seconds(in: 0...0.5))
            }
        }
        let length = random.seconds(in: 15...40)
        for path in paths { simulation.plan(.faultEnd(.oneWay(path)), after: length) }
        if random.chance(0.5) {
            simulation.laptops[other].wallOffset -= Int64.random(in: 0...(2 * 3_600_000_000), using: &random)
        }
        guard random.chance(0.7) else { return }
        simulation.plan(.faultEnd(.misfortune(laptop: other)), after: random.seconds(in: 0.5...4))
    }

    /// An agent is stopped; soon after it was started again photos are found to be gone, and do not come back for a while.
    static func misfortune(_ simulation: inout Simulation, _ index: Int) throws(SimulationFailure) {
        guard simulation.hasFaults, simulation.laptops[index].isRunning else { return }
        try simulation.stop(index, away: 0.5)
        simulation.plan(.faultEnd(.repair(laptop: index)), after: 1.5)
    }

    static func repair(_ simulation: inout Simulation, _ index: Int) throws(SimulationFailure) {
        guard simulation.hasFaults, simulation.laptops[index].isRunning else { return }
        try simulation.setTerms(PullTerms(isPaused: true), index)
        simulation.plan(.faultEnd(.terms(laptop: index)), after: 20)
        let blobs = simulation.laptops[index].disk.blobs.sorted().enumerated().filter { $0.offset % 3 == 0 }.map(
            \.element)
        try simulation.loseKnowingly(blobs, index)
    }
}

/// Clocks of some laptops are hours off, as of somebody who came from another time zone.
enum Skew {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let span: Int64 = 3 * 3_600_000_000
        simulation.laptops[simulation.anyLaptop(&random)].wallOffset = Int64.random(in: -span...span, using: &random)
    }
}

/// Files of a running laptop go; it tells so, and may be stopped. Those who heard of it may die at once.
enum Loss {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let index = simulation.anyRunning(&random) else { return }
        let blobs = simulation.laptops[index].disk.blobs.sorted().shuffled(using: &random)
        try simulation.loseKnowingly(Array(blobs.prefix(Int.random(in: 1...4, using: &random))), index)
        if random.chance(0.5) {
            simulation.plan(.faultEnd(.stop(laptop: index)), after: random.seconds(in: 0.3...0.8))
        }
        guard random.chance(0.6) else { return }
        let other = simulation.anyHonest(&random)
        guard other != index else { return }
        simulation.plan(.faultEnd(.crash(laptop: other)), after: random.seconds(in: 0.8...3))
    }
}

extension Simulation {
    /// Files go, and their agent sees it.
    mutating func loseKnowingly(_ blobs: [BlobID], _ index: Int) throws(SimulationFailure) {
        // What was taken in and is not in an album yet nobody would miss.
        let lost = blobs.filter { !oracle.isAdding($0, on: index) }
        lose(lost, index)
        for blob in lost { try feed(index, laptops[index].life, .blobLost(blob)) }
    }
}
