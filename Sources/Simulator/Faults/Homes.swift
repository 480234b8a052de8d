import AlbumModel
import SyncEngine

/// A home is copied to another laptop, and both run: the same device key and the same journal twice.
enum Clone {
    private static let laptopCountMax = 9

    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let honest = Set(simulation.honest.map(\.id))
        // Two laptops of one device do not connect to each other: somebody must be between them.
        guard honest.count >= 2, simulation.laptops.count < laptopCountMax else { return }
        let index = simulation.anyHonest(&random)
        let copy = simulation.addLaptop(key: simulation.laptops[index].signing)
        simulation.laptops[copy].disk = simulation.laptops[index].disk
        simulation.laptops[copy].disk.crash(using: &random)
        // The agent mostly notices that its home has moved, and begins a new replica; a disk image may deceive it.
        if random.chance(0.7) {
            simulation.laptops[copy].disk.giveUpReplica()
        } else {
            for laptop in [index, copy] { simulation.laptops[laptop].mayFork = true }
            simulation.watch.sequences.mayFork(simulation.laptops[index].disk.ownReplica)
        }
        try simulation.start(copy)
    }
}

extension Clone {
    /// In the end an agent sees that its device runs twice: it goes on as another device, with a replica of its own.
    static func part(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        var known: Set<DeviceID> = []
        for index in simulation.laptops.indices where !known.insert(simulation.laptops[index].id).inserted {
            try simulation.crash(index, away: 0, &random)
            simulation.laptops[index].signing = Keys.pair(random.bytes(32), simulation.options)
            simulation.laptops[index].disk.giveUpReplica()
        }
    }
}

/// A home goes back to an older state of its journal; the blobs stay, or go back as well.
enum Restore {
    /// What the agent finds.
    struct Kind {
        var bringsBlobsBack: Bool
        /// The key is part of the home.
        var signing: any BatchSigning
        /// The agent sees that the home is not the one that it last ran in.
        var isNoticed: Bool
    }

    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        let kind = Kind(
            bringsBlobsBack: random.chance(0.5), signing: simulation.laptops[index].signing,
            isNoticed: random.chance(0.5))
        let end = FaultEnd.restore(laptop: index, simulation.laptops[index].disk, kind)
        simulation.plan(.faultEnd(end), after: random.seconds(in: 1...20))
    }

    static func end(
        _ simulation: inout Simulation, _ index: Int, _ backup: SimulatedDisk, _ kind: Kind
    ) throws(SimulationFailure) {
        guard simulation.hasFaults else { return }
        var random = simulation.diskRandom
        try simulation.crash(index, away: random.seconds(in: 0.1...5), &random)
        simulation.diskRandom = random
        let before = simulation.laptops[index].disk
        simulation.laptops[index].signing = kind.signing
        if kind.bringsBlobsBack {
            simulation.laptops[index].disk = backup
            simulation.laptops[index].disk.abandonAll()
        } else {
            simulation.laptops[index].disk.restoreJournal(of: backup)
        }
        if kind.isNoticed {
            simulation.laptops[index].disk.giveUpReplica()
        } else {
            simulation.laptops[index].mayFork = true
            simulation.watch.sequences.mayFork(backup.ownReplica)
        }
        simulation.watch.wentBack(simulation.laptops[index])
        simulation.journalChanged(from: before.journal)
    }
}

/// The journal is gone and the blobs are there: a new replica, of the same device if the key was kept elsewhere.
enum JournalLoss {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        try simulation.crash(index, away: random.seconds(in: 0.1...5), &random)
        let before = simulation.laptops[index].disk
        simulation.laptops[index].disk.restoreJournal(of: SimulatedDisk())
        if random.chance(0.5) { simulation.laptops[index].signing = Keys.pair(random.bytes(32), simulation.options) }
        simulation.watch.wentBack(simulation.laptops[index])
        simulation.journalChanged(from: before.journal)
    }
}

/// The blobs are gone and the journal is there.
enum BlobLoss {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        try simulation.crash(index, away: random.seconds(in: 0.1...5), &random)
        simulation.laptops[index].disk.loseAllBlobs()
    }
}

/// A laptop met a visitor of a later version while this gathering did not look, and brings what it wrote.
enum UnknownKinds {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        try simulation.crash(index, away: random.seconds(in: 0.1...2), &random)
        simulation.visitor.write(wall: simulation.wall(index), &random)
        for row in simulation.visitor.rows { simulation.laptops[index].disk.append(row) }
    }
}
