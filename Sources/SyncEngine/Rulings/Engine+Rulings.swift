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
        standing = EpochStanding(roll, rulings, on: device)
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

    /// Why a device is to have no link that was admitted; `nil` where it may. Rulings may have come since its proof was judged.
    func reasonToRefuse(_ peer: AdmittedPeer) -> CloseReason? {
        if standing.run.out.contains(peer.device) { return .putOut }
        if PlantedFault.isPlanted(.overtakenProofTaken) { return nil }
        let epoch = peer.epoch == rulings.founding ? nil : peer.epoch
        // The roll is made anew for those alone who are not let in by the phrase that they proved.
        return standing.door.isOpen(to: epoch) || roll.isMember(peer) ? nil : .phraseChanged
    }

    /// A new phrase, and whoever is put out with it.
    mutating func beginEpoch(
        _ seed: Seed, puttingOut devices: [DeviceID], recovery: (any BatchSigning)?, token: UInt64,
        now: MonotonicInstant
    ) {
        let chair = chair(recovery)
        if let flaw = chair.flaw { return toRulings(.refuse(token: token, flaw), now: now) }
        let epoch = newEpoch(seed.commitment, puttingOut: Set(devices), chair)
        let kinds = [chair.naming, .epoch(epoch)].compactMap { $0 }
        toRulings(.rule(token: token, kinds, seed, recovery: recovery), now: now)
    }

    /// Devices that are out, or came too late.
    mutating func letIn(
        _ devices: [DeviceID], recovery: (any BatchSigning)?, token: UInt64, now: MonotonicInstant
    ) {
        let chair = chair(recovery)
        if let flaw = chair.flaw { return toRulings(.refuse(token: token, flaw), now: now) }
        let letIn = Ruling.Kind.letIn(Set(devices).sorted())
        // What a senior ruled meanwhile may keep them out.
        let then = chair.evidence.roll(chair.book, and: letIn, using: chair.key)
        guard devices.allSatisfy({ then.isMember($0) }) else {
            return toRulings(.refuse(token: token, .withoutEffect), now: now)
        }
        let kinds = [chair.naming, letIn].compactMap { $0 }
        toRulings(.rule(token: token, kinds, recovery: recovery), now: now)
    }

    /// From where a person here rules: what is known, and whose key signs.
    private struct Chair {
        let evidence: RollEvidence
        /// With ``naming``.
        let book: RulingBook
        let roll: Roll
        let key: any BatchSigning
        /// By the recovery code this device becomes a host: whoever was one for longer may go out.
        let naming: Ruling.Kind?
        /// Why they may not.
        let flaw: RulingFlaw?
    }

    private func chair(_ recovery: (any BatchSigning)?) -> Chair {
        let (evidence, known) = (rollEvidence, rulingExchange.known)
        let naming = recovery.map { _ in Ruling.Kind.host(device, goesOn: false) }
        let key = recovery ?? local.signing
        let book = naming.map { known.adding($0, using: key) } ?? known
        let (roll, recoveryKey) = (evidence.roll(book), known.founding.flatMap { known[$0]?.founding?.recoveryKey })
        let isEntitled = recovery.map { $0.publicKey == recoveryKey } ?? roll.hosts.contains(device)
        return Chair(
            evidence: evidence, book: book, roll: roll, key: key, naming: naming,
            flaw: recoveryKey == nil ? .foreign : isEntitled ? nil : .notEntitled)
    }

    /// An epoch that puts devices out, by all rulings that are known here.
    ///
    /// It takes back what they ruled: they may have made keys host, or member, for this day. Whom only that put out, or who
    /// owes it to hosts that fall with it, would be in again; so the epoch puts them out as well. Not so by the recovery code:
    /// whoever stole the founder's laptop may have put everybody out, who are members again as if it never had.
    private func newEpoch(
        _ commitment: SeedCommitment, puttingOut devices: Set<DeviceID>, _ chair: Chair
    ) -> Ruling.Epoch {
        let roll = chair.roll
        let inForce = roll.cuts
        func draft(_ out: Set<DeviceID>, _ then: Roll) -> Ruling.Epoch {
            let endCountMax = RulingLimits.cutEndCountMax / max(1, out.count)
            return Ruling.Epoch(
                commitment: commitment,
                out: out.sorted().map { Ruling.Out(device: $0, cuts: cuts(of: $0, inForce, countMax: endCountMax)) },
                members: memberList(chair, then, without: out), voids: rulings(by: out, chosen: devices, chair))
        }
        let first = draft(devices, roll)
        guard !devices.isEmpty else { return first }
        let then = chair.evidence.roll(chair.book, and: .epoch(first), using: chair.key)
        guard chair.naming == nil else { return draft(devices, then) }
        return draft(devices.union(outAgain(roll.out.subtracting(then.out), then, chair.book)), then)
    }

    /// As far as which the batches of a device that goes out are to count: all that are known here. Of one that is out
    /// already no more than before, though laggards may have brought more since.
    private func cuts(of device: DeviceID, _ inForce: Cuts, countMax: Int) -> [Ruling.Cut] {
        guard inForce.concern(device) else { return log.cuts(of: device, countMax: countMax) }
        return inForce.named(of: device, endCountMax: countMax, replicaEndCountMax: WireLimits.headCountMax)
    }

    /// Of devices that would not be out any longer, those of which more is known than a name; of too many, members first.
    private func outAgain(
        _ devices: Set<DeviceID>, _ then: Roll, _ book: RulingBook
    ) -> some Sequence<DeviceID> {
        let named = Set(
            book.ids.compactMap { id in if case .host(let host, _)? = book[id]?.kind { host } else { nil } })
        let ranked = devices.sorted().compactMap { device -> (rank: Int, device: DeviceID)? in
            if then.isMember(device) { return (0, device) }
            if log.publicKey(of: device) != nil { return (1, device) }
            return named.contains(device) ? (2, device) : nil
        }
        return ranked.sorted { ($0.rank, $0.device) < ($1.rank, $1.device) }.prefix(RulingLimits.outAgainCountMax)
            .map(\.device)
    }

    /// What is taken back of what these ruled: all of the chosen ones; of those that were out before, what did not count.
    /// Namings of hosts first, then epochs, should they be too many; never the founding, which counts in any case.
    private func rulings(by out: Set<DeviceID>, chosen: Set<DeviceID>, _ chair: Chair) -> [RulingID] {
        let book = chair.book
        func order(_ id: RulingID) -> Int {
            switch book[id]!.kind {
            case .host: 0
            case .epoch: 1
            case .founding, .letIn, .unknown: 2
            }
        }
        let theirs = book.ids.filter { id in
            guard let author = book[id]?.author, out.contains(author), id != book.founding else { return false }
            return chosen.contains(author) || !chair.roll.isValid(id)
        }
        let ordered = theirs.enumerated().sorted { (order($0.element), $0.offset) < (order($1.element), $1.offset) }
        return ordered.prefix(RulingLimits.voidCountMax).map(\.element).sorted()
    }

    /// Whom a new epoch lists: hosts, who is linked now, and then who is known longest. Whoever knows a phrase can make as
    /// many members as it likes, and could else keep hosts from changing it.
    ///
    /// - Parameter then: Who is host, and who would be a member, once the epoch counts. A key that is no host any longer, was
    ///   never here, and of which nobody has a batch may be made up.
    private func memberList(_ chair: Chair, _ then: Roll, without out: Set<DeviceID>) -> [MemberPrefix] {
        let roll = chair.roll
        func isMember(_ device: DeviceID) -> Bool {
            roll.isMember(device) || chair.naming != nil && then.isMemberBeforeNewest(device)
        }
        // Whoever is linked showed a proof of the newest phrase, or is a member.
        let linked = reconciliation.sessions.values.map(\.device).filter { !roll.isOut($0) }.sorted()
        let known = log.replicas.compactMap { log.author(of: $0) }.filter(isMember)
        // Without whom it makes host anew that was none: another epoch had taken that back.
        let hosts = then.hosts.filter(isMember)
        return .first(RulingLimits.listedCountMax, of: [[device], hosts, linked, known].joined(), without: out)
    }

    // MARK: Questions

    /// Rulings that are durable here, and seeds.
    public var rulings: RulingBook { rulingExchange.kept }

    /// What this journal says of who came by which phrase. Made anew with each question.
    public var rollEvidence: RollEvidence { RollEvidence(log, catalog, using: local.signing) }

    /// Who is in, as the rulings that are durable here have it. Made anew with each question.
    public var roll: Roll { rollEvidence.roll(rulings) }

    /// Who would be in if this device put these out now, with its own key or the recovery code's: for asking the person first.
    public func roll(puttingOut devices: [DeviceID], recovery: (any BatchSigning)? = nil) -> Roll {
        let chair = chair(recovery)
        let seed = Seed(bytes: [UInt8](repeating: 0, count: Seed.byteCount))!
        let epoch = newEpoch(seed.commitment, puttingOut: Set(devices), chair)
        return chair.evidence.roll(chair.book, and: .epoch(epoch), using: chair.key)
    }

    /// Who would be in if this device let these in now, with its own key or the recovery code's.
    public func roll(lettingIn devices: [DeviceID], recovery: (any BatchSigning)? = nil) -> Roll {
        let chair = chair(recovery)
        return chair.evidence.roll(chair.book, and: .letIn(Set(devices).sorted()), using: chair.key)
    }

    /// Whether other batches count than were folded, as the rulings that are durable here have it: the agent begins anew.
    public var isFoldStale: Bool { standing.run.cuts != log.cuts || log.isMisjudged }

    /// Photos that are in no album here since whoever added them was put out before; ordered.
    public var leftOutPhotos: [PhotoKey] { log.leftOut.photos(besides: catalog) }

    /// Who is out, as the rulings that are durable here have it.
    public var devicesOut: Set<DeviceID> { standing.run.out }

    /// For a link on which ``Roll/Verdict/catchUp`` was the verdict of either side.
    public func catchUp(with peer: AdmittedPeer) -> CatchUp {
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
        /// What was folded by other ones has to be folded anew.
        let cuts: Cuts
    }

    /// By which phrase devices come in.
    struct Door: Hashable {
        /// The epoch that members use; `nil` for the first.
        let inForce: RulingID?
        let isOpen: Bool

        /// Whether the first phrase lets everybody in.
        var isFirstPhrase: Bool { isOpen(to: nil) }

        /// Whether the phrase of an epoch lets everybody in; `nil` is the first.
        func isOpen(to epoch: RulingID?) -> Bool { isOpen && inForce == epoch }
    }

    let run: Run
    let door: Door

    init(_ roll: Roll, _ book: RulingBook, on device: DeviceID) {
        func later(_ epoch: RulingID?) -> RulingID? { epoch == book.founding ? nil : epoch }
        run = Run(
            newest: later(roll.newestFirst(Set(book.seeds.keys)).first), out: roll.out, cuts: roll.cuts(on: device))
        door = Door(inForce: later(roll.inForce), isOpen: roll.isDoorOpen)
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
