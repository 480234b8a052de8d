/// Who is in a gathering, as its hosts ruled: who is host, which phrase is in force, and who is out.
///
/// The fold of rulings. A value without I/O: equal rulings make equal rolls, in whatever order they came.
public struct Roll: Hashable, Sendable {
    /// What an agent answers to a device that shows a right proof of some epoch.
    public enum Verdict: Hashable, Sendable {
        /// Both go on as equals.
        case linked
        /// One of them lacks rulings or seeds, which are exchanged first.
        case catchUp
        /// The device was put out.
        case out
        /// The device is no member, and its epoch lets nobody in any longer.
        case phraseChanged
    }

    private let graph: RulingGraph
    private let ranking: HostRanking
    /// All valid epochs, the founding among them; by height and ID.
    private let validEpochs: [Int]
    /// Those that no other valid epoch follows.
    private let newestEpochs: [Int]
    /// Valid rulings that let somebody in.
    private let letIns: [Int]
    /// All that are out.
    public let out: Set<DeviceID>
    private let proofs: [DeviceID: Set<EpochPrefix?>]
    private let lineage: Lineage

    /// - Parameters:
    ///   - rulings: those that do not lead to the founding are left out.
    ///   - proofs: under which epochs' keys each device proved that it knew the phrase; `nil` is the first epoch, which
    ///     proofs do not name.
    ///   - lineage: which devices go on from which others.
    public init(rulings: [RulingID: Ruling], proofs: [DeviceID: Set<EpochPrefix?>], lineage: Lineage) {
        let graph = RulingGraph(rulings)
        let ranking = HostRanking(graph)
        let epochs = ranking.valid.places.filter {
            let ruling = graph.nodes[$0].ruling
            return ruling.founding != nil || ruling.epoch != nil
        }
        let letIns = ranking.valid.places.filter { graph.nodes[$0].ruling.letIn != nil }
        var followed = PlaceSet()
        for epoch in epochs { followed.formUnion(graph.nodes[epoch].followed) }
        self.graph = graph
        self.ranking = ranking
        self.proofs = proofs
        self.lineage = lineage
        self.letIns = letIns
        validEpochs = epochs
        newestEpochs = epochs.filter { !followed.contains($0) }
        let winner = newestEpochs.last
        out = Set(
            ranking.outs.keys.filter { device in
                ranking.ends(of: device, in: graph).contains { epoch in
                    Self.isStanding(epoch, for: device, winner: winner, letIns, graph, ranking)
                }
            })
    }

    /// Whether an epoch that put the device out keeps it out.
    private static func isStanding(
        _ epoch: Int, for device: DeviceID, winner: Int?, _ letIns: [Int], _ graph: RulingGraph, _ ranking: HostRanking
    ) -> Bool {
        if PlantedFault.isPlanted(.onlyWinnerRemoves), epoch != winner { return false }
        return !isLifted(epoch, for: device, by: letIns, graph, ranking)
    }

    /// Whether its author, or a senior of theirs, let the device in again after the epoch.
    private static func isLifted(
        _ epoch: Int, for device: DeviceID, by letIns: [Int], _ graph: RulingGraph, _ ranking: HostRanking
    ) -> Bool {
        letIns.contains { letIn in
            graph.follows(letIn, epoch) && ranking.rank(of: letIn, in: graph) <= ranking.rank(of: epoch, in: graph)
                && graph.nodes[letIn].ruling.letIn!.contains(device) && !PlantedFault.isPlanted(.letInLiftsNothing)
        }
    }

    // MARK: Hosts

    /// Who made the gathering; `nil` where that is not known.
    public var founder: DeviceID? { graph.nodes.first?.ruling.author }

    /// Whose rulings count from now on, by rank: neither who is out, nor who was and has not been named again.
    public var hosts: [DeviceID] {
        ranking.ranked.dropFirst().filter { !isOut($0) && ranking.mayRule($0, in: graph) }
    }

    /// Whether the first host is one for longer than the second, so that it may put that one out; both are hosts.
    public func isSenior(_ host: DeviceID, to other: DeviceID) -> Bool {
        guard let rank = ranking.ranks[host], let otherRank = ranking.ranks[other] else { return false }
        return rank < otherRank
    }

    /// Those who may let a device in again: whoever put it out, and the seniors of all who did. All hosts where it is not out.
    public func hosts(whoMayLetIn device: DeviceID) -> [DeviceID] {
        let ends = ranking.ends(of: device, in: graph)
            .filter { !Self.isLifted($0, for: device, by: letIns, graph, ranking) }
        guard let rankMax = ends.map({ ranking.rank(of: $0, in: graph) }).min() else { return hosts }
        return hosts.filter { ranking.ranks[$0]! <= rankMax }
    }

    /// Devices that valid rulings let in, whether anybody has met them or not.
    public var letIn: Set<DeviceID> { Set(letIns.flatMap { graph.nodes[$0].ruling.letIn! }) }

    // MARK: Epochs

    /// Valid epochs, the first one among them; each comes after those that it follows.
    public var epochs: [RulingID] { validEpochs.map { graph.nodes[$0].id } }

    /// The epoch whose phrase members use; `nil` without a founding.
    public var inForce: RulingID? { newestEpochs.last.map { graph.nodes[$0].id } }

    /// Whether whoever knows the epoch's phrase may come in.
    public func isOpen(_ epoch: RulingID) -> Bool {
        guard let newest = newestEpochs.last, graph.nodes[newest].id == epoch else { return false }
        return newestEpochs.count == 1 || PlantedFault.isPlanted(.concurrentEpochOpen)
    }

    /// Whether whoever knows the phrase that is in force may come in; without a founding everybody may.
    public var isDoorOpen: Bool { inForce.map { isOpen($0) } ?? true }

    /// Valid epochs of these, newest first: so a device orders those whose seeds it holds.
    public func newestFirst(_ held: Set<RulingID>) -> [RulingID] { epochs.reversed().filter(held.contains) }

    /// Whether a ruling counts.
    public func isValid(_ ruling: RulingID) -> Bool {
        graph.place(of: ruling).map { ranking.valid.contains($0) } ?? false
    }

    // MARK: Devices

    public func isOut(_ device: DeviceID) -> Bool { out.contains(device) }

    /// As far as which the batches of those that are out count. What several epochs name that keep a device out counts
    /// together; of a replica that none of them names nothing does.
    public var cuts: Cuts {
        var cuts = Cuts(of: out)
        for epoch in validEpochs {
            for named in graph.nodes[epoch].ruling.epoch?.out ?? []
            where isOut(named.device) && ranking.isEnd(epoch, of: named.device, in: graph)
                && Self.isStanding(epoch, for: named.device, winner: newestEpochs.last, letIns, graph, ranking)
            {
                cuts.merge(named)
            }
        }
        return cuts
    }

    /// The same on one device: where that is out itself, everything counts, so that nobody loses anything at home.
    public func cuts(on device: DeviceID) -> Cuts { isOut(device) ? Cuts() : cuts }

    /// Without a founding everybody is a member.
    public func isMember(_ device: DeviceID) -> Bool {
        isMember(device, validEpochs, inForce: inForce.map { ($0, isOpen: isOpen($0)) })
    }

    /// Whether a device would be a member if the newest epoch, which follows all others, said of members nothing.
    public func isMemberBeforeNewest(_ device: DeviceID) -> Bool {
        let epochs = validEpochs.dropLast()
        var followed = PlaceSet()
        for epoch in epochs { followed.formUnion(graph.nodes[epoch].followed) }
        let newest = epochs.filter { !followed.contains($0) }
        let inForce = newest.last.map { (graph.nodes[$0].id, isOpen: newest.count == 1) }
        return isMember(device, Array(epochs), inForce: inForce)
    }

    private func isMember(
        _ device: DeviceID, _ epochs: [Int], inForce: (epoch: RulingID, isOpen: Bool)?
    ) -> Bool {
        var waiting = [device]
        var seen: Set<DeviceID> = []
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted, !isOut(next) else { continue }
            if isMemberByItself(next, epochs, inForce: inForce) { return true }
            waiting += lineage.directFormers(of: next)
        }
        return false
    }

    /// Without whom it goes on from; the device is not out.
    private func isMemberByItself(
        _ device: DeviceID, _ epochs: [Int], inForce: (epoch: RulingID, isOpen: Bool)?
    ) -> Bool {
        guard let inForce else { return true }
        if let rank = ranking.ranks[device], rank > 0 { return true }
        let proved = proofs[device] ?? []
        if inForce.isOpen, proved.contains(EpochPrefix(inForce.epoch)) { return true }
        if inForce.isOpen, inForce.epoch == graph.founding, proved.contains(nil) { return true }
        return isKnownToAll(epochs.dropFirst(), device)
    }

    /// Each of these epochs listed the device or let it in, or something that it follows did, or that follows it.
    private func isKnownToAll(_ epochs: some Collection<Int>, _ device: DeviceID) -> Bool {
        guard !epochs.isEmpty else { return false }
        let prefix = MemberPrefix(device)
        let listings = epochs.filter { graph.nodes[$0].ruling.epoch!.members.contains(sorted: prefix) }
        let all = listings + letIns.filter { graph.nodes[$0].ruling.letIn!.contains(device) }
        if PlantedFault.isPlanted(.anyListingCounts) { return !all.isEmpty }
        if PlantedFault.isPlanted(.omittedMemberDropped) { return all.contains(epochs.max()!) }
        return epochs.allSatisfy { epoch in
            all.contains { $0 == epoch || graph.follows(epoch, $0) || graph.follows($0, epoch) }
        }
    }

    // MARK: Admission

    /// What becomes of a device whose proof under an epoch is right. Both sides of a connection ask it about the other one.
    ///
    /// A phrase that a person typed here and whose ruling is not known is as good as an open one for catching up: whoever
    /// proves it is asked what became of the gathering.
    ///
    /// - Parameters:
    ///   - device: of the other side's key.
    ///   - formers: whom it goes on from by words that were checked.
    public func verdict(
        on device: DeviceID, goingOnFrom formers: [DeviceID] = [], _ meeting: HeldEpochs.Meeting
    ) -> Verdict {
        let epoch = meeting.common.ruling
        if isOut(device) { return .out }
        guard epoch == nil || isMember(device, goingOnFrom: formers, provenUnder: epoch) else { return .phraseChanged }
        // Between two of whom one knows a founding nothing is level; here it is the phrase that is not known.
        let isUnknown = epoch == nil && founder != nil
        return meeting.areLevel && !isUnknown ? .linked : .catchUp
    }

    /// Whether a device is a member that proved over a connection that it knows an epoch's phrase.
    ///
    /// - Parameters:
    ///   - formers: whom it goes on from by words that were checked.
    ///   - epoch: `nil` for a phrase whose ruling is not known here, which proves nothing.
    public func isMember(
        _ device: DeviceID, goingOnFrom formers: [DeviceID] = [], provenUnder epoch: RulingID?
    ) -> Bool {
        guard !isOut(device) else { return false }
        if let epoch, isOpen(epoch) || PlantedFault.isPlanted(.oldProofTaken) { return true }
        return isMember(device) || formers.contains { isMember($0) }
    }
}

extension Ruling {
    /// Whom the ruling lets in; `nil` for all that is no let-in.
    var letIn: [DeviceID]? {
        if case .letIn(let devices) = kind { devices } else { nil }
    }
}

extension Array where Element: Comparable {
    /// The list is sorted.
    func contains(sorted element: Element) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == element
    }
}
