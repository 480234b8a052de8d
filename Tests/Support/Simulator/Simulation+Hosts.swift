import AlbumModel
import SyncEngine
import WireFormat

/// Hosts that are put out, and who is let in again: in the end everybody is in who keeps to the rules.
extension Simulation {
    /// Who is host and who is out, as all rulings have it that are on disks of honest laptops; who came by which phrase is
    /// left out.
    var truth: Roll {
        var rulings: [RulingID: Ruling] = [:]
        for laptop in laptops where laptop.isHonest {
            for (id, statement) in laptop.disk.rulings where rulings[id] == nil {
                rulings[id] = try? Ruling(decoding: statement.content)
            }
        }
        return Roll(rulings: rulings, proofs: [:], lineage: Lineage())
    }

    /// Laptops that are up, and whose people are hosts as far as is known there; where hosts go out, those that still are.
    var hostsAtWork: [Int] {
        let still = options.endsHosts ? Set(truth.hosts) : nil
        return laptops.indices.filter { index in
            let laptop = laptops[index]
            guard laptop.isHonest, laptop.isAwake, still?.contains(laptop.id) ?? true else { return false }
            return laptop.look { $0.roll.hosts.contains($0.device) } ?? false
        }
    }

    func anyHost(_ random: inout SeededRandom) -> Int? { hostsAtWork.randomElement(using: &random) }

    /// Whether a laptop may rule so that epochs of others count no longer. Linked members are not handed the seed of such an
    /// epoch, so some never know a replica that began under it: the laptop must hold those seeds, which it then hands on with
    /// its own, and no replica may begin under others later.
    func mayEndHosts(_ index: Int) -> Bool {
        guard laptops[index].troubledUntil <= now, !laptops[index].isDiskFull else { return false }
        let disk = laptops[index].disk
        let knowsAll = honest.allSatisfy { other in
            other.disk.rulings.keys.allSatisfy { disk.rulings[$0] != nil }
                && other.disk.seeds.keys.allSatisfy { disk.seeds[$0] != nil }
        }
        if knowsAll { return true }
        guard options.keepsReplicas, honest.allSatisfy({ $0.typedPhrase == nil }) else { return false }
        let held = Set(disk.seeds.keys.map { EpochPrefix($0) })
        return honest.allSatisfy { $0.disk.epochs.isSubset(of: held) }
    }

    /// Honest laptops that a host may put out: those that are none, and its juniors.
    func juniors(of host: Int) -> [Int] {
        let device = laptops[host].id
        guard let roll = laptops[host].look({ $0.roll }) else { return [] }
        return laptops.indices.filter { index in
            let other = laptops[index].id
            guard laptops[index].isHonest, other != device, !roll.isOut(other) else { return false }
            return !roll.hosts.contains(other) || roll.isSenior(device, to: other)
        }
    }

    /// A host makes another laptop host.
    ///
    /// - Parameter isOutsider: the one that is to be put out.
    mutating func nameHost(
        by host: Int, isOutsider: Bool, _ random: inout SeededRandom
    ) throws(SimulationFailure) {
        guard let roll = laptops[host].look({ $0.roll }) else { return }
        let candidates = laptops.indices.filter { isOutsider ? $0 == outsider : laptops[$0].isHonest }
        let others = candidates.map { laptops[$0].id }.filter { roll.isMember($0) && !roll.hosts.contains($0) }
        guard let device = others.randomElement(using: &random) else { return }
        try feed(host, laptops[host].life, .rule(token: 0, .host(device, goesOn: false)))
    }

    mutating func letIn(
        _ devices: [DeviceID], by index: Int, recovery: (any BatchSigning)? = nil
    ) throws(SimulationFailure) {
        guard !devices.isEmpty else { return }
        tell("\(index): somebody lets \(devices.count) in")
        try feed(index, laptops[index].life, .letIn(token: 0, devices, recovery: recovery))
    }

    /// Devices of people who keep to the rules that are out, or that no phrase lets in, by somebody's roll; ordered.
    func devicesShutOut(by roll: Roll) -> [DeviceID] {
        let out = honest.flatMap(\.allLives).filter { roll.isOut($0) }
        return Set(out + strangers(to: roll).map { laptops[$0].id }).sorted()
    }

    /// Honest laptops that are not out, and that nothing makes members.
    func strangers(to roll: Roll) -> [Int] {
        laptops.indices.filter { index in
            let laptop = laptops[index]
            return laptop.isHonest && !roll.isOut(laptop.id) && !roll.isMember(laptop.id)
                && !laptop.formers.contains { roll.isMember($0) }
        }
    }

    // MARK: Once nothing fails any longer

    /// Everybody who keeps to the rules is let in again: by a host who may, and where there is none, by the recovery code.
    mutating func letInWhoIsOut() throws(SimulationFailure) {
        let truth = truth
        for device in Set(honest.flatMap(\.allLives)).filter({ truth.isOut($0) }).sorted() {
            let entitled = truth.hosts(whoMayLetIn: device)
            let informed = laptops.indices.filter { index in laptops[index].look { $0.roll.isOut(device) } ?? false }
            if let host = hostsAtWork.first(where: { entitled.contains(laptops[$0].id) && informed.contains($0) }) {
                try letIn([device], by: host)
            } else if !honest.contains(where: { entitled.contains($0.id) }),
                let index = informed.first(where: { mayTypeCode($0, truth) })
            {
                try letIn([device], by: index, recovery: rulingLedger.recovery)
            }
        }
    }

    /// Where no host is left, whoever has the code lets those in that no phrase does.
    mutating func letInByCode() throws(SimulationFailure) {
        let truth = truth
        guard !honest.contains(where: { truth.hosts.contains($0.id) }) else { return }
        guard let index = laptops.indices.first(where: { mayTypeCode($0, truth) }),
            let roll = laptops[index].look({ $0.roll })
        else { return }
        try letIn(strangers(to: roll).map { laptops[$0].id }, by: index, recovery: rulingLedger.recovery)
    }

    /// Whether somebody there types the recovery code if that is needed: in some runs people have it.
    private func mayTypeCode(_ index: Int, _ truth: Roll) -> Bool {
        let laptop = laptops[index]
        guard options.faults[.recovery] != nil, laptop.isHonest, laptop.isAwake, !truth.isOut(laptop.id) else {
            return false
        }
        return laptop.look { $0.rulings.founding != nil && $0.roll.isMember($0.device) } ?? false
    }
}

extension Laptop {
    /// All devices that it is or was, whether it knows that or not.
    var allLives: Set<DeviceID> { lives.union(forgottenLives) }
}
