/// Two groups of laptops hear nothing of each other.
enum Partition {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        simulation.network.reachability.partition(using: &random)
        simulation.plan(.faultEnd(.partition), after: random.seconds(in: 0.5...20))
    }
}

/// One laptop hears another that does not hear it.
enum OneWay {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let from = simulation.anyLaptop(&random)
        let others = simulation.laptops.indices.filter { $0 != from }
        guard let to = others.randomElement(using: &random) else { return }
        let path = Reachability.Path(from: from, to: to)
        simulation.network.reachability.deafen(path)
        simulation.plan(.faultEnd(.oneWay(path)), after: random.seconds(in: 0.5...20))
    }
}
