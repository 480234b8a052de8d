/// A disk refuses writes for a while.
enum DiskFull {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyLaptop(&random)
        simulation.laptops[index].isDiskFull = true
        simulation.plan(.faultEnd(.diskFull(laptop: index)), after: random.seconds(in: 0.1...20))
    }
}

/// The bytes of a held blob, or of a piece in staging, change on the disk. Whoever opens the file finds out.
enum BitRot {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyHonest(&random)
        let staging = simulation.laptops[index].disk.staging
        if random.chance(0.5), let blob = staging.keys.sorted().randomElement(using: &random) {
            let piece = Int.random(in: staging[blob]!.pieces.indices, using: &random)
            simulation.laptops[index].disk.rotStaging(of: blob, piece: piece)
        } else if let blob = simulation.laptops[index].disk.blobs.sorted().randomElement(using: &random) {
            simulation.laptops[index].disk.rot(blob)
        }
    }
}

/// A wall clock jumps: by a day, by years, or back to what is right.
enum ClockJump {
    private static let day: Int64 = 86_400_000_000

    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyLaptop(&random)
        let span = [0, day, 3650 * day].randomElement(using: &random)!
        simulation.laptops[index].wallOffset = Int64.random(in: -span...span, using: &random)
    }
}
