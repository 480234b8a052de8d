import SyncEngine

/// Announcements that come twice, that end although the laptop is there, and that name addresses where nobody or
/// somebody else is.
enum WrongDiscovery {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let listener = simulation.anyLaptop(&random)
        let subject = simulation.laptops[simulation.anyLaptop(&random)]
        let key = PeerKey.device(subject.id.prefix)
        let input: EngineInput
        switch Int.random(in: 0..<5, using: &random) {
        case 0: input = .learned(key, [subject.address, subject.address], .discovery)
        case 1: input = .learned(key, [PeerAddress(host: "10.0.9.9", port: 1)], .discovery)
        case 2:
            let other = simulation.laptops[simulation.anyLaptop(&random)]
            input = .learned(key, [other.address], .discovery)
        case 3: input = .announcementEnded(key)
        default:
            let nobody = PeerKey.device(random.next())
            input = .learned(nobody, [subject.address], .discovery)
        }
        try simulation.feed(listener, simulation.laptops[listener].life, input)
    }
}

/// A laptop gets another address, new or one that another laptop had, which then has its.
enum AddressChange {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyLaptop(&random)
        let other = simulation.anyLaptop(&random)
        var moved = [index]
        if other != index, random.chance(0.3) {
            let address = simulation.laptops[index].address
            simulation.laptops[index].address = simulation.laptops[other].address
            simulation.laptops[other].address = address
            moved.append(other)
        } else {
            let host = "10.0.\(1 + random.next() % 8).\(1 + random.next() % 250)"
            simulation.laptops[index].address = PeerAddress(host: host, port: 4000)
        }
        for laptop in moved {
            moveAway(&simulation, laptop, &random)
            let input = EngineInput.ownAddresses([simulation.laptops[laptop].address])
            try simulation.feed(laptop, simulation.laptops[laptop].life, input)
        }
    }

    /// Connections from the old address are dead; nobody says so.
    private static func moveAway(_ simulation: inout Simulation, _ index: Int, _ random: inout SeededRandom) {
        for number in simulation.laptops[index].connections.values.sorted() {
            for end in 0...1 { simulation.network.connections[number].directions[end].lose(from: simulation.now) }
        }
        simulation.plan(.announce(laptop: index), after: random.seconds(in: 0...5))
    }
}
