import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// The engine begins epochs, takes in what was caught up, and holds replicas against the keys of all epochs that it has.
@Suite struct EpochTests {
    private let rulings = TestRulings()
    private let seed = Seed(bytes: [UInt8](repeating: 3, count: Seed.byteCount))!
    private let epoch = EpochPrefix(RulingID(content: [1]))

    private func founders() throws -> TestNetwork {
        var network = TestNetwork()
        network.founding = rulings.id
        for number: UInt8 in 1...3 {
            try network.add(TestSigning(number), rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        }
        network.connect(0, 1)
        network.connect(0, 2)
        for node in 0...2 { network.feed(node, .contribute(token: 1, .deviceName("\(node)"))) }
        network.settle()
        return network
    }

    /// A new phrase lists all members, and is durable with its seed; the agent is told to begin anew. Others hear of the
    /// ruling and not of the seed.
    @Test func newPhrasesListMembers() throws {
        var network = try founders()
        network.feed(0, .newPhrase(token: 5, seed))
        network.settle()
        #expect(network.nodes[0].events.contains(.ruled(token: 5)))
        #expect(network.nodes[0].events.contains(.epochsChanged))
        let book = network.nodes[0].engine.rulings
        let id = try #require(book.ids.last)
        let devices = (1...3).map { MemberPrefix(TestRulings.device(TestSigning($0))) }
        #expect(book[id]?.epoch == Ruling.Epoch(commitment: seed.commitment, members: devices.sorted()))
        #expect(book.seeds[id] == seed)
        #expect(book.heldEpochs == [id, rulings.id])
        #expect(network.nodes[1].engine.roll.inForce == id)
        #expect(network.nodes[1].engine.rulings.seeds[id] == nil)
        #expect(!network.nodes[1].events.contains(.epochsChanged))
    }

    /// Whoever is put out is cut off at once, and is not listed; the ruling says up to where its batches are known, and its
    /// copies count no longer, wherever the ruling comes.
    @Test func linksToWhoIsOutAreClosed() throws {
        var network = try founders()
        let out = TestRulings.device(TestSigning(3))
        network.feed(2, .contribute(token: 9, .photo(albumName: "Beach", file(1))))
        network.settle()
        // Summaries tell node 1, which is linked with node 0 alone.
        network.pass(until: network.now + 30)
        let holders = { (network: TestNetwork, node: Int) in
            network.nodes[node].engine.copies(wall: network.nodes[node].wall).holders(of: file(1).blob)
        }
        #expect(holders(network, 0).contains(out) && holders(network, 1).contains(out))
        network.feed(0, .newPhrase(token: 5, seed, puttingOut: [out]))
        network.settle()
        #expect(holders(network, 0) == [TestRulings.device(TestSigning(2))])
        #expect(holders(network, 1) == [TestRulings.device(TestRulings.founder)])
        let epoch = network.nodes[1].engine.rulings.ids.last.flatMap { network.nodes[1].engine.rulings[$0]?.epoch }
        let log = network.nodes[2].engine.log
        let ends = log.replicas.filter { log.author(of: $0) == out }.map { log.soleHead(of: $0) }
        #expect(epoch?.out.first?.cuts.map { $0.ends.map(\.batch) } == ends.map { [$0!.id] })
        #expect(epoch?.out.first?.cuts.first?.ends.first?.sequence == ends[0]?.last)
        #expect(network.nodes[0].engine.roll.out == [out])
        #expect(network.nodes[0].engine.connectedDevices == [TestRulings.device(TestSigning(2))])
        #expect(network.nodes[1].events.contains(.epochsChanged))
        #expect(
            network.nodes[0].engine.rulings.ids.last.flatMap {
                network.nodes[0].engine.rulings[$0]?.epoch?.members.count
            } == 2)
    }

    /// Whoever is linked by the phrase that was in force, and is listed by nobody, is cut off where the new ruling comes, also
    /// without its seed; a host there does not list it.
    @Test func linksByAnOldPhraseAreClosed() throws {
        var network = try founders()
        network.feed(0, .rule(token: 1, .host(TestRulings.device(TestSigning(2)), goesOn: false)))
        network.settle()
        network.cut(0, 1)
        try network.add(TestSigning(4), rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        network.connect(1, 3)
        network.settle()
        let stranger = TestRulings.device(TestSigning(4))
        #expect(network.nodes[1].engine.connectedDevices.contains(stranger))
        network.feed(0, .newPhrase(token: 5, seed))
        network.settle()
        network.connect(0, 1)
        network.settle()
        #expect(!network.nodes[1].engine.connectedDevices.contains(stranger))
        #expect(network.nodes[1].engine.connectedDevices.contains(TestRulings.device(TestRulings.founder)))
        network.feed(1, .newPhrase(token: 6, Seed(bytes: [UInt8](repeating: 4, count: Seed.byteCount))!))
        network.settle()
        let book = network.nodes[1].engine.rulings
        let listed = book.ids.last.flatMap { book[$0]?.epoch?.members }
        #expect(listed?.count == 3 && listed?.contains(MemberPrefix(stranger)) == false)
    }

    /// Whoever was admitted is judged by the rulings that are known when it is connected: who proved a phrase that has changed
    /// since, and is no member, is turned away ungreeted. A member stays, and so does whoever proved the new phrase.
    @Test func admissionsThatARulingOvertookAreTakenBack() throws {
        var network = try founders()
        network.feed(0, .newPhrase(token: 5, seed))
        network.settle()
        let changed = network.nodes[0].engine
        let epoch = try #require(changed.roll.inForce)
        let (member, stranger) = (TestRulings.device(TestSigning(2)), TestRulings.device(TestSigning(4)))
        let address = PeerAddress(host: "10.0.0.9", port: 1)
        func outcome(_ engine: Engine, _ admitted: AdmittedPeer) -> (closed: [CloseReason], isGreeted: Bool) {
            var peer = PlayedPeer(engine)
            peer.now = network.now
            peer.feed(.connected(PlayedPeer.link, admitted, address: address, key: nil))
            return (peer.closed, peer.sent.contains { if case .hello = $0 { true } else { false } })
        }
        for proven in [rulings.id, nil] {
            let refused = outcome(changed, AdmittedPeer(stranger, provenUnder: proven))
            #expect(refused == ([.phraseChanged], false))
            let welcome = outcome(changed, AdmittedPeer(member, provenUnder: proven))
            #expect(welcome == ([], true))
        }
        let newcomer = outcome(changed, AdmittedPeer(stranger, provenUnder: epoch))
        #expect(newcomer == ([], true))
        let successor = outcome(changed, AdmittedPeer(stranger, goingOnFrom: [member], provenUnder: rulings.id))
        #expect(successor == ([], true))
        let next = Seed(bytes: [UInt8](repeating: 4, count: Seed.byteCount))!
        network.feed(0, .newPhrase(token: 6, next, puttingOut: [member]))
        network.settle()
        let out = outcome(network.nodes[0].engine, AdmittedPeer(member, provenUnder: epoch))
        #expect(out == ([.putOut], false))
        // The phrase of before the last one admits nobody either.
        let late = outcome(network.nodes[0].engine, AdmittedPeer(stranger, provenUnder: epoch))
        #expect(late == ([.phraseChanged], false))
    }

    /// Where two phrases came at once neither lets anybody in who is no member.
    @Test func closedDoorsTakeAdmissionsBack() throws {
        var network = try founders()
        network.feed(0, .rule(token: 1, .host(TestRulings.device(TestSigning(2)), goesOn: false)))
        network.settle()
        network.cut(0, 1)
        network.feed(0, .newPhrase(token: 5, seed))
        network.feed(1, .newPhrase(token: 6, Seed(bytes: [UInt8](repeating: 4, count: Seed.byteCount))!))
        network.settle()
        network.connect(0, 1)
        network.settle()
        let engine = network.nodes[0].engine
        let epoch = try #require(engine.roll.inForce)
        #expect(!engine.roll.isOpen(epoch))
        for (number, reasons) in [(2, []), (4, [.phraseChanged])] as [(UInt8, [CloseReason])] {
            var peer = PlayedPeer(engine)
            peer.now = network.now
            let admitted = AdmittedPeer(TestRulings.device(TestSigning(number)), provenUnder: epoch)
            let address = PeerAddress(host: "10.0.0.9", port: 1)
            peer.feed(.connected(PlayedPeer.link, admitted, address: address, key: nil))
            #expect(peer.closed == reasons)
        }
    }

    /// However many devices somebody invents, the ruling has room for those who are listed, and those who are known longest
    /// are; whoever is put out is not.
    @Test func inventedDevicesKeepNobodyFromChangingThePhrase() throws {
        let known = (1...3).map { TestRulings.device(TestSigning($0)) }
        let invented = try (0..<20_000).map { number in
            try #require(DeviceID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 1, count: 24)))
        }
        let members: [MemberPrefix] = .first(
            RulingLimits.listedCountMax, of: known + known + invented, without: [known[2]])
        #expect(members.count == RulingLimits.listedCountMax && members == members.sorted())
        #expect(known.map { members.contains(MemberPrefix($0)) } == [true, true, false])
        let epoch = Ruling.Epoch(commitment: seed.commitment, out: [Ruling.Out(device: known[2])], members: members)
        let statement = TestRulings.sign(.epoch(epoch), after: [rulings.id], by: TestRulings.founder)
        var book = rulings.book()
        #expect(try book.insert(statement, using: TestRulings.founder) != nil)
    }

    @Test func onlyHostsChangeThePhrase() throws {
        var network = try founders()
        network.feed(1, .newPhrase(token: 5, seed))
        network.settle()
        #expect(network.nodes[1].events.contains(.rulingFailed(token: 5, RulingFlaw.notEntitled.sentence)))
        try network.add(TestSigning(4))
        network.feed(3, .newPhrase(token: 6, seed))
        network.settle()
        #expect(network.nodes[3].events.contains(.rulingFailed(token: 6, RulingFlaw.foreign.sentence)))
    }

    /// A seed whose ruling is known comes alone; both are asked for in one transaction where neither is.
    @Test func whatWasCaughtUpIsDurable() throws {
        var network = try founders()
        network.feed(0, .newPhrase(token: 5, seed))
        network.settle()
        let book = network.nodes[0].engine.rulings
        let id = try #require(book.ids.last)
        try network.add(TestSigning(2), rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        network.feed(1, .caughtUp(token: 7, [], seeds: [id: seed]))
        network.feed(3, .caughtUp(token: 8, [book.statement(id)!], seeds: [id: seed]))
        network.settle()
        for (node, token) in [(1, 7), (3, 8)] as [(Int, UInt64)] {
            #expect(network.nodes[node].engine.rulings.seeds[id] == seed)
            #expect(network.nodes[node].rulings.seeds[id] == seed)
            #expect(network.nodes[node].events.contains(.ruled(token: token)))
            #expect(network.nodes[node].events.contains(.epochsChanged))
        }
        // Nothing new; and what does not fit is left out.
        network.feed(3, .caughtUp(token: 9, [book.statement(id)!], seeds: [id: rulings.seed]))
        network.settle()
        #expect(network.nodes[3].events.contains(.ruled(token: 9)))
        #expect(network.nodes[3].engine.rulings.seeds[id] == seed)
    }

    /// What is known already, and waits for the disk, is not said to be durable.
    @Test func whatWaitsForTheDiskIsNotDurable() throws {
        var exchange = RulingExchange(rulings.book(), signing: TestRulings.founder, limits: EngineLimits())
        let now = MonotonicInstant(nanoseconds: 0)
        let kind = Ruling.Kind.epoch(Ruling.Epoch(commitment: seed.commitment, members: []))
        let statement = TestRulings.sign(kind, after: [rulings.id], by: TestRulings.founder)
        let id = RulingID(content: statement.content)
        func caughtUp(_ token: UInt64) -> RulingExchange.Input {
            .caughtUp(token: token, [statement], seeds: [id: seed])
        }
        #expect(exchange.handle(caughtUp(1), now: now) == [.store([statement], seeds: [id: seed])])
        #expect(exchange.handle(.failed("full"), now: now) == [.storageFailed("full")])
        #expect(exchange.handle(caughtUp(2), now: now).isEmpty)
        let due = try #require(exchange.nextDeadline)
        #expect(exchange.handle(.deadlineReached, now: due) == [.store([statement], seeds: [id: seed])])
        #expect(exchange.handle(caughtUp(3), now: due).isEmpty)
        let answers = exchange.handle(.stored, now: due)
        #expect(Array(answers.prefix(3)) == [1, 2, 3].map { RulingExchange.Directive.ruled(token: $0) })
        #expect(exchange.handle(caughtUp(4), now: due) == [.ruled(token: 4)])
    }

    /// Many seeds become durable a few at a time, each with what it follows.
    @Test func manySeedsAreStoredInParts() {
        var exchange = RulingExchange(rulings.book(), signing: TestRulings.founder, limits: EngineLimits())
        let now = MonotonicInstant(nanoseconds: 0)
        var (last, statements, seeds) = (rulings.id, [SignedStatement](), [RulingID: Seed]())
        for number in UInt8(0)..<40 {
            let seed = Seed(bytes: [UInt8](repeating: number, count: Seed.byteCount))!
            let kind = Ruling.Kind.epoch(Ruling.Epoch(commitment: seed.commitment, members: []))
            statements.append(TestRulings.sign(kind, after: [last], by: TestRulings.founder))
            last = RulingID(content: statements.last!.content)
            seeds[last] = seed
        }
        var directives = exchange.handle(.caughtUp(token: 1, statements, seeds: seeds), now: now)
        var counts: [Int] = []
        while case .store(let stored, let handed)? = directives.last {
            #expect(stored.count == handed.count)
            counts.append(stored.count)
            directives = exchange.handle(.stored, now: now)
            #expect(directives.contains(.ruled(token: 1)) == (counts.reduce(0, +) == 40))
        }
        #expect(counts == [16, 16, 8] && exchange.kept.ids.count == 41 && exchange.kept.seeds.count == 41)
    }

    /// What began under an epoch that is not held is passed over with all that follows it, and the link stays; whoever holds
    /// the epoch takes it in, named or not.
    @Test func unknownEpochsArePassedOver() throws {
        var named = TestSigning(1)
        named.later = [(epoch, [9])]
        var unnamed = TestSigning(2)
        unnamed.gathering = [9]
        // Epochs are held here, but not this one; and here it is.
        var without = TestSigning(3)
        without.later = [(EpochPrefix(RulingID(content: [2])), [8])]
        var with = TestSigning(4)
        with.later = [(epoch, [9])]
        for author in [named, unnamed] {
            var network = TestNetwork()
            for signing in [author, without, with] { try network.add(signing) }
            network.connect(0, 1)
            network.connect(0, 2)
            network.settle()
            for token: UInt64 in 1...3 {
                network.feed(0, .contribute(token: token, .deviceName("\(token)")))
                network.settle()
            }
            let device = TestRulings.device(author)
            #expect(network.nodes[1].engine.log.batchCount == 0)
            #expect(network.nodes[2].engine.log.batchCount == 3)
            #expect(network.nodes[1].engine.connectedDevices.contains(device))
            #expect(network.nodes[2].engine.rollEvidence.proofs[device] == [epoch])
        }
    }

    /// A proof under a key that is held and that does not fit is nobody's oversight.
    @Test func wrongProofsOfKnownEpochsAreRefused() throws {
        var liar = TestSigning(1)
        liar.later = [(epoch, [7])]
        var honest = TestSigning(2)
        honest.later = [(epoch, [9])]
        var network = TestNetwork()
        for signing in [liar, honest] { try network.add(signing) }
        network.feed(0, .contribute(token: 1, .deviceName("A")))
        network.settle()
        network.connect(0, 1)
        network.settle()
        let refusal = EngineEvent.peerRefused(TestRulings.device(liar), .refusedBatch(.badProof))
        #expect(network.nodes[1].events.contains(refusal))
    }
}
