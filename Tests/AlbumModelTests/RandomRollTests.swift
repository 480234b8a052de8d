import AlbumModel
import TestSupport
import Testing

/// Random histories of a gathering with several hosts, who rule beside each other, and one of whom turns against it.
///
/// Laptops know what they were told, and let in whom their own roll lets in. The hostile host, once it is put out, signs
/// whatever it can as if it were earlier, and goes with keys that it mints to those who have not heard: they hand it the
/// epochs that they hold, and take its keys for members.
@Suite struct RandomRollTests {
    /// No key that was minted after the end of the hostile host ever becomes a member, and nobody stops being one by being
    /// left out of a list. Rulings make the equal roll in whatever order they come, doubled, and piece by piece.
    @Test(arguments: 0..<3) func keysOfWhoIsOutStayOut(block: UInt64) { expectGoodHistories(block) }

    /// The same, 400 times in all.
    @Test(.slow, arguments: 3..<8) func keysOfWhoIsOutStayOutEver(block: UInt64) { expectGoodHistories(block) }

    private func expectGoodHistories(_ block: UInt64) {
        for seed in 0..<50 { expectGoodHistory(seed: block * 50 + UInt64(seed)) }
    }

    /// - Returns: whether nothing was wrong.
    @discardableResult
    func expectGoodHistory(seed: UInt64) -> Bool {
        var history = RollHistory(seed: seed)
        for _ in 0..<24 { history.step() }
        if let flaw = history.flaw { Issue.record("seed \(seed): \(flaw)") }
        return history.flaw == nil
    }
}

/// One gathering, from its founding on.
private struct RollHistory {
    private static let hostile: UInt8 = 1
    /// The founder, hosts, and others; minted keys come after them.
    private static let honest: [UInt8] = [0, 2, 3, 4, 5, 6]

    private struct View {
        var rulings: Set<RulingID>
        /// Under which epochs devices showed a proof here.
        var proofs: [UInt8: Set<RulingID>] = [:]
    }

    private var rulings: Rulings
    private var views: [UInt8: View] = [:]
    private var lineage: [(UInt8, from: UInt8)] = []
    /// Epochs whose seeds the hostile host has.
    private var stolen: Set<RulingID>
    /// The first ruling that put the hostile host out, and all that was there before.
    private var end: RulingID?
    private var minted: [UInt8] = []
    private var random: TestRandom
    /// What was wrong, if anything was.
    private(set) var flaw: String?

    init(seed: UInt64) {
        random = TestRandom(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        rulings = Rulings(salt: UInt8(truncatingIfNeeded: seed))
        stolen = [rulings.founding]
        // The hostile host is the senior of one of the others, or of none.
        var last = rulings.founding
        for host: UInt8 in random.next().isMultiple(of: 2) ? [2, 1, 3] : [2, 3, 1] {
            last = rulings.name(host, after: [last])
        }
        let known = Set(rulings.made)
        let proofs = Dictionary(uniqueKeysWithValues: (0...6).map { (UInt8($0), Set([rulings.founding])) })
        for laptop in Self.honest + [Self.hostile] { views[laptop] = View(rulings: known, proofs: proofs) }
    }

    mutating func step() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: meet()
        case 3: newEpoch()
        case 4: putOut()
        case 5: name()
        case 6: letIn()
        case 7: if end == nil { endHostile() } else { backdate() }
        default: if end != nil { visitLaggard() }
        }
        if flaw == nil { flaw = flawOfTruth() }
    }

    // MARK: Honest laptops

    private func roll(of laptop: UInt8) -> Roll { roll(views[laptop]!) }

    private func roll(_ view: View) -> Roll {
        let known = rulings.all.filter { view.rulings.contains($0.key) }
        return Rulings.roll(known, proved: view.proofs.mapValues { $0.map { $0 } }, lineage: lineage)
    }

    private func newest(_ known: Set<RulingID>) -> [RulingID] {
        known.subtracting(known.flatMap { rulings.all[$0]!.after }).sorted()
    }

    private mutating func meet() {
        let pair = Self.honest.shuffled(using: &random).prefix(2)
        var union = View(rulings: [])
        for laptop in pair {
            union.rulings.formUnion(views[laptop]!.rulings)
            union.proofs.merge(views[laptop]!.proofs) { $0.union($1) }
        }
        for laptop in pair {
            views[laptop] = union
            if let inForce = roll(union).inForce { views[laptop]!.proofs[laptop, default: []].insert(inForce) }
        }
    }

    /// A host that its own roll has, and is not out.
    private mutating func someHost() -> UInt8? {
        let host = Self.honest.randomElement(using: &random)!
        return roll(of: host).hosts.contains(laptop(host)) ? host : nil
    }

    /// Everybody that the host may list: its roll's members.
    private func members(of host: UInt8) -> [UInt8] {
        let roll = roll(of: host)
        return (Self.honest + [Self.hostile] + minted).filter { roll.isMember(laptop($0)) }
    }

    /// - Parameter listed: whom an epoch lists. Whoever is a member by more than a proof stays one without.
    private mutating func rule(
        by host: UInt8, listing listed: [UInt8] = [], _ ruling: (inout Rulings, [RulingID]) -> RulingID
    ) {
        let rulings = View(rulings: views[host]!.rulings)
        let unproved = roll(rulings)
        let members = listed + (Self.honest + minted).filter { unproved.isMember(laptop($0)) }
        let id = ruling(&self.rulings, newest(views[host]!.rulings))
        views[host]!.rulings.insert(id)
        let after = roll(of: host)
        for member in members where !after.isMember(laptop(member)) && !after.isOut(laptop(member)) {
            flaw = flaw ?? "\(member) was dropped by omission"
        }
        if !after.isValid(id) { flaw = flaw ?? "a ruling of a host in office is void" }
        if self.rulings.all[id]!.epoch != nil, !after.isOpen(id) {
            flaw = flaw ?? "an epoch that follows all is not open"
        }
    }

    private mutating func newEpoch() {
        guard let host = someHost() else { return }
        let members = members(of: host).filter { _ in !Int.random(in: 0..<4, using: &random).isMultiple(of: 4) }
        rule(by: host, listing: members) { $0.epoch(by: host, after: $1, members: members) }
    }

    private mutating func putOut() {
        guard let host = someHost() else { return }
        let roll = roll(of: host)
        let juniors = [4, 5, 6].filter { !roll.hosts.contains(laptop($0)) && roll.isMember(laptop($0)) }
        guard let victim = juniors.randomElement(using: &random) else { return }
        let members = members(of: host).filter { $0 != victim }
        rule(by: host, listing: members) { $0.epoch(by: host, after: $1, out: [victim], members: members) }
    }

    private mutating func name() {
        guard let host = someHost() else { return }
        let roll = roll(of: host)
        let named = [4, 5, 6].filter { roll.isMember(laptop($0)) }
        guard let named = named.randomElement(using: &random) else { return }
        rule(by: host) { $0.name(named, by: host, after: $1) }
    }

    private mutating func letIn() {
        guard let host = someHost(), let device = [UInt8](4...6).randomElement(using: &random) else { return }
        rule(by: host) { $0.letIn([device], by: host, after: $1) }
    }

    /// Somebody puts the hostile host out: its senior. All keys that it had until then are known, there are none.
    private mutating func endHostile() {
        guard let host = [UInt8(0), 2].randomElement(using: &random),
            roll(of: host).isSenior(laptop(host), to: laptop(Self.hostile))
        else { return }
        // What it knew until then it knows.
        views[Self.hostile]!.rulings.formUnion(views[host]!.rulings)
        stolen.formUnion(roll(of: host).epochs)
        let members = members(of: host).filter { $0 != Self.hostile }
        rule(by: host) { $0.epoch(by: host, after: $1, out: [Self.hostile], members: members) }
        end = rulings.made.last
    }

    // MARK: The hostile host

    /// Signs something as if it were earlier.
    private mutating func backdate() {
        let known = views[Self.hostile]!.rulings
        let after = Array(newest(known.filter { _ in Bool.random(using: &random) }.union([rulings.founding])).prefix(3))
        let key = mint()
        let seniors = [0, 2, 3].filter { _ in Bool.random(using: &random) }.map { UInt8($0) }
        let id: RulingID
        switch Int.random(in: 0..<5, using: &random) {
        case 0: id = rulings.name(key, by: Self.hostile, after: after)
        case 1: id = rulings.name(key, by: Self.hostile, after: after, goesOn: true)
        case 2: id = rulings.letIn([key, Self.hostile], by: Self.hostile, after: after)
        case 3: id = rulings.epoch(by: Self.hostile, after: after, out: seniors, members: [key, Self.hostile])
        // By a key that it named host.
        default:
            let by = minted.randomElement(using: &random)!
            id = rulings.epoch(by: by, after: after, out: seniors, members: minted + [Self.hostile])
        }
        views[Self.hostile]!.rulings.insert(id)
    }

    private mutating func mint() -> UInt8 {
        guard minted.count < 12 else { return minted.randomElement(using: &random)! }
        let key = UInt8(20 + minted.count)
        minted.append(key)
        if Bool.random(using: &random) { lineage.append((key, from: Self.hostile)) }
        return key
    }

    /// Goes to a laptop with one of its keys and a proof of an epoch whose seed it has, and shows what it wants it to see.
    private mutating func visitLaggard() {
        let laggard = Self.honest.randomElement(using: &random)!
        let key = Bool.random(using: &random) ? Self.hostile : mint()
        let shown = views[Self.hostile]!.rulings
        let before = roll(of: laggard)
        let device = laptop(key)
        // Of a prefix of the graph everything is there that it follows.
        let merged = Bool.random(using: &random) ? views[laggard]!.rulings.union(shown) : views[laggard]!.rulings
        guard let epoch = before.epochs.filter(stolen.contains).randomElement(using: &random),
            before.isMember(device) || before.isOpen(epoch), !before.isOut(device)
        else { return }
        views[laggard]!.rulings = merged
        let after = roll(of: laggard)
        guard !after.isOut(device) else { return }
        if after.isMember(device) {
            stolen.formUnion(after.epochs)
            views[Self.hostile]!.rulings.formUnion(merged)
        }
        // Linked, it shows a first batch under the open epoch.
        if let open = after.inForce, after.isOpen(open), stolen.contains(open) {
            views[laggard]!.proofs[key, default: []].insert(open)
        }
    }

    // MARK: The truth

    /// The roll of all that was ever signed, by somebody who met every key under every epoch whose seed was stolen.
    private mutating func flawOfTruth() -> String? {
        var proofs = views.values.reduce(into: [UInt8: Set<RulingID>]()) { all, view in
            all.merge(view.proofs) { $0.union($1) }
        }
        for key in minted { proofs[key, default: []].formUnion(stolen) }
        let proved = proofs.mapValues { $0.map { Optional($0) } }
        let truth = rulings.roll(proved: proved, lineage: lineage)
        if end != nil, truth.isOut(laptop(Self.hostile)) {
            if let key = minted.first(where: { truth.isMember(laptop($0)) }) { return "minted key \(key) is a member" }
        } else if end != nil {
            return "the hostile host is back"
        }
        // In another order, and a part of it first.
        let shuffled = Dictionary(uniqueKeysWithValues: rulings.all.shuffled(using: &random))
        return truth == Rulings.roll(shuffled, proved: proved, lineage: lineage) ? nil : "rolls differ"
    }
}
