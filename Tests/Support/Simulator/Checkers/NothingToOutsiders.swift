import AlbumModel
import SyncEngine
import WireFormat

/// Whoever was put out is let in nowhere where that is known, under no key, and is handed no seed. What rulings mean is
/// the roll's to say; here it is looked whether what honest laptops do agrees with it.
enum NothingToOutsiders {
    /// An honest laptop's verdict.
    static func check(
        _ verdict: Roll.Verdict, by laptop: Laptop, _ roll: Roll, on other: Laptop, _ meeting: HeldEpochs.Meeting
    ) throws(SimulationFailure) {
        guard verdict == .linked || verdict == .catchUp else { return }
        let isIn = mayBeIn(other.id, goingOnFrom: other.formers, roll, provenUnder: meeting.common.ruling)
        // Without ruling it is the phrase that a person typed, or nobody is known to have founded anything.
        guard !isIn, meeting.common.ruling != nil || roll.isOut(other.id) else { return }
        throw SimulationFailure(.outsiderTold, "laptop \(laptop.index) lets laptop \(other.index) in: \(verdict)")
    }

    /// An honest laptop sends a message over a link for catching up: it goes by what both know, and by whom it met. If
    /// the laptop at the other end is another device since, it cannot read what is sent.
    static func check(
        _ message: Message, from end: Int, of link: Simulation.CatchUpLink, _ simulation: Simulation
    ) throws(SimulationFailure) {
        guard case .seeds(let seeds) = message, !seeds.isEmpty else { return }
        let (index, other) = (link.ends[end], link.ends[1 - end])
        let (laptop, peer) = (simulation.laptops[index], link.peers[end])
        let known = link.books.flatMap { book in book.ids.map { book.statement($0)! } }
        let book = RulingBook(known, using: laptop.signing)
        guard let roll = laptop.look({ $0.rollEvidence.roll(book) }) else { return }
        guard !mayBeIn(peer.device, goingOnFrom: peer.formers, roll, provenUnder: link.common) else { return }
        throw SimulationFailure(.outsiderTold, "laptop \(index) hands seeds to laptop \(other)")
    }

    /// An honest laptop sends batches.
    ///
    /// - Parameters:
    ///   - device: whom it met at the other end.
    ///   - isOutsider: the laptop there was put out, under this key or another one, and receives what is sent.
    static func check(
        batchesFrom laptop: Laptop, to device: DeviceID, of other: Laptop, isOutsider: Bool
    ) throws(SimulationFailure) {
        let isOut = laptop.knownOut.contains(device)
        let isShut = laptop.look { isOutsider && isShutOut(device, holding: other.disk.seeds, $0.roll) } ?? false
        guard isOut || isShut else { return }
        throw SimulationFailure(.outsiderTold, "laptop \(laptop.index) sends batches to laptop \(other.index)")
    }

    /// Whether a device is no member, and has no phrase that lets anybody in.
    static func isShutOut(_ device: DeviceID, holding seeds: [RulingID: Seed], _ roll: Roll) -> Bool {
        guard let epoch = roll.inForce, !roll.isMember(device) else { return false }
        // Everybody entered by the first phrase, whether they know its seed or not.
        return roll.isOut(device) || !roll.isOpen(epoch) || epoch != roll.epochs.first && seeds[epoch] == nil
    }

    private static func mayBeIn(
        _ device: DeviceID, goingOnFrom formers: [DeviceID], _ roll: Roll, provenUnder epoch: RulingID?
    ) -> Bool {
        guard !roll.isOut(device) else { return false }
        if let epoch, roll.isOpen(epoch) { return true }
        return roll.isMember(device) || formers.contains { roll.isMember($0) }
    }
}

/// All honest laptops have the same epoch in force and hold its seed, unless none does.
enum AllInForce {
    static func isKept(_ simulation: Simulation) -> Bool { failure(simulation) == nil }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        if let failure = failure(simulation) { throw failure }
    }

    private static func failure(_ simulation: Simulation) -> SimulationFailure? {
        guard simulation.options.hasEpochs else { return nil }
        let laptops = simulation.honest
        let rolls = laptops.map { $0.look { $0.roll } }
        let heldSomewhere = Set(laptops.flatMap(\.disk.seeds.keys))
        for (laptop, roll) in zip(laptops, rolls) {
            guard let roll, roll.inForce == rolls[0]?.inForce, roll.out == rolls[0]?.out else {
                return SimulationFailure(.outOfForce, "laptop \(laptop.index) has another roll than laptop 0")
            }
            if let epoch = roll.inForce, heldSomewhere.contains(epoch), laptop.disk.seeds[epoch] == nil {
                return SimulationFailure(.outOfForce, "laptop \(laptop.index) lacks the phrase in force")
            }
        }
        return nil
    }
}
