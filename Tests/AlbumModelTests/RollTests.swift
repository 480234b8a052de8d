import AlbumModel
import Testing

/// Each rule by which rulings make a roll, with the smallest gatherings that show it.
@Suite struct RollTests {
    /// Hosts stand by how far they are from the founder, then by their namer, then by when they were named; as whom a host
    /// goes on stands right behind it.
    @Test func hostsHaveRanks() {
        var rulings = Rulings()
        let first = rulings.name(1)
        let second = rulings.name(2, after: [first])
        let grandchild = rulings.name(3, by: 2, after: [second])
        // Later than all that, and nearer to the founder.
        rulings.name(4, after: [grandchild])
        rulings.name(5, by: 1, after: [grandchild])
        let moved = rulings.name(6, by: 1, after: [first], goesOn: true)
        rulings.name(7, by: 6, after: [moved], goesOn: true)
        // By the recovery code: like the founder.
        rulings.name(8, by: 255)
        #expect(rulings.roll().hosts == [0, 8, 1, 6, 7, 2, 4, 5, 3].map(laptop))
        #expect(rulings.roll().founder == laptop(0))
        #expect(rulings.roll().isSenior(laptop(1), to: laptop(2)))
        #expect(!rulings.roll().isSenior(laptop(2), to: laptop(1)))
        #expect(!rulings.roll().isSenior(laptop(2), to: laptop(9)))
    }

    /// Who was named by nobody, or only by who was no host yet, rules nothing.
    @Test func onlyHostsRule() {
        var rulings = Rulings()
        let stranger = rulings.epoch(by: 9, out: [0, 1])
        let first = rulings.name(1)
        // Its own naming is not among what it follows.
        let early = rulings.epoch(by: 1, after: [rulings.founding], out: [5])
        let late = rulings.epoch(by: 1, after: [first], out: [6])
        let roll = rulings.roll()
        #expect(!roll.isValid(stranger))
        #expect(!roll.isValid(early))
        #expect(roll.isValid(late))
        #expect([0, 1, 5, 6].map { roll.isOut(laptop($0)) } == [false, false, false, true])
    }

    /// Of who is out the rulings count that the epoch follows, but for those that it declares void, and none that were
    /// signed beside it; named anew after it, the host rules again.
    @Test func whoIsOutRulesNoMore() {
        var rulings = Rulings()
        let naming = rulings.name(1)
        let good = rulings.name(2, by: 1, after: [naming])
        let undone = rulings.name(3, by: 1, after: [naming])
        let end = rulings.epoch(after: [good, undone], out: [1], voids: [undone])
        let backdated = rulings.name(4, by: 1, after: [good])
        let after = rulings.name(5, by: 1, after: [end])
        #expect([good, undone, backdated, after].map { rulings.roll().isValid($0) } == [true, false, false, false])
        #expect(rulings.roll().hosts == [0, 2].map(laptop))
        // A junior names it, which does not help; then the founder does.
        let byJunior = rulings.name(1, by: 2, after: [end])
        let unhelped = rulings.name(6, by: 1, after: [byJunior])
        let again = rulings.name(1, after: [end])
        let helped = rulings.name(7, by: 1, after: [again])
        #expect([unhelped, helped].map { rulings.roll().isValid($0) } == [false, true])
        #expect(rulings.roll().isOut(laptop(1)))
        rulings.letIn([1], after: [end])
        #expect(rulings.roll().hosts == [0, 1, 2, 7].map(laptop))
    }

    /// A host that was put out and let in again is a member, and no host before it is named again by whoever put it out, or a
    /// senior: until then nothing that it rules counts.
    @Test func whoIsLetInIsNoHost() {
        var rulings = Rulings()
        let first = rulings.name(1)
        let second = rulings.name(2, by: 1, after: [first])
        let end = rulings.epoch(by: 1, after: [second], out: [2])
        let letIn = rulings.letIn([2], by: 1, after: [end])
        let early = rulings.epoch(by: 2, after: [letIn])
        #expect(rulings.roll().isMember(laptop(2)) && !rulings.roll().isOut(laptop(2)))
        #expect(rulings.roll().hosts == [0, 1].map(laptop) && !rulings.roll().isValid(early))
        let again = rulings.name(2, by: 1, after: [letIn])
        let late = rulings.epoch(by: 2, after: [again])
        #expect(rulings.roll().hosts == [0, 1, 2].map(laptop) && rulings.roll().isValid(late))
        // Nor do juniors unmake hosts.
        rulings.epoch(by: 2, after: [late], out: [1])
        #expect(rulings.roll().hosts == [0, 1, 2].map(laptop))
    }

    /// Whoever put a laptop out may let it in, and a senior; of two who did only those who may for both.
    @Test func hostsMayLetIn() {
        var rulings = Rulings()
        let first = rulings.name(1)
        let second = rulings.name(2, after: [first])
        #expect(rulings.roll().hosts(whoMayLetIn: laptop(5)) == [0, 1, 2].map(laptop))
        let end = rulings.epoch(by: 2, after: [second], out: [5])
        #expect(rulings.roll().hosts(whoMayLetIn: laptop(5)) == [0, 1, 2].map(laptop))
        rulings.epoch(by: 1, after: [end], out: [5])
        #expect(rulings.roll().hosts(whoMayLetIn: laptop(5)) == [0, 1].map(laptop))
        let letIn = rulings.letIn([5], by: 1, after: rulings.made.suffix(1))
        #expect(!rulings.roll().isOut(laptop(5)))
        // The senior's end is lifted: it does not count any more.
        rulings.epoch(by: 2, after: [letIn], out: [5])
        #expect(rulings.roll().hosts(whoMayLetIn: laptop(5)) == [0, 1, 2].map(laptop))
    }

    /// Of two hosts that put each other out the senior stays.
    @Test func seniorsPutJuniorsOut() {
        var rulings = Rulings()
        let first = rulings.name(1)
        let second = rulings.name(2, after: [first])
        rulings.epoch(by: 1, after: [second], out: [2])
        let ofJunior = rulings.epoch(by: 2, after: [second], out: [1, 0])
        #expect([0, 1, 2].map { rulings.roll().isOut(laptop($0)) } == [false, false, true])
        #expect(!rulings.roll().isValid(ofJunior))
    }

    /// A junior's epoch counts, but for what it says about its seniors and itself; the recovery code's puts the founder out.
    @Test func outsAgainstSeniorsAreIgnored() {
        var rulings = Rulings()
        let naming = rulings.name(1)
        let epoch = rulings.epoch(by: 1, after: [naming], out: [0, 1, 5], members: [0, 1])
        #expect(rulings.roll().isValid(epoch))
        #expect([0, 1, 5].map { rulings.roll().isOut(laptop($0)) } == [false, false, true])
        rulings.epoch(by: 255, after: [epoch], out: [0])
        #expect([0, 1].map { rulings.roll().isOut(laptop($0)) } == [true, false])
        #expect(rulings.roll().hosts == [laptop(1)])
    }

    /// A let-in lifts what it follows, if its author or a senior of theirs signed that.
    @Test func letInsLift() {
        var rulings = Rulings()
        let first = rulings.name(1)
        let second = rulings.name(2, after: [first])
        let end = rulings.epoch(by: 1, after: [second], out: [5, 6, 7])
        rulings.letIn([5], by: 2, after: [end])
        rulings.letIn([6], by: 1, after: [end])
        rulings.letIn([7], by: 0, after: [second])
        #expect([5, 6, 7].map { rulings.roll().isOut(laptop($0)) } == [true, false, true])
        rulings.letIn([7], by: 0, after: [end])
        #expect(!rulings.roll().isOut(laptop(7)))
        #expect(rulings.roll().isMember(laptop(7)))
    }

    /// What several epochs name counts together while they keep the laptop out; a let-in lifts what it follows, and of whoever
    /// comes in again everything counts.
    @Test func cutsOfStandingEpochsCountTogether() {
        var rulings = Rulings()
        let naming = rulings.name(1)
        #expect(rulings.roll().cuts.isEmpty)
        let first = rulings.epoch(after: [naming], out: [5], cuts: [5: [cut(1, at: 3)]])
        let beside = rulings.epoch(by: 1, after: [naming], out: [5], cuts: [5: [cut(1, at: 7), cut(2, at: 2)]])
        let cuts = rulings.roll().cuts
        #expect(cuts.devices == [laptop(5)])
        #expect(cuts.ends(of: replica(1), by: laptop(5)) == Set(cut(1, at: 3).ends + cut(1, at: 7).ends))
        #expect(cuts.ends(of: replica(2), by: laptop(5)) == Set(cut(2, at: 2).ends))
        // Nothing counts of a replica that nobody knew, and everything of everybody else's.
        #expect(cuts.ends(of: replica(3), by: laptop(5))?.isEmpty == true)
        #expect(cuts.ends(of: replica(1), by: laptop(6)) == nil)
        // At home everything does.
        #expect(rulings.roll().cuts(on: laptop(5)).isEmpty && rulings.roll().cuts(on: laptop(6)) == cuts)
        rulings.letIn([5], after: [first])
        #expect(rulings.roll().cuts.ends(of: replica(1), by: laptop(5)) == Set(cut(1, at: 7).ends))
        rulings.letIn([5], after: [beside])
        #expect(rulings.roll().cuts.isEmpty)
    }

    /// What a junior names of its senior cuts nothing, nor does what is void.
    @Test func cutsAreOfWhoeverMayPutOut() {
        var rulings = Rulings()
        let naming = rulings.name(1)
        let ofJunior = rulings.epoch(
            by: 1, after: [naming], out: [0, 5], cuts: [0: [cut(1, at: 1)], 5: [cut(2, at: 1)]])
        #expect(rulings.roll().cuts.devices == [laptop(5)])
        rulings.epoch(after: [ofJunior], out: [1], cuts: [1: [cut(3, at: 4)]], voids: [ofJunior])
        #expect(rulings.roll().cuts.devices == [laptop(1)])
    }

    /// Of more ends than a ruling can name the highest are named.
    @Test func cutsAreNamedInTheirOrder() {
        var rulings = Rulings()
        let cuts = [cut(2, at: 9), cut(1, at: 5)].sorted { $0.replica < $1.replica }
        let first = rulings.epoch(out: [5], cuts: [5: cuts])
        rulings.epoch(after: [first], out: [5], cuts: [5: [cut(1, at: 4), cut(1, at: 6)]])
        let all = rulings.roll().cuts
        func named(_ endCountMax: Int, _ replicaEndCountMax: Int) -> [Ruling.Cut] {
            all.named(of: laptop(5), endCountMax: endCountMax, replicaEndCountMax: replicaEndCountMax)
        }
        let ofFirst = ([4, 5, 6] as [UInt64]).flatMap { cut(1, at: $0).ends }
        #expect(named(9, 9) == [Ruling.Cut(replica: replica(1), ends: ofFirst), cut(2, at: 9)])
        #expect(named(9, 2) == [Ruling.Cut(replica: replica(1), ends: Array(ofFirst.suffix(2))), cut(2, at: 9)])
        #expect(named(1, 9) == [Ruling.Cut(replica: replica(1), ends: Array(ofFirst.suffix(1)))])
        #expect(all.named(of: laptop(6), endCountMax: 9, replicaEndCountMax: 9).isEmpty)
    }

    private func replica(_ number: UInt8) -> ReplicaID { ReplicaID(bytes: [UInt8](repeating: number, count: 16))! }

    /// Up to the batch that ends at this number.
    private func cut(_ number: UInt8, at sequence: UInt64) -> Ruling.Cut {
        let batch = BatchID(bytes: [UInt8](repeating: number, count: 24) + BigEndian.bytes(sequence))!
        return Ruling.Cut(replica: replica(number), ends: [Ruling.Cut.End(sequence: sequence, batch: batch)])
    }

    /// Of epochs that no other one follows the highest is in force, and open only if it is alone. What both name is out.
    @Test func oneEpochIsInForce() {
        var rulings = Rulings()
        let founding = rulings.founding
        #expect(rulings.roll().inForce == founding)
        #expect(rulings.roll().isOpen(founding))
        let naming = rulings.name(1)
        let low = rulings.epoch(out: [5])
        #expect(rulings.roll().inForce == low)
        #expect(rulings.roll().isOpen(low) && !rulings.roll().isOpen(founding))
        let high = rulings.epoch(by: 1, after: [naming], out: [6])
        #expect(rulings.roll().inForce == high)
        #expect(!rulings.roll().isOpen(low) && !rulings.roll().isOpen(high))
        #expect(rulings.roll().isOut(laptop(5)) && rulings.roll().isOut(laptop(6)))
        let joined = rulings.epoch(after: [low, high])
        #expect(rulings.roll().isOpen(joined))
        #expect(rulings.roll().epochs == [founding, low, high, joined])
        #expect(rulings.roll().isOut(laptop(5)))
    }

    /// Of two epochs of one height the greater ID is in force.
    @Test(arguments: UInt8(0)..<8) func equalHeightsGoByID(salt: UInt8) {
        var rulings = Rulings(salt: salt)
        let naming = rulings.name(1)
        let both = [rulings.epoch(after: [naming]), rulings.epoch(by: 1, after: [naming])]
        #expect(rulings.roll().inForce == both.max())
    }

    /// Whoever proved the open epoch's phrase is a member; of another epoch's, only who is known to each epoch.
    @Test func proofsUnderTheOpenEpochCount() {
        var rulings = Rulings()
        let founding = rulings.founding
        #expect(rulings.roll(proved: [5: [nil]]).isMember(laptop(5)))
        #expect(rulings.roll(proved: [5: [founding]]).isMember(laptop(5)))
        #expect(!rulings.roll().isMember(laptop(5)))
        let epoch = rulings.epoch(members: [0, 5])
        #expect(rulings.roll(proved: [5: [nil]]).isMember(laptop(5)))
        #expect(!rulings.roll(proved: [6: [nil, founding]]).isMember(laptop(6)))
        #expect(rulings.roll(proved: [6: [epoch]]).isMember(laptop(6)))
    }

    /// A member stays one however few the next epochs list; who is listed by one of two concurrent epochs waits, until what
    /// follows the other one lists or lets them in. No epoch drops a host by omission.
    @Test func eachEpochKnowsItsMembers() {
        var rulings = Rulings()
        let naming = rulings.name(1)
        let first = rulings.epoch(after: [naming], members: [0, 1, 5])
        let second = rulings.epoch(after: [first])
        let third = rulings.epoch(after: [second])
        #expect([1, 5, 6].map { rulings.roll().isMember(laptop($0)) } == [true, true, false])
        let beside = rulings.epoch(by: 1, after: [naming], members: [6])
        #expect([1, 5, 6].map { rulings.roll().isMember(laptop($0)) } == [true, false, false])
        rulings.letIn([5], by: 1, after: [beside])
        rulings.letIn([6], by: 1, after: [third])
        #expect([1, 5, 6].map { rulings.roll().isMember(laptop($0)) } == [true, true, true])
        // Whom an epoch lists that follows both need not be let in.
        #expect(!rulings.roll().isMember(laptop(7)))
        rulings.epoch(after: [third, beside], members: [7])
        #expect(rulings.roll().isMember(laptop(7)))
    }

    /// A device is a member with the one that it goes on from, and is not with one that is out, however many lie between.
    @Test func successorsComeInAndGoOutWithTheirFormers() {
        var rulings = Rulings()
        rulings.epoch(out: [6], members: [5, 8])
        let lineage: [(UInt8, from: UInt8)] = [
            (10, from: 5), (11, from: 10), (12, from: 6), (13, from: 12), (6, from: 5), (20, from: 21),
            (21, from: 20), (8, from: 6),
        ]
        let roll = rulings.roll(lineage: lineage)
        #expect([10, 11, 12, 13, 20, 8].map { roll.isMember(laptop($0)) } == [true, true, false, false, false, true])
    }

    /// Without a founding nothing changes: everybody is a member.
    @Test func withoutFoundingEverybodyIsIn() {
        let roll = Rulings.roll([:])
        #expect(roll.inForce == nil && roll.founder == nil && roll.hosts.isEmpty && roll.epochs.isEmpty)
        #expect(roll.isMember(laptop(3)) && !roll.isOut(laptop(3)))
        #expect(roll.verdict(on: laptop(3), meeting(nil, areLevel: true)) == .linked)
    }

    /// What does not lead to the founding, or leads to one that is not here, has no effect; nor has an unknown kind.
    @Test func looseRulingsAreLeftOut() {
        var rulings = Rulings()
        let loose = rulings.name(1, after: [RulingID(content: [77])])
        let below = rulings.epoch(after: [loose, rulings.founding], out: [5])
        let unknown = rulings.rule(0, .unknown)
        #expect(rulings.roll().hosts == [laptop(0)])
        #expect([loose, below, unknown].map { rulings.roll().isValid($0) } == [false, false, true])
        #expect(rulings.roll().epochs == [rulings.founding])
    }

    private func meeting(_ epoch: RulingID?, areLevel: Bool) -> HeldEpochs.Meeting {
        .init(common: .init(ruling: epoch, tag: [1]), areLevel: areLevel)
    }

    /// The whole table of verdicts.
    @Test func verdicts() {
        var rulings = Rulings()
        let (member, removed, stranger) = (laptop(5), laptop(6), laptop(7))
        let old = rulings.founding
        let open = rulings.epoch(out: [6], members: [0, 5])
        let roll = rulings.roll()
        #expect(roll.verdict(on: member, meeting(open, areLevel: true)) == .linked)
        #expect(roll.verdict(on: member, meeting(old, areLevel: false)) == .catchUp)
        #expect(roll.verdict(on: stranger, meeting(open, areLevel: true)) == .linked)
        #expect(roll.verdict(on: stranger, meeting(open, areLevel: false)) == .catchUp)
        #expect(roll.verdict(on: stranger, meeting(old, areLevel: false)) == .phraseChanged)
        for (epoch, areLevel) in [(open, true), (old, false)] {
            #expect(roll.verdict(on: removed, meeting(epoch, areLevel: areLevel)) == .out)
        }
    }
}
