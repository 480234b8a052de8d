import AlbumModel
import SyncEngine

/// A connection is cut at some byte of what is under way in each direction: a packet of which a part is missing is
/// lost. The ends learn of it one after the other.
enum Cut {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        guard let number = simulation.network.anyOpen(using: &random) else { return }
        for end in 0...1 {
            let lost = simulation.now + random.seconds(in: 0...(2 * simulation.options.delay))
            simulation.network.connections[number].directions[end].lose(from: lost)
            simulation.plan(.over(connection: number, end: end), after: random.seconds(in: 0...0.5))
        }
    }
}

/// Nothing comes out of a cable for a while; then all of it, in order.
enum Stall {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        guard let number = simulation.network.anyOpen(using: &random) else { return }
        let length = random.seconds(in: 0.5...15)
        let before = simulation.network.connections[number].stalledUntil
        simulation.network.connections[number].stalledUntil = max(before, simulation.now + length)
        simulation.plan(.faultEnd(.stall(connection: number)), after: length)
    }
}

/// One side, or neither, learns that a connection is over; what is sent into it vanishes.
enum HalfOpen {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        guard let number = simulation.network.anyOpen(using: &random) else { return }
        let lost = random.chance(0.5) ? [0, 1] : [Int.random(in: 0...1, using: &random)]
        for end in lost { simulation.network.connections[number].directions[end].lose(from: simulation.now) }
        guard random.chance(0.7) else { return }
        let end = Int.random(in: 0...1, using: &random)
        simulation.plan(.over(connection: number, end: end), after: 0)
    }
}

/// Both sides lose a connection and dial at once; handshakes take so long that they meet, and that the old connection
/// is still there for one side when the new one begins.
enum Race {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let number = simulation.network.anyOpen(using: &random) else { return }
        simulation.network.slowDialsUntil = simulation.now + 3
        let first = Int.random(in: 0...1, using: &random)
        simulation.plan(.over(connection: number, end: first), after: 0)
        simulation.plan(.over(connection: number, end: 1 - first), after: random.seconds(in: 0...3))
        for end in simulation.network.connections[number].ends {
            simulation.plan(.announce(laptop: end.laptop), after: random.seconds(in: 0...0.5))
        }
    }
}

/// A laptop sends with a small part of its rate.
enum Slowness {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyLaptop(&random)
        // A piece at the least rate takes 10 s.
        let least = 100_000 / simulation.options.rate
        simulation.laptops[index].rateFactor = least + random.seconds(in: 0...0.2)
        let length = random.seconds(in: 5...30)
        simulation.trouble(index, for: length)
        simulation.plan(.faultEnd(.slowness(laptop: index)), after: length)
    }
}
