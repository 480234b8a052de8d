/// An agent is killed, or its laptop loses power; somebody starts it again.
enum Crash {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyLaptop(&random)
        try simulation.crash(index, away: random.seconds(in: 0.05...15), &random)
    }
}

/// A person stops an agent, and starts it again.
enum Stop {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyLaptop(&random)
        try simulation.stop(index, away: random.seconds(in: 0.05...15))
    }
}

/// A laptop is away for so long that what it knows is old when it comes back: photos were removed meanwhile.
enum Absence {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyLaptop(&random)
        try simulation.crash(index, away: simulation.options.faultSeconds * random.seconds(in: 0.5...1), &random)
    }
}
