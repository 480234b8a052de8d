/// A fault that lasts is over.
enum FaultEnd {
    case partition
    case oneWay(Reachability.Path)
    case diskFull(laptop: Int)
    case slowness(laptop: Int)
    case stall(connection: Int)
    /// What was copied earlier comes back.
    case restore(laptop: Int, SimulatedDisk, Restore.Kind)
}

extension Simulation {
    mutating func end(_ fault: FaultEnd) throws(SimulationFailure) {
        switch fault {
        case .partition:
            network.reachability.unite()
            announceAll()
        case .oneWay(let path):
            network.reachability.undeafen(path)
            announceAll()
        case .diskFull(let laptop): laptops[laptop].isDiskFull = false
        case .slowness(let laptop): laptops[laptop].rateFactor = 1
        case .stall(let connection): try stallEnded(connection)
        case .restore(let laptop, let backup, let kind): try Restore.end(&self, laptop, backup, kind)
        }
    }

    func anyLaptop(_ random: inout SeededRandom) -> Int { Int.random(in: laptops.indices, using: &random) }

    /// One whose user expects it to work.
    func anyHonest(_ random: inout SeededRandom) -> Int {
        laptops.indices.filter { laptops[$0].isHonest }.randomElement(using: &random)!
    }

    private mutating func announceAll() {
        for laptop in laptops.indices {
            plan(.announce(laptop: laptop), after: networkRandom.seconds(in: 0...2))
        }
    }
}
