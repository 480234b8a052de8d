import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Two devices come to know the same rulings and hold the same seeds; whoever is no member is handed none.
@Suite struct CatchUpTests {
    private let rulings = TestRulings()
    private let now = MonotonicInstant(nanoseconds: 0)
    private let second = TestSigning(2)
    private let third = TestSigning(3)

    /// A new phrase, signed by the founder.
    private func epoch(
        _ number: UInt8, after: RulingID? = nil, members: [TestSigning] = [], out: [TestSigning] = [],
        by author: TestSigning = TestRulings.founder
    ) -> (statement: SignedStatement, seed: Seed) {
        let seed = Seed(bytes: [UInt8](repeating: number, count: Seed.byteCount))!
        let epoch = Ruling.Epoch(
            commitment: seed.commitment, out: out.map { Ruling.Out(device: TestRulings.device($0)) },
            members: members.map { MemberPrefix(TestRulings.device($0)) }.sorted())
        return (TestRulings.sign(.epoch(epoch), after: [after ?? rulings.id], by: author), seed)
    }

    private func book(_ epochs: [(statement: SignedStatement, seed: Seed)], lacking: Set<RulingID> = []) -> RulingBook {
        var seeds = [rulings.id: rulings.seed]
        for epoch in epochs { seeds[epoch.statement.rulingID] = epoch.seed }
        return RulingBook(
            [rulings.founding] + epochs.map(\.statement), seeds: seeds.filter { !lacking.contains($0.key) },
            using: TestRulings.founder)
    }

    /// The founder's side and another one's; each is given what the other sends until nothing is left.
    private func run(
        _ founder: RulingBook, _ other: RulingBook, by signing: TestSigning, under epoch: RulingID?,
        fitting phrase: RulingID? = nil
    ) -> [[CatchUp.Directive]] {
        let evidence = RollEvidence(BatchLog(), Catalog(), using: signing)
        let devices = [TestRulings.device(signing), TestRulings.device(TestRulings.founder)]
        var sides = zip(devices, [(founder, epoch), (other, nil)]).map { device, side in
            CatchUp(with: .init(device, provenUnder: side.1), side.0, evidence, signing: signing)
        }
        var all: [[CatchUp.Directive]] = [[], []]
        var waiting: [(side: Int, input: CatchUp.Input)] = [(0, .began), (1, .began)]
        while !waiting.isEmpty {
            let (side, input) = waiting.removeFirst()
            for directive in sides[side].handle(input, now: now) {
                all[side].append(directive)
                switch directive {
                case .send(let message): waiting.append((1 - side, .received(message)))
                case .judge(let ruling, _): waiting.append((side, .judged(ruling, fits: ruling == phrase)))
                case .close: waiting.append((1 - side, .disconnected))
                case .commit: break
                }
            }
        }
        return all
    }

    private func committed(_ directives: [CatchUp.Directive]) -> (rulings: [RulingID], seeds: Set<RulingID>)? {
        for case .commit(let statements, let seeds) in directives {
            return (statements.map(\.rulingID), Set(seeds.keys))
        }
        return nil
    }

    private func end(_ directives: [CatchUp.Directive]) -> CatchUp.End? {
        if case .close(let end) = directives.last { end } else { nil }
    }

    /// A member that was away gets the new epoch's ruling and seed; the other side learns that there is nothing new.
    @Test func laggardsAreHandedWhatTheyLack() {
        let first = epoch(1, members: [TestRulings.founder, second])
        let sides = run(book([first]), book([]), by: second, under: rulings.id)
        #expect(committed(sides[0]) == nil)
        #expect(end(sides[0]) == .level(isNews: false))
        let news = committed(sides[1])
        #expect(news?.rulings == [first.statement.rulingID])
        #expect(news?.seeds == [first.statement.rulingID])
        #expect(end(sides[1]) == .level(isNews: true))
    }

    /// Of two phrases that were made at one time both sides have both in the end, also where a ruling was known already.
    @Test func bothSidesGive() {
        let (one, other) = (epoch(1, members: [second]), epoch(2, members: [second]))
        let sides = run(
            book([one]), book([other, one], lacking: [one.statement.rulingID]), by: second, under: rulings.id)
        #expect(committed(sides[0])?.seeds == [other.statement.rulingID])
        #expect(committed(sides[1])?.seeds == [one.statement.rulingID])
        #expect(committed(sides[1])?.rulings == [])
    }

    /// A key that is no member is told rulings, and no seed: neither by what is known here, nor by what it brings itself.
    @Test func strangersAreHandedNoSeeds() {
        let first = epoch(1, members: [TestRulings.founder, second])
        let stranger = run(book([first]), book([]), by: third, under: rulings.id)
        #expect(committed(stranger[1])?.seeds == [])
        #expect(end(stranger[0]) == .peerIsNoMember)
        // The founder knows nothing of the epoch that the other one brings.
        let next = epoch(2, after: first.statement.rulingID, members: [TestRulings.founder, third], out: [second])
        let out = run(
            book([first]), book([next, first], lacking: [next.statement.rulingID, first.statement.rulingID]),
            by: second, under: first.statement.rulingID)
        #expect(committed(out[1]) == nil)
        #expect(committed(out[0])?.rulings == [next.statement.rulingID])
    }

    /// Whoever shows a proof of the open epoch is handed all: so newcomers come in, and believe what their phrase is made of.
    @Test func newcomersComeIn() {
        let first = epoch(1, members: [TestRulings.founder])
        let id = first.statement.rulingID
        let sides = run(book([first]), RulingBook(), by: third, under: id, fitting: id)
        #expect(committed(sides[1])?.rulings == [rulings.id, id])
        #expect(committed(sides[1])?.seeds == [rulings.id, id])
        let fooled = run(book([first]), RulingBook(), by: third, under: id, fitting: nil)
        #expect(committed(fooled[1]) == nil)
        #expect(end(fooled[1]) == .phraseUnknown)
    }

    /// What is not of the form ends the link, and nothing of it is kept but what was right before.
    @Test func falseWordsAreRefused() {
        let first = epoch(1, members: [second])
        let id = first.statement.rulingID
        let evidence = RollEvidence(BatchLog(), Catalog(), using: second)
        let peer = AdmittedPeer(TestRulings.device(TestRulings.founder), provenUnder: rulings.id)
        func begun() -> CatchUp {
            var side = CatchUp(with: peer, book([]), evidence, signing: second)
            _ = side.handle(.began, now: now)
            return side
        }
        let falseSeed = Seed(bytes: [UInt8](repeating: 99, count: Seed.byteCount))!
        var side = begun()
        let toldSeeds = side.handle(.received(.rulings([first.statement], isLast: true)), now: now)
        #expect(toldSeeds == [.send(.seeds([rulings.id: rulings.seed]))])
        let refused = side.handle(.received(.seeds([id: falseSeed])), now: now)
        #expect(refused == [.commit([first.statement], seeds: [:]), .close(.refused(.falseSeed))])
        var foreign = begun()
        let other = foreign.handle(.received(.rulings([TestRulings(9).founding], isLast: true)), now: now)
        #expect(other == [.close(.refused(.foreign))])
        var early = begun()
        #expect(early.handle(.received(.seeds([:])), now: now) == [.close(.unexpectedMessage)])
        var empty = begun()
        #expect(empty.handle(.received(.rulings([])), now: now) == [.close(.unexpectedMessage)])
        var chatty = begun()
        #expect(chatty.handle(.received(.ping(1)), now: now) == [.close(.unexpectedMessage)])
        var known = begun()
        let page = Array(repeating: rulings.founding, count: WireLimits.statementCountMax)
        for _ in 0..<RulingLimits().allCountMax / page.count {
            #expect(known.handle(.received(.rulings(page)), now: now) == [])
        }
        #expect(known.handle(.received(.rulings(page)), now: now) == [.close(.unexpectedMessage)])
    }

    /// It takes 15 s at most; what came until then counts.
    @Test func lateLinksAreClosed() throws {
        let first = epoch(1, members: [second])
        let evidence = RollEvidence(BatchLog(), Catalog(), using: second)
        let peer = AdmittedPeer(TestRulings.device(TestRulings.founder), provenUnder: rulings.id)
        var side = CatchUp(with: peer, book([]), evidence, signing: second)
        #expect(side.nextDeadline == nil)
        _ = side.handle(.began, now: now)
        let deadline = try #require(side.nextDeadline)
        #expect(deadline.seconds(since: now) == 15)
        #expect(side.handle(.received(.rulings([first.statement])), now: now) == [])
        #expect(side.handle(.deadlineReached, now: now) == [])
        let late = side.handle(.deadlineReached, now: deadline)
        #expect(late == [.commit([first.statement], seeds: [:]), .close(.late)])
        #expect(side.handle(.received(.seeds([:])), now: deadline) == [])
        #expect(side.nextDeadline == nil)
    }

    /// Of epochs that do not count a seed is given if a replica began under it, or if the other one proved its phrase; of the
    /// others a few, since somebody may come with their phrases later.
    @Test func seedsOfVoidEpochsAreGivenWhereBatchesNeedThem() throws {
        // The second host's epochs are concurrent with the founder's that puts it out.
        let naming = rulings.naming(second)
        let voids = (10..<60).map { epoch($0, after: naming.rulingID, members: [third], by: second) }
        let valid = epoch(6, after: naming.rulingID, members: [third], out: [second])
        let validID = valid.statement.rulingID
        let seedOfVoid = Dictionary(uniqueKeysWithValues: voids.map { ($0.statement.rulingID, $0.seed) })
        let book = RulingBook(
            [rulings.founding, naming, valid.statement] + voids.map(\.statement),
            seeds: seedOfVoid.merging([rulings.id: rulings.seed, validID: valid.seed]) { $1 }, using: second)
        #expect(book.heldEpochs == [validID, rulings.id] + seedOfVoid.keys.sorted())
        // Those that come last otherwise.
        let last = Array(seedOfVoid.keys.sorted().suffix(2))
        var founder = TestRulings.founder
        founder.later = [(EpochPrefix(last[0]), [5])]
        for isUsed in [false, true] {
            var network = TestNetwork()
            try network.add(founder)
            if isUsed {
                network.feed(0, .contribute(token: 1, .deviceName("A")))
                network.settle()
            }
            let evidence = network.nodes[0].engine.rollEvidence
            let peer = AdmittedPeer(TestRulings.device(third), provenUnder: isUsed ? last[1] : rulings.id)
            var side = CatchUp(with: peer, book, evidence, signing: founder)
            _ = side.handle(.began, now: now)
            let told = side.handle(.received(.rulings([], held: [rulings.id], isLast: true)), now: now)
            let others = seedOfVoid.keys.sorted().prefix(CatchUpLimits.voidSeedCountMax)
            var expected = seedOfVoid.filter { others.contains($0.key) || isUsed && last.contains($0.key) }
            expected[validID] = valid.seed
            #expect(told == [.send(.seeds(expected))])
        }
    }
}
