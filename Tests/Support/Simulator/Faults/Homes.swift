import AlbumModel
import SyncEngine

/// A home is copied to another laptop, and both run. Mostly the copy's agent notices where it is, and goes on as a device
/// of its own with the word of the former key; a disk image may deceive it: the same device key and journal twice.
enum Clone {
    private static let laptopCountMax = 9

    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let honest = Set(simulation.honest.map(\.id))
        // Two laptops of one device do not connect to each other: somebody must be between them.
        guard honest.count >= 2, simulation.laptops.count < laptopCountMax else { return }
        let index = simulation.anyHonest(&random)
        let isNoticed = random.chance(0.7)
        let key = isNoticed ? simulation.laptops[index].knownSigning : simulation.laptops[index].signing
        let own: any BatchSigning = Keys.pair(random.bytes(32), simulation.options)
        let copy = simulation.addLaptop(key: isNoticed ? SuccessorSigning(own, goingOnFrom: key) : key)
        simulation.laptops[copy].disk = simulation.laptops[index].disk
        simulation.laptops[copy].disk.crash(using: &random)
        simulation.laptops[copy].entryPhrase = simulation.laptops[index].entryPhrase
        simulation.laptops[copy].typedPhrase = simulation.laptops[index].typedPhrase
        simulation.watch.claims.copied(from: index, to: copy)
        if isNoticed {
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
            simulation.rekey(index, Keys.pair(random.bytes(32), simulation.options), knowsFormer: true)
            simulation.laptops[index].disk.giveUpReplica()
        }
    }
}

/// A home is moved to another machine, mostly after its agent was stopped: it is another device from then on, with the
/// former one's word.
enum Move {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        // Of a home that runs twice under one key nobody could tell which of the two has moved.
        guard simulation.laptops.filter({ $0.id == simulation.laptops[index].id }).count == 1 else { return }
        guard !simulation.isFounder(index) else { return }
        if random.chance(0.7) {
            try simulation.stop(index, away: random.seconds(in: 0.5...5))
        } else {
            try simulation.crash(index, away: random.seconds(in: 0.5...5), &random)
        }
        simulation.rekey(index, Keys.pair(random.bytes(32), simulation.options), knowsFormer: true)
        simulation.laptops[index].disk.giveUpReplica()
        simulation.laptops[index].address = PeerAddress(host: "10.0.\(20 + random.next() % 8).\(1 + index)", port: 4000)
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
        simulation.rekey(index, kind.signing, knowsFormer: false)
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
        simulation.noteLosses(index, since: before)
        simulation.watch.wentBack(simulation.laptops[index])
        // It may have forgotten up to which number it spoke.
        simulation.trouble(index, for: 0)
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
        if random.chance(0.5), !simulation.isFounder(index) {
            simulation.rekey(index, Keys.pair(random.bytes(32), simulation.options), knowsFormer: false)
        }
        simulation.watch.wentBack(simulation.laptops[index])
        // It may have forgotten up to which number it spoke.
        simulation.trouble(index, for: 0)
        simulation.journalChanged(from: before.journal)
    }
}

/// The blobs are gone and the journal is there.
enum BlobLoss {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        try simulation.crash(index, away: random.seconds(in: 0.1...5), &random)
        let before = simulation.laptops[index].disk
        simulation.laptops[index].disk.loseAllBlobs()
        simulation.noteLosses(index, since: before)
    }
}

/// A laptop met a visitor of a later version while this gathering did not look, and brings what it wrote.
enum UnknownKinds {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let index = simulation.anyHonest(&random)
        try simulation.crash(index, away: random.seconds(in: 0.1...2), &random)
        simulation.wallMax = max(simulation.wallMax, simulation.wall(index))
        simulation.visitor.write(wall: simulation.wall(index), &random)
        for row in simulation.visitor.rows { simulation.laptops[index].disk.append(row) }
    }
}
