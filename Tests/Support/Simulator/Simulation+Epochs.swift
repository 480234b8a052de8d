import AlbumModel
import SyncEngine
import WireFormat

/// Phrases that change, and who is let in by which: where hosts change the phrase, laptops that meet ask the verdict before
/// they go on as equals. In all other runs everybody knows the one phrase.
extension Simulation {
    /// So often somebody looks after laptops that nobody lets in, once all is healed, in seconds.
    private static let helpInterval = 5.0
    /// So often everybody is to get the phrase without typing it who is a member; where hosts go out, it is typed then.
    private static let patience = 12

    // MARK: Meeting

    /// Two laptops prove themselves to each other, and may go on as equals. If not, the dial comes to nothing, and what
    /// follows is begun here.
    ///
    /// - Returns: under which epoch each proved itself to the other one; `nil` where they are no equals.
    mutating func meet(_ from: Int, _ to: Int, _ key: PeerKey) throws(SimulationFailure) -> [RulingID?]? {
        let (dialler, acceptor) = (heldEpochs(from), heldEpochs(to))
        // Whoever was put out would rather catch up than be an equal: that is where seeds are.
        let pretends = isOutsider(from) && liarRandom.chance(0.5)
        let (meeting, own) = dialler.meeting(tags: acceptor.shownTags, acceptor.knowledge)
        let newest = HeldEpochs.Newest(tag: own.tag, pretends ? .phraseAlone : own.knowledge)
        let answer = acceptor.meeting(common: meeting.common.tag, newest: newest)
        var verdicts: [Roll.Verdict?] = [try verdict(of: from, on: to, meeting), nil]
        if let answer { verdicts[1] = try verdict(of: to, on: from, answer) }
        tell("\(from) and \(to) meet: \(verdicts.map { $0.map { "\($0)" } ?? "wrong proof" })")
        if pretends, verdicts[1] == .catchUp { verdicts[0] = .catchUp }
        let epochs = [answer?.common.ruling, meeting.common.ruling]
        if verdicts == [.linked, .linked] { return epochs }
        // A dialler follows the acceptor's verdict, but goes on as an equal only where that is its own verdict, too.
        if verdicts[1] == .catchUp, verdicts[0] == .linked || verdicts[0] == .catchUp {
            catchUp([from, to], provenUnder: epochs, key)
        } else {
            if verdicts[0] == .phraseChanged { askForPhrase(to, at: from) }
            if verdicts[1] == .phraseChanged { askForPhrase(from, at: to) }
            let failure = EngineInput.dialFailed(key, isStranger: false)
            plan(.input(laptop: from, life: laptops[from].life, failure), after: options.delay)
        }
        return nil
    }

    /// Another laptop as a laptop's engine is told of it.
    ///
    /// Where no verdict is asked for, and by whoever was put out, everybody is taken for a member: as if going on from a host.
    func admitted(_ other: Int, at index: Int, provenUnder epoch: RulingID?) -> AdmittedPeer {
        var formers = laptops[other].formers
        if !options.hasEpochs || isOutsider(index) { formers += laptops[index].look { $0.anyHost } ?? [] }
        return AdmittedPeer(laptops[other].id, goingOnFrom: formers, provenUnder: epoch)
    }

    private mutating func verdict(
        of index: Int, on other: Int, _ meeting: HeldEpochs.Meeting
    ) throws(SimulationFailure) -> Roll.Verdict {
        // What rulings are to others' software.
        guard !isOutsider(index), let roll = laptops[index].look({ $0.roll }) else {
            return meeting.areLevel ? .linked : .catchUp
        }
        let verdict = roll.verdict(on: laptops[other].id, goingOnFrom: laptops[other].formers, meeting)
        if laptops[index].isHonest {
            try NothingToOutsiders.check(verdict, by: laptops[index], roll, on: laptops[other], meeting)
        }
        return verdict
    }

    /// As the agent shows them; the tag is a part of the ruling's ID.
    private func heldEpochs(_ index: Int) -> HeldEpochs {
        let laptop = laptops[index]
        func tag(_ ruling: RulingID) -> [UInt8] { Array(ruling.bytes.prefix(8)) }
        let book = laptop.look { $0.rulings } ?? RulingBook()
        var epochs = book.heldEpochs.map { HeldEpochs.Epoch(ruling: $0, tag: tag($0)) }
        if epochs.isEmpty { epochs = [.init(ruling: nil, tag: tag(phrase(of: laptop)))] }
        if let typed = laptop.typedPhrase, book.seeds[typed] == nil {
            epochs.insert(.init(ruling: nil, tag: tag(typed)), at: 0)
        }
        let knowledge: HeldEpochs.Knowledge =
            if epochs[0].ruling != nil { .ruling } else { book.founding == nil ? .phraseAlone : .typed }
        return HeldEpochs(epochs, knowledge)
    }

    /// By which it was entered.
    private func phrase(of laptop: Laptop) -> RulingID { laptop.entryPhrase ?? rulingLedger.founding! }

    /// Whether a laptop's phrase is made of a ruling.
    func isPhrase(_ ruling: RulingID, of index: Int) -> Bool {
        ruling == phrase(of: laptops[index]) || ruling == laptops[index].typedPhrase
    }

    // MARK: People

    /// Somebody is told that the phrase has changed, asks there for the new one, and types it.
    private mutating func askForPhrase(_ index: Int, at other: Int) {
        guard !isOutsider(index), !isOutsider(other), let roll = laptops[other].look({ $0.roll }),
            let epoch = roll.inForce, roll.isOpen(epoch), laptops[other].disk.seeds[epoch] != nil,
            roll.isMember(laptops[other].id)
        else { return }
        guard isGiven(epoch) else { return }
        plan(.typed(laptop: index, epoch), after: rulingsRandom.seconds(in: 0.5...5))
    }

    /// Whether people give away an epoch's phrase: not that of a host who is out and does not know it.
    private func isGiven(_ epoch: RulingID) -> Bool { !options.endsHosts || truth.epochs.contains(epoch) }

    mutating func typed(_ epoch: RulingID, _ index: Int) {
        guard laptops[index].disk.seeds[epoch] == nil, isGiven(epoch) else { return }
        tell("\(index): somebody types the phrase of \(epoch.hex.prefix(8))")
        laptops[index].typedPhrase = epoch
    }

    /// A host changes the phrase, and may put devices out.
    ///
    /// - Parameter seed: 32 bytes.
    mutating func changePhrase(
        _ index: Int, puttingOut devices: [DeviceID], seed: [UInt8], recovery: (any BatchSigning)? = nil
    ) throws(SimulationFailure) {
        let order = EngineInput.newPhrase(token: 0, Seed(bytes: seed)!, puttingOut: devices, recovery: recovery)
        try feed(index, laptops[index].life, order)
    }

    mutating func planHelp() { if options.hasEpochs { plan(.help, after: Self.helpInterval) } }

    /// Once nothing fails any longer, a host sees to it that everybody gets in who is to be in: where no phrase lets anybody
    /// in, or nobody has it, there is a new one; in some runs whoever waits is let in instead.
    mutating func help() throws(SimulationFailure) {
        planHelp()
        try watch.outsider.look(self)
        takeBackForgottenPhrases()
        if options.endsHosts {
            try letInWhoIsOut()
            try letInByCode()
        }
        guard let host = hostsAtWork.first, let roll = laptops[host].look({ $0.roll }), let epoch = roll.inForce else {
            return
        }
        helpCount += 1
        // Whoever only knows of an epoch that does not count may take nobody for a member who could tell it so.
        let isPatient = !options.endsHosts || helpCount <= Self.patience
        let waiting = isPatient ? strangers(to: roll) : laptops.indices.filter { laptops[$0].isHonest }
        let strangers = waiting.filter { laptops[$0].disk.seeds[epoch] == nil && !roll.isOut(laptops[$0].id) }
        guard !strangers.isEmpty else { return }
        if options.faults[.letIn] != nil, isPatient {
            return try letIn(strangers.map { laptops[$0].id }, by: host)
        }
        guard roll.isOpen(epoch), laptops[host].disk.seeds[epoch] != nil else {
            return try changePhrase(host, puttingOut: [], seed: rulingsRandom.bytes(Seed.byteCount))
        }
        for index in strangers { typed(epoch, index) }
    }

    /// Where all laptops that held an epoch have lost their journals, nobody can ever be told of it: whoever typed its phrase
    /// takes it back by typing the one of entry again.
    private mutating func takeBackForgottenPhrases() {
        let held = Set(laptops.filter(\.isHonest).flatMap(\.disk.seeds.keys))
        for index in laptops.indices {
            let laptop = laptops[index]
            guard laptop.isHonest, let typed = laptop.typedPhrase, !held.contains(typed) else { continue }
            tell("\(index): somebody takes back the phrase of \(typed.hex.prefix(8))")
            laptops[index].typedPhrase = nil
        }
    }

    /// The newest epoch, or who is out, is another one: the agent begins anew.
    mutating func beginAnew(_ index: Int, _ life: Int) throws(SimulationFailure) {
        guard laptops[index].life == life, laptops[index].isRunning else { return }
        try stop(index, away: rulingsRandom.seconds(in: 0.01...0.1))
    }
}

extension Engine {
    /// A host, if there is one that is known here.
    fileprivate var anyHost: [DeviceID] { rulings.founding == nil ? [] : Array(roll.hosts.prefix(1)) }
}
