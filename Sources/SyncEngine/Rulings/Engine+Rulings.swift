public import AlbumModel
import WireFormat

extension Engine {
    mutating func toRulings(_ input: RulingExchange.Input, now: MonotonicInstant) {
        for directive in rulingExchange.handle(input, now: now) { perform(directive, now: now) }
    }

    private mutating func perform(_ directive: RulingExchange.Directive, now: MonotonicInstant) {
        switch directive {
        case .store(let rulings, let seeds): emit(.storeRulings(rulings, seeds: seeds))
        case .judge(let founding, let seed): emit(.judgeFounding(founding, seed))
        case .close(let link, let flaw): close(link, .refusedRuling(flaw), now: now)
        case .ruled(let token): emit(.notify(.ruled(token: token)))
        case .refused(let token, let flaw): emit(.notify(.rulingFailed(token: token, flaw.sentence)))
        case .changed: changed(now: now)
        case .storageFailed(let reason): emit(.notify(.storageFailed(reason)))
        }
    }

    private mutating func changed(now: MonotonicInstant) {
        emit(.notify(.rulingsChanged))
        let (roll, former) = (roll, standing)
        standing = EpochStanding(roll, rulings)
        presence.setOut(standing.run.out)
        guard standing != former else { return }
        // Links began when their devices were members, or proved the phrase that was in force then.
        let isProofOld = standing.door != former.door && !standing.door.isFirstPhrase
        for (link, session) in reconciliation.sessions.sorted(by: { $0.key < $1.key }) {
            if standing.run.out.contains(session.device) {
                close(link, .putOut, now: now)
            } else if isProofOld, !roll.isMember(session.device) {
                close(link, .phraseChanged, now: now)
            }
        }
        if standing.run != former.run { emit(.notify(.epochsChanged)) }
    }

    /// A new phrase, and whoever is put out with it.
    mutating func beginEpoch(_ seed: Seed, puttingOut devices: [DeviceID], token: UInt64, now: MonotonicInstant) {
        let roll = roll
        guard roll.founder != nil else { return toRulings(.refuse(token: token, .foreign), now: now) }
        guard roll.hosts.contains(device) else { return toRulings(.refuse(token: token, .notEntitled), now: now) }
        let out = Set(devices)
        let endCountMax = RulingLimits.cutEndCountMax / max(1, out.count)
        let epoch = Ruling.Epoch(
            commitment: seed.commitment,
            out: out.sorted().map { Ruling.Out(device: $0, cuts: log.cuts(of: $0, countMax: endCountMax)) },
            members: memberList(roll, without: out), voids: namings(by: out))
        toRulings(.rule(token: token, .epoch(epoch), seed), now: now)
    }

    /// Whom these made hosts are hosts no longer: one of them may be a key that was minted for this day.
    private func namings(by out: Set<DeviceID>) -> [RulingID] {
        let namings = rulings.ids.filter { id in
            guard let ruling = rulings[id], out.contains(ruling.author), case .host = ruling.kind else { return false }
            return true
        }
        return namings.suffix(RulingLimits.voidCountMax).sorted()
    }

    /// Whom a new epoch lists: hosts, who is linked now, and then who is known longest. Whoever knows a phrase can make as
    /// many members as it likes, and could else keep hosts from changing it.
    private func memberList(_ roll: Roll, without out: Set<DeviceID>) -> [MemberPrefix] {
        // Whoever is linked showed a proof of the newest phrase, or is a member.
        let linked = reconciliation.sessions.values.map(\.device).filter { !roll.isOut($0) }.sorted()
        let known = log.replicas.compactMap { log.author(of: $0) }.filter { roll.isMember($0) }
        return .first(RulingLimits.listedCountMax, of: [[device], roll.hosts, linked, known].joined(), without: out)
    }

    // MARK: Questions

    /// Rulings that are durable here, and seeds.
    public var rulings: RulingBook { rulingExchange.kept }

    /// What this journal says of who came by which phrase. Made anew with each question.
    public var rollEvidence: RollEvidence { RollEvidence(log, catalog, using: local.signing) }

    /// Who is in, as the rulings that are durable here have it. Made anew with each question.
    public var roll: Roll { rollEvidence.roll(rulings) }

    /// For a link on which ``Roll/Verdict/catchUp`` was the verdict of either side.
    public func catchUp(with peer: CatchUp.Peer) -> CatchUp {
        CatchUp(with: peer, rulings, rollEvidence, signing: local.signing)
    }
}

/// What follows for links, and for the agent, from rulings and seeds that are known.
struct EpochStanding: Hashable, Sendable {
    /// What an agent cannot take on while it runs.
    struct Run: Hashable {
        /// The newest epoch whose seed is held; `nil` for the first, which is the same whether its founding is known or not.
        let newest: RulingID?
        let out: Set<DeviceID>
    }

    /// By which phrase devices come in.
    struct Door: Hashable {
        /// The epoch that members use; `nil` for the first.
        let inForce: RulingID?
        let isOpen: Bool

        /// Whether the first phrase lets everybody in.
        var isFirstPhrase: Bool { inForce == nil && isOpen }
    }

    let run: Run
    let door: Door

    init(_ roll: Roll, _ book: RulingBook) {
        func later(_ epoch: RulingID?) -> RulingID? { epoch == book.founding ? nil : epoch }
        run = Run(newest: later(roll.newestFirst(Set(book.seeds.keys)).first), out: roll.out)
        door = Door(inForce: later(roll.inForce), isOpen: roll.inForce.map { roll.isOpen($0) } ?? true)
    }
}

extension [MemberPrefix] {
    /// So many different devices of these, in their order; sorted.
    static func first(
        _ countMax: Int, of devices: some Sequence<DeviceID>, without out: Set<DeviceID>
    ) -> [MemberPrefix] {
        var listed: Set<DeviceID> = []
        for device in devices where !out.contains(device) {
            guard listed.count < countMax else { break }
            listed.insert(device)
        }
        return listed.map { MemberPrefix($0) }.sorted()
    }
}
