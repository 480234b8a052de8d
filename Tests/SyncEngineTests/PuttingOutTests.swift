import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What a host that goes out has ruled leads nobody in, and keeps nobody from putting it out. Laptop 1 founded the gathering.
@Suite struct PuttingOutTests {
    private let rulings = TestRulings()
    private let seed = Seed(bytes: [UInt8](repeating: 3, count: Seed.byteCount))!

    private func device(_ number: UInt8) -> DeviceID { TestRulings.device(TestSigning(number)) }

    /// The founder's engine alone, with these rulings too.
    private func founder(_ statements: [SignedStatement]) throws -> TestNetwork {
        var network = TestNetwork()
        network.founding = rulings.id
        try network.add(
            TestRulings.founder, rulings: [rulings.founding] + statements, seeds: [rulings.id: rulings.seed])
        return network
    }

    /// Puts out; the epoch, as the founder's book has it.
    private func putOut(_ numbers: UInt8..., in network: inout TestNetwork) throws -> Ruling.Epoch {
        network.feed(0, .newPhrase(token: 5, seed, puttingOut: numbers.map { device($0) }))
        network.settle()
        #expect(network.nodes[0].events.contains(.ruled(token: 5)), "\(network.nodes[0].events)")
        let book = network.nodes[0].engine.rulings
        return try #require(book.ids.last.flatMap { book[$0]?.epoch })
    }

    private func epoch(
        out: [UInt8] = [], members: [UInt8] = [], after: [RulingID], by author: TestSigning
    ) -> SignedStatement {
        let kind = Ruling.Kind.epoch(
            Ruling.Epoch(
                commitment: seed.commitment, out: out.map { Ruling.Out(device: device($0)) },
                members: members.map { MemberPrefix(device($0)) }.sorted()))
        return TestRulings.sign(kind, after: after, by: author)
    }

    /// Host 2 made 3 host, who made 4 host and put it out. Once 2 goes, 3 is host no longer, and 4 stays out; what 4 signed since stays void.
    @Test func whoWasPutOutByAHostThatFallsStaysOut() throws {
        let (two, three, four) = (TestSigning(2), TestSigning(3), TestSigning(4))
        let naming = rulings.naming(two)
        let second = rulings.naming(three, by: two, after: naming.rulingID)
        let third = rulings.naming(four, by: three, after: second.rulingID)
        let ending = epoch(out: [4], members: [1, 2, 3], after: [third.rulingID], by: three)
        // It does not know that it is out, or does not say so.
        let late = rulings.naming(TestSigning(5), by: four, after: third.rulingID)
        var network = try founder([naming, second, third, ending, late])
        #expect(network.nodes[0].engine.roll.out == [device(4)])
        #expect(network.nodes[0].engine.roll.hosts == [device(1), device(2), device(3)])
        let then = network.nodes[0].engine.roll(puttingOut: [device(2)])
        let epoch = try putOut(2, in: &network)
        let roll = network.nodes[0].engine.roll
        #expect(roll.out == [device(2), device(4)] && then.out == roll.out)
        #expect(roll.hosts == [device(1)] && then.hosts == roll.hosts)
        #expect(Set(epoch.out.map(\.device)) == [device(2), device(4)])
        #expect(epoch.voids.contains(late.rulingID) && !epoch.voids.contains(ending.rulingID))
        #expect(!roll.isMember(device(5)) && !roll.isMember(device(4)))
    }

    /// Host 2 put 4 out, and laggards brought what 4 signed since. Once 2 goes, 4 is put out again as far as before.
    @Test func whoIsPutOutAgainGetsNoMore() throws {
        let two = TestSigning(2)
        let naming = rulings.naming(two)
        var network = try founder([naming])
        try network.add(TestSigning(4), rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        network.connect(0, 1)
        network.feed(1, .contribute(token: 1, .deviceName("A")))
        network.settle()
        let cuts = network.nodes[0].engine.log.cuts(of: device(4), countMax: 9)
        #expect(cuts.flatMap { $0.ends.map(\.sequence) } == [1])
        network.feed(1, .contribute(token: 2, .deviceName("B")))
        network.settle()
        let kind = Ruling.Kind.epoch(
            Ruling.Epoch(
                commitment: seed.commitment, out: [Ruling.Out(device: device(4), cuts: cuts)],
                members: [1, 2].map { MemberPrefix(device($0)) }.sorted()))
        let ending = TestRulings.sign(kind, after: [naming.rulingID], by: two)
        network.feed(0, .caughtUp(token: 3, [ending], seeds: [:]))
        network.settle()
        let heads = network.nodes[0].engine.log.cuts(of: device(4), countMax: 9)
        #expect(heads.flatMap { $0.ends.map(\.sequence) } == [2])
        let epoch = try putOut(2, in: &network)
        #expect(epoch.out.first { $0.device == device(4) }?.cuts == cuts)
        #expect(network.nodes[0].engine.roll.cuts.devices == [device(2), device(4)].sorted())
    }

    /// A key that a host listed, let in, or made host, that never was here and of which nobody has a batch, comes in no more.
    @Test func keysThatAHostPreparedAreNoMembers() throws {
        let two = TestSigning(2)
        let naming = rulings.naming(two)
        let listing = epoch(members: [1, 2, 6], after: [naming.rulingID], by: two)
        let letIn = TestRulings.sign(.letIn([device(7)]), after: [listing.rulingID], by: two)
        let minted = rulings.naming(TestSigning(8), by: two, after: listing.rulingID)
        var network = try founder([naming, listing, letIn, minted])
        for number: UInt8 in 6...8 { #expect(network.nodes[0].engine.roll.isMember(device(number))) }
        let epoch = try putOut(2, in: &network)
        let roll = network.nodes[0].engine.roll
        for number: UInt8 in 2...8 { #expect(!roll.isMember(device(number))) }
        #expect(epoch.voids == [listing, letIn, minted].map(\.rulingID).sorted())
        #expect(roll.isMember(device(1)) && roll.hosts == [device(1)])
    }

    /// Host 2 put 3 out, whom 1 made host, and took back that 3 had made 6 host. Once 2 goes, 3 stays out, and 6 is nobody.
    @Test func whatAFallenEpochTookBackStaysTakenBack() throws {
        let (two, three) = (TestSigning(2), TestSigning(3))
        let naming = rulings.naming(two)
        let second = rulings.naming(three, after: naming.rulingID)
        let third = rulings.naming(TestSigning(6), by: three, after: second.rulingID)
        let kind = Ruling.Kind.epoch(
            Ruling.Epoch(
                commitment: seed.commitment, out: [Ruling.Out(device: device(3))],
                members: [1, 2].map { MemberPrefix(device($0)) }.sorted(), voids: [third.rulingID]))
        let ending = TestRulings.sign(kind, after: [third.rulingID], by: two)
        var network = try founder([naming, second, third, ending])
        #expect(network.nodes[0].engine.roll.out == [device(3)] && !network.nodes[0].engine.roll.isMember(device(6)))
        let epoch = try putOut(2, in: &network)
        let roll = network.nodes[0].engine.roll
        #expect(roll.out == [device(2), device(3)] && !roll.isMember(device(6)) && roll.hosts == [device(1)])
        #expect(!epoch.members.contains(MemberPrefix(device(6))))
    }

    /// With the recovery code laptop 2, which was no host, puts the founder out and is the first host; whom the founder named
    /// falls with it. Another code does nothing, and the founder can undo nothing.
    @Test func theRecoveryCodePutsTheFounderOut() throws {
        let (two, three) = (TestSigning(2), TestSigning(3))
        let naming = rulings.naming(three)
        var network = TestNetwork()
        network.founding = rulings.id
        try network.add(two, rulings: [rulings.founding, naming], seeds: [rulings.id: rulings.seed])
        func order(_ token: UInt64, _ key: TestSigning) -> EngineInput {
            .newPhrase(token: token, seed, puttingOut: [device(1)], recovery: key)
        }
        network.feed(0, order(4, TestSigning(254)))
        network.settle()
        #expect(network.nodes[0].engine.rulings.ids.count == 2)
        let then = network.nodes[0].engine.roll(puttingOut: [device(1)], recovery: TestRulings.recovery)
        network.feed(0, order(5, TestRulings.recovery))
        network.settle()
        #expect(network.nodes[0].events.contains(.ruled(token: 5)), "\(network.nodes[0].events)")
        let book = network.nodes[0].engine.rulings
        let roll = network.nodes[0].engine.roll
        #expect(
            roll.out == [device(1)] && roll.hosts == [device(2)] && then.hosts == roll.hosts && then.out == roll.out)
        let last = try #require(book.ids.last)
        #expect(roll.isOpen(last) && book.seeds[last] == seed && book[last]?.author == TestRulings.device(.init(255)))
        #expect(book[last]?.epoch?.voids == [naming.rulingID])
        #expect(roll.isMember(device(2)) && !roll.isMember(device(1)))
        // The thief rules on, from before and from after.
        for after in [rulings.id, last] {
            var thiefs = book
            let lateNaming = TestRulings.sign(.letIn([device(1)]), after: [after], by: TestRulings.founder)
            _ = try thiefs.insert(lateNaming, using: two)
            let then = Roll(rulings: thiefs.rulings, proofs: [:], lineage: Lineage())
            #expect(then.isOut(device(1)) && !then.isValid(lateNaming.rulingID))
        }
        // As a host it goes on without the code.
        network.feed(0, .rule(token: 6, .host(device(3), goesOn: false)))
        network.settle()
        #expect(network.nodes[0].engine.roll.hosts == [device(2), device(3)])
    }

    /// Whoever stole the founder's laptop put everybody out, this one too. By the recovery code all are in again as if it never
    /// had, but for whom the founder alone had listed and who never came.
    @Test func theRecoveryCodeBringsBackWhomTheThiefPutOut() throws {
        let (two, three) = (TestSigning(2), TestSigning(3))
        var network = TestNetwork()
        network.founding = rulings.id
        try network.add(two, rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        try network.add(three, rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        network.connect(0, 1)
        network.feed(1, .contribute(token: 1, .photo(albumName: "Beach", file(3))))
        network.settle()
        let theft = epoch(out: [2, 3], members: [1, 8], after: [rulings.id], by: TestRulings.founder)
        network.feed(0, .caughtUp(token: 2, [theft], seeds: [:]))
        network.settle()
        #expect(network.nodes[0].engine.roll.out == [device(2), device(3)])
        network.feed(0, .newPhrase(token: 5, seed, puttingOut: [device(1)], recovery: TestRulings.recovery))
        network.settle()
        #expect(network.nodes[0].events.contains(.ruled(token: 5)), "\(network.nodes[0].events)")
        let roll = network.nodes[0].engine.roll
        #expect(roll.out == [device(1)] && roll.hosts == [device(2)])
        #expect(roll.isMember(device(2)) && roll.isMember(device(3)) && !roll.isMember(device(8)))
    }

    /// What a senior ruled before keeps a let-in from counting, which is refused then; the recovery code may let in whoever was
    /// put out by it.
    @Test func aLetInThatHelpsNobodyIsRefused() throws {
        let (two, five) = (TestSigning(2), TestSigning(5))
        let naming = rulings.naming(two)
        let ending = epoch(out: [5], members: [1, 2], after: [naming.rulingID], by: TestRulings.recovery)
        var network = TestNetwork()
        network.founding = rulings.id
        try network.add(two, rulings: [rulings.founding, naming, ending], seeds: [rulings.id: rulings.seed])
        let engine = network.nodes[0].engine
        #expect(engine.roll.isOut(device(5)) && !engine.roll(lettingIn: [device(5)]).isMember(device(5)))
        #expect(engine.roll.hosts(whoMayLetIn: device(5)).isEmpty)
        network.feed(0, .letIn(token: 4, [TestRulings.device(five)]))
        network.settle()
        #expect(network.nodes[0].engine.rulings.ids.count == 3)
        network.feed(0, .letIn(token: 5, [TestRulings.device(five)], recovery: TestRulings.recovery))
        network.settle()
        #expect(network.nodes[0].events.contains(.ruled(token: 5)), "\(network.nodes[0].events)")
        #expect(network.nodes[0].engine.roll.isMember(device(5)))
    }

    /// However much the founder's key has ruled, there is room for the recovery code's.
    @Test func theFounderLeavesTheRecoveryCodeRoom() throws {
        var limits = RulingLimits()
        limits.byteCountMax = 4096
        var book = rulings.book(limits: limits)
        var number: UInt64 = 0
        func letIn(by key: TestSigning) throws -> SignedStatement {
            number += 1
            let device = try #require(
                DeviceID(bytes: BigEndian.bytes(number) + [UInt8](repeating: 1, count: 24)))
            return TestRulings.sign(.letIn([device]), after: [rulings.id], by: key)
        }
        #expect(throws: RulingFlaw.tooMany) {
            while true { _ = try book.insert(try letIn(by: TestRulings.founder), using: TestRulings.founder) }
        }
        let statement = book.sign(.host(device(2), goesOn: false), using: TestRulings.recovery)
        #expect(try book.insert(statement, using: TestRulings.founder) != nil)
    }

    /// Thousands of made-up names in an epoch keep nobody from putting its author out.
    @Test func namesOfNobodyKeepNobodyIn() throws {
        let two = TestSigning(2)
        let naming = rulings.naming(two)
        let names = try (0..<7000).map { number in
            try #require(DeviceID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 1, count: 24)))
        }
        let kind = Ruling.Kind.epoch(
            Ruling.Epoch(commitment: seed.commitment, out: names.sorted().map { Ruling.Out(device: $0) }))
        let flood = TestRulings.sign(kind, after: [naming.rulingID], by: two)
        var network = try founder([naming, flood])
        #expect(network.nodes[0].engine.roll.out.count == names.count)
        let epoch = try putOut(2, in: &network)
        #expect(epoch.out.map(\.device) == [device(2)])
        #expect(network.nodes[0].engine.roll.out == [device(2)])
    }

    /// What waits for the disk still counts among what is taken back.
    @Test func rulingsThatWaitForTheDiskAreTakenBack() throws {
        let two = TestSigning(2)
        let naming = rulings.naming(two)
        let minted = rulings.naming(TestSigning(8), by: two, after: naming.rulingID)
        var network = try founder([naming])
        // The agent takes it in, and the disk has not answered when the person puts 2 out.
        network.feed(0, .caughtUp(token: 4, [minted], seeds: [:]))
        let epoch = try putOut(2, in: &network)
        #expect(epoch.voids == [minted.rulingID])
        #expect(!network.nodes[0].engine.roll.isMember(device(8)))
    }

    /// However many ends a host leaves, others can rule: their rulings follow what made them hosts, and some of each author.
    @Test func manyEndsKeepNobodyFromRuling() throws {
        let (two, three) = (TestSigning(2), TestSigning(3))
        let namings = [rulings.naming(two), rulings.naming(three)]
        var book = rulings.book()
        for naming in namings { _ = try book.insert(naming, using: two) }
        for number in 0..<200 {
            let device = try #require(
                DeviceID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 1, count: 24)))
            let letIn = TestRulings.sign(.letIn([device]), after: [namings[0].rulingID], by: two)
            _ = try book.insert(letIn, using: two)
        }
        let kind = Ruling.Kind.letIn([device(4)])
        var entitling = namings[1].rulingID
        for host in [three, TestRulings.founder] {
            let statement = book.sign(kind, using: host)
            let after = try Ruling(decoding: statement.content).after
            #expect(after.count == WireLimits.rulingAfterCountMax && after == after.sorted())
            #expect(after.contains(entitling))
            #expect(try book.insert(statement, using: host) != nil)
            entitling = statement.rulingID
        }
    }

    /// However often a replica was forked, a cut names as many ends as it has room for, and others can read it.
    @Test func manyForksKeepNobodyIn() throws {
        var (log, replica) = (BatchLog(), TestReplica(1))
        log.insert(replica.add(after: nil))
        for _ in 0..<WireLimits.headCountMax + 20 { log.insert(replica.add(after: 0)) }
        let author = try #require(log.author(of: replica.batches[0].batch.replica))
        let cuts = log.cuts(of: author, countMax: RulingLimits.cutEndCountMax)
        #expect(cuts.map(\.ends.count) == [WireLimits.headCountMax])
        let kind = Ruling.Kind.epoch(
            Ruling.Epoch(commitment: seed.commitment, out: [Ruling.Out(device: author, cuts: cuts)]))
        var book = rulings.book()
        let statement = TestRulings.sign(kind, after: [rulings.id], by: TestRulings.founder)
        #expect(try book.insert(statement, using: TestRulings.founder) != nil)
    }
}
