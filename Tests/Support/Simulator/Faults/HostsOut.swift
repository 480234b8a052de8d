import AlbumModel
import SyncEngine

/// A host puts others out, hosts among them, while not everybody hears of it; sometimes another host rules at the same time,
/// and may be one of them, or put the first one out. All are honest, and are let in again once all is healed.
enum HostsOut {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let hosts = simulation.hostsAtWork
        guard let first = hosts.randomElement(using: &random) else { return }
        if hosts.count < 3, random.chance(0.5) {
            // The one that is going to come back, too.
            let isOutsider = simulation.outsider != nil && random.chance(0.3)
            return try simulation.nameHost(by: first, isOutsider: isOutsider, &random)
        }
        guard simulation.mayEndHosts(first) else { return }
        var rulers = [first]
        let others = hosts.filter { $0 != first && simulation.mayEndHosts($0) }
        if simulation.options.keepsReplicas, random.chance(0.5), let other = others.randomElement(using: &random) {
            rulers.append(other)
        }
        let epochs = rulers.map { ($0, victims(of: $0, in: simulation, &random)) }
        // On the other side are the second ruler and who goes out.
        let apart = Set(rulers.dropFirst()).union(epochs[0].1)
        let side = simulation.laptops.indices.filter { $0 != first && (apart.contains($0) || random.chance(0.3)) }
        simulation.network.reachability.part(Set(side))
        simulation.plan(.faultEnd(.partition), after: random.seconds(in: 2...8))
        for (ruler, victims) in epochs where !victims.isEmpty {
            let devices = victims.map { simulation.laptops[$0].id }
            try simulation.changePhrase(ruler, puttingOut: devices, seed: random.bytes(32))
        }
    }

    /// One or two; sometimes one whom the ruler may not put out, which then changes nothing but the phrase.
    private static func victims(
        of ruler: Int, in simulation: Simulation, _ random: inout SeededRandom
    ) -> [Int] {
        let honest = simulation.laptops.indices.filter { simulation.laptops[$0].isHonest && $0 != ruler }
        let candidates = random.chance(0.15) ? honest : simulation.juniors(of: ruler)
        return Array(candidates.shuffled(using: &random).prefix(random.chance(0.3) ? 2 : 1))
    }
}

/// Meanwhile a host lets somebody in who is out, or came too late.
enum LetIn {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let host = simulation.anyHost(&random), let roll = simulation.laptops[host].look({ $0.roll }),
            let device = simulation.devicesShutOut(by: roll).randomElement(using: &random)
        else { return }
        try simulation.letIn([device], by: host)
    }
}

/// The founder's laptop is stolen: somebody types the recovery code on another one, which puts it out, once in a run. It is
/// found again in the end.
enum Recovery {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        let truth = simulation.truth
        guard let founder = truth.founder, !truth.isOut(founder), let code = simulation.rulingLedger.recovery,
            !simulation.rulingLedger.isCodeUsed, simulation.laptops[0].troubledUntil <= simulation.now
        else { return }
        let candidates = simulation.laptops.indices.filter { index in
            let laptop = simulation.laptops[index]
            // A laptop that some laggard takes for one that is out would have nobody to tell.
            guard laptop.isHonest, laptop.isAwake, laptop.id != founder, !truth.isOut(laptop.id) else { return false }
            let isIn = laptop.look { $0.rulings.founding != nil && $0.roll.isMember($0.device) } ?? false
            return isIn && simulation.mayEndHosts(index)
        }
        guard let index = candidates.randomElement(using: &random) else { return }
        simulation.rulingLedger.isCodeUsed = true
        let laggards = simulation.laptops.indices.filter { $0 != index && ($0 == 0 || random.chance(0.3)) }
        simulation.network.reachability.part(Set(laggards))
        simulation.plan(.faultEnd(.partition), after: random.seconds(in: 2...8))
        let isOutsiderNamed = simulation.outsider.map { simulation.isOutsider($0) } ?? false
        let devices = [founder] + (isOutsiderNamed ? simulation.rulingLedger.returnerKeys.sorted() : [])
        let seed = random.bytes(32)
        try simulation.changePhrase(index, puttingOut: devices, seed: seed, recovery: code)
    }
}

/// The home of a laptop that goes out was copied before, and the copy goes on in its place: it signs other batches of the
/// numbers that the laptop had used since.
enum CopiedOutsider {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let index = simulation.outsider else { return }
        let laptop = simulation.laptops[index]
        guard let copy = simulation.copyOfOutsider else {
            guard !simulation.isOutsider(index), laptop.disk.ownReplica != nil else { return }
            simulation.copyOfOutsider = (laptop.disk, laptop.signing)
            return
        }
        guard simulation.isOutsider(index) else { return }
        let away = random.seconds(in: 0.05...0.5)
        try simulation.crash(index, away: away, &random)
        // Mostly before it meets anybody, who would tell it of its later batches.
        simulation.plan(.faultEnd(.copySpeaks(laptop: index)), after: away + 0.01)
        let before = simulation.laptops[index].disk
        simulation.rekey(index, copy.signing, knowsFormer: false)
        simulation.laptops[index].disk.restoreJournal(of: copy.disk)
        simulation.laptops[index].mayFork = true
        simulation.watch.sequences.mayFork(copy.disk.ownReplica)
        simulation.noteLosses(index, since: before)
        simulation.watch.wentBack(simulation.laptops[index])
        simulation.trouble(index, for: 0)
    }

    static func speak(_ simulation: inout Simulation, _ index: Int) throws(SimulationFailure) {
        guard simulation.hasFaults, simulation.laptops[index].isRunning else { return }
        try simulation.contribute(.deviceName("Copy of laptop \(index)"), index)
    }
}
