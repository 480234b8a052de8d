import AlbumModel
import SyncEngine
import WireFormat

/// A gathering with hosts: the first laptop founded it, and names others, who name others again. The laptops draw from a
/// stream of their own.
extension Simulation {
    /// The first laptop has the founding and its seed; all others know nothing of it yet.
    mutating func found() {
        let signing = laptops[0].signing
        let seed = Seed(bytes: rulingsRandom.bytes(Seed.byteCount))!
        let recovery = Keys.pair(rulingsRandom.bytes(32), options)
        let ruling = Ruling(
            authorKey: signing.publicKey, after: [],
            kind: .founding(Ruling.Founding(recoveryKey: recovery.publicKey, commitment: seed.commitment)))
        let statement = ruling.signed(using: signing)
        let id = RulingID(content: statement.content)
        laptops[0].disk.keep([statement], seeds: [id: seed])
        rulingLedger = RulingLedger(founding: id, recovery: recovery)
        rulingLedger.found(statement, seed)
        guard let outsider else { return }
        rulingLedger.returnerKeys.insert(laptops[outsider].id)
        rulingLedger.returnerSigning = laptops[outsider].signing
    }

    /// Somebody decides something, host or not.
    mutating func rule() throws(SimulationFailure) {
        let index = Int.random(in: laptops.indices, using: &rulingsRandom)
        let other = laptops[Int.random(in: laptops.indices, using: &rulingsRandom)].id
        let kind = Int.random(in: 0..<6, using: &rulingsRandom)
        let isBold = rulingsRandom.chance(0.2)
        let commitment = SeedCommitment(seed: rulingsRandom.bytes(Seed.byteCount))
        guard laptops[index].isHonest, !laptops[index].speaksFirstVersion,
            let roll = laptops[index].look({ $0.roll }), isBold || roll.hosts.contains(laptops[index].id)
        else { return }
        // An epoch whose seed nobody drew would close the gathering.
        if kind == 1, options.hasEpochs {
            let seed = rulingsRandom.bytes(Seed.byteCount)
            guard !options.endsHosts || hostsAtWork.contains(index) else { return }
            return try changePhrase(index, puttingOut: [], seed: seed)
        }
        let members = laptops.map(\.id).filter { roll.isMember($0) }
        let ruling: Ruling.Kind =
            switch kind {
            case 0: .letIn([other])
            case 1:
                .epoch(
                    Ruling.Epoch(commitment: commitment, members: Set(members.map { MemberPrefix($0) }).sorted()))
            default: .host(other, goesOn: false)
            }
        // Agents name nobody host who is out, since it could let in whom it likes.
        if case .host(let device, _) = ruling, roll.isOut(device) { return }
        try feed(index, laptops[index].life, .rule(token: 0, ruling))
    }

    mutating func store(
        _ rulings: [SignedStatement], seeds: [RulingID: Seed], _ index: Int
    ) throws(SimulationFailure) {
        if laptops[index].isHonest { try rulingLedger.kept(seeds, by: index) }
        if laptops[index].isDiskFull || laptops[index].failsCommits {
            answer(.rulingsNotStored("the disk refuses it"), index, within: 0.01)
        } else {
            begin(.rulings(rulings, seeds: seeds), index, within: Self.commitMax)
        }
    }

    /// They are durable.
    mutating func keep(_ rulings: [SignedStatement], seeds: [RulingID: Seed], _ index: Int) {
        laptops[index].disk.keep(rulings, seeds: seeds)
        if laptops[index].isHonest { rulingLedger.stored(rulings) }
        if let typed = laptops[index].typedPhrase, seeds[typed] != nil {
            // The next batch begins a replica under the new phrase.
            laptops[index].typedPhrase = nil
            laptops[index].disk.giveUpReplica()
        }
    }
}

/// What became of rulings, for the checkers.
struct RulingLedger {
    /// Made of the phrase of this gathering; `nil` without hosts.
    var founding: RulingID?
    /// The key of the recovery code.
    var recovery: (any BatchSigning)?
    /// Somebody typed that code.
    var isCodeUsed = false
    /// All keys of the laptop that comes back.
    var returnerKeys: Set<DeviceID> = []
    /// The one that it had at first, as which it may be a host.
    var returnerSigning: (any BatchSigning)?
    /// Durable at some honest laptop, once and now.
    private(set) var stored: Set<RulingID> = []
    /// All that any honest laptop ever stored.
    private(set) var statements: [RulingID: SignedStatement] = [:]
    /// The right ones.
    private(set) var seeds: [RulingID: Seed] = [:]
    /// A ruling puts the laptop out that comes back.
    private(set) var isReturnerOut = false

    mutating func found(_ statement: SignedStatement, _ seed: Seed) {
        statements[founding!] = statement
        seeds[founding!] = seed
    }

    /// An honest laptop is about to store seeds: the first that does drew them.
    mutating func kept(_ new: [RulingID: Seed], by laptop: Int) throws(SimulationFailure) {
        for (ruling, seed) in new {
            guard seeds[ruling, default: seed] == seed else {
                throw SimulationFailure(
                    .outsiderTold, "laptop \(laptop) takes a false seed for \(ruling.hex.prefix(8))")
            }
            seeds[ruling] = seed
        }
    }

    mutating func stored(_ rulings: [SignedStatement]) {
        guard founding != nil else { return }
        for statement in rulings {
            let id = RulingID(content: statement.content)
            stored.insert(id)
            statements[id] = statement
            let out = (try? Ruling(decoding: statement.content).epoch?.out) ?? []
            if out.contains(where: { returnerKeys.contains($0.device) }) { isReturnerOut = true }
        }
    }

    /// Homes lost what was in their journals.
    mutating func forget(allBut kept: Set<RulingID>) { stored.formIntersection(kept) }
}
