import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Laptops come to know the same rulings, and nobody is told of one that is not durable.
@Suite struct RulingExchangeTests {
    private let rulings = TestRulings()

    /// The founder, who knows the founding, and others who entered by the phrase.
    private func gathering(_ count: Int) throws -> TestNetwork {
        var network = TestNetwork()
        network.founding = rulings.id
        try network.add(TestRulings.founder, rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        for number in 1..<count { try network.add(TestSigning(UInt8(number + 1))) }
        return network
    }

    private func naming(_ number: UInt8) -> EngineInput {
        .rule(token: UInt64(number), .host(TestRulings.device(TestSigning(number)), goesOn: false))
    }

    /// Whoever entered by the phrase is handed the founding, and hands it on; then what hosts decide comes to all.
    @Test func theFoundingAndAllRulingsSpread() throws {
        var network = try gathering(3)
        network.feed(0, naming(2))
        network.settle()
        network.connect(0, 1)
        network.settle()
        network.connect(1, 2)
        network.settle()
        #expect(network.nodes.map { $0.rulings.ids.count } == [2, 2, 2])
        #expect(network.nodes[2].rulings.seeds == [rulings.id: rulings.seed])
        // The second is host now; the third is not.
        network.feed(1, naming(3))
        network.settle()
        #expect(network.nodes.map { $0.rulings.ids.count } == [3, 3, 3])
        #expect(network.nodes[1].events.contains(.ruled(token: 3)))
        #expect(network.nodes[0].events.contains(.rulingsChanged))
        #expect(network.nodes[0].engine.roll.hosts == [1, 2, 3].map { TestRulings.device(TestSigning($0)) })
        // Nothing was told over the way by which it came, and nothing twice.
        let told = network.nodes.map { node in node.sent.count { if case .rulings = $0 { true } else { false } } }
        #expect(told == [2, 5, 1])
    }

    /// What was decided while they were apart comes with the next connection, in both directions; without news nothing is
    /// told.
    @Test func booksAreComparedAtEachConnection() throws {
        var network = try gathering(2)
        network.connect(0, 1)
        network.settle()
        network.feed(0, naming(2))
        network.settle()
        network.cut(0, 1)
        network.feed(0, naming(3))
        network.feed(1, naming(4))
        network.settle()
        network.connect(1, 0)
        network.settle()
        #expect(network.nodes.map { $0.rulings.ids.count } == [4, 4])
        #expect(network.nodes[0].engine.roll == network.nodes[1].engine.roll)
        network.cut(0, 1)
        for node in 0...1 { network.nodes[node].sent = [] }
        network.connect(0, 1)
        network.settle()
        for node in 0...1 { #expect(!network.nodes[node].sent.contains { $0.isAboutRulings }) }
    }

    /// A founding that comes from elsewhere between the two hellos is told to a peer that has the same rulings, whoever
    /// dialled: else the peer takes this laptop for a newcomer, and keeps to itself what is ruled from then on.
    @Test(arguments: [0, 1]) func aFoundingThatCameAfterTheHelloIsTold(dialler: Int) throws {
        var network = try gathering(2)
        // It becomes durable after the second laptop's hello has left, and before the first one's arrives.
        network.feed(1, .caughtUp(token: 1, [rulings.founding], seeds: [rulings.id: rulings.seed]))
        network.connect(dialler, 1 - dialler)
        network.settle()
        #expect(network.nodes[1].events.contains(.ruled(token: 1)))
        network.feed(0, naming(2))
        network.settle()
        network.feed(1, naming(3))
        network.settle()
        #expect(network.nodes.map { $0.rulings.ids.count } == [3, 3])
        #expect(network.nodes[0].engine.roll == network.nodes[1].engine.roll)
    }

    /// Who is no host rules nothing, and nobody hears of it; neither does who knows no founding.
    @Test func onlyHostsRule() throws {
        var network = try gathering(2)
        network.feed(1, naming(3))
        network.settle()
        #expect(network.nodes[1].events.contains(.rulingFailed(token: 3, RulingFlaw.foreign.sentence)))
        network.connect(0, 1)
        network.settle()
        network.feed(1, naming(4))
        network.settle()
        #expect(network.nodes[1].events.contains(.rulingFailed(token: 4, RulingFlaw.notEntitled.sentence)))
        #expect(network.nodes.map { $0.rulings.ids.count } == [1, 1])
    }

    /// The disk refuses a decision: nobody is told, and it is tried again.
    @Test func refusedRulingsWait() throws {
        var network = try gathering(2)
        network.connect(0, 1)
        network.settle()
        network.nodes[0].isDiskFull = true
        network.feed(0, naming(2))
        network.settle()
        #expect(network.nodes.map { $0.rulings.ids.count } == [1, 1])
        #expect(!network.nodes[0].events.contains(.ruled(token: 2)))
        network.nodes[0].isDiskFull = false
        network.pass(until: network.now + 2 * EngineLimits().diskRetryInterval)
        #expect(network.nodes.map { $0.rulings.ids.count } == [2, 2])
        #expect(network.nodes[0].events.contains(.ruled(token: 2)))
    }

    /// A founding that the own phrase is not made of is forgotten, and not judged again; the right one is taken from
    /// somebody else.
    @Test func falseFoundingsAreForgotten() throws {
        let other = TestRulings(9)
        var network = TestNetwork()
        network.founding = rulings.id
        try network.add(TestSigning(2))
        try network.add(TestRulings.founder, rulings: [other.founding], seeds: [other.id: other.seed])
        try network.add(TestRulings.founder, rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        network.connect(0, 1)
        network.settle()
        #expect(network.nodes[0].rulings.founding == nil)
        network.cut(0, 1)
        network.connect(2, 0)
        network.settle()
        #expect(network.nodes[0].rulings.founding == rulings.id)
    }

    /// Earlier versions are told nothing of rulings, and what they say about them is passed over.
    @Test func earlierVersionsAreToldNothing() throws {
        var peer = founderWithPeer()
        peer.connect()
        peer.feed(naming(2))
        peer.receive(.rulings([rulings.naming(TestSigning(3))]))
        #expect(!peer.sent.contains { $0.isAboutRulings })
        // The own one alone.
        #expect(peer.engine.rulings.ids.count == 2)
        #expect(peer.closed.isEmpty)
    }

    /// A peer that sends what is not of the form, or a seed that the founding does not speak of, is let go.
    @Test func linksEndWithWhatIsNotOfTheForm() throws {
        let letIn = Ruling.Kind.letIn([TestRulings.device(TestSigning(3))])
        var peer = founderWithPeer()
        peer.connect(rulings: TestRulings(9).book().digest)
        peer.receive(.rulings([TestRulings.sign(letIn, after: [rulings.id], by: TestSigning(3))]))
        #expect(peer.closed == [.refusedRuling(.notEntitled)])

        peer = try PlayedPeer()
        peer.connect(rulings: rulings.book().digest)
        peer.receive(.rulings([rulings.founding]))
        peer.receive(.seeds([rulings.id: TestRulings(9).seed]))
        #expect(peer.closed == [.refusedRuling(.falseSeed)])

        // What follows an unknown founding is nothing to judge.
        peer = try PlayedPeer()
        peer.connect(rulings: rulings.book().digest)
        peer.receive(.rulings([rulings.naming(TestSigning(3))]))
        #expect(peer.closed == [.refusedRuling(.foreign)])
    }

    /// One founding is judged at a time, and of each link one.
    @Test func foundingsAreJudgedOneAtATime() throws {
        var peer = try PlayedPeer()
        peer.connect(rulings: rulings.book().digest)
        peer.receive(.seeds([rulings.id: rulings.seed]))
        #expect(peer.judging.isEmpty)
        peer.receive(.rulings([rulings.founding]))
        for _ in 0..<3 { peer.receive(.seeds([rulings.id: rulings.seed])) }
        #expect(peer.judging == [rulings.id])
        peer.feed(.foundingJudged(rulings.id, fits: false))
        let other = TestRulings(9)
        peer.receive(.rulings([other.founding]))
        peer.receive(.seeds([other.id: other.seed]))
        #expect(peer.judging == [rulings.id])
        #expect(peer.engine.rulings.founding == nil)
        #expect(peer.closed.isEmpty)
    }

    /// A peer that does not read is owed as many rulings as there are, and told them in pages.
    @Test func longBooksComeInPages() throws {
        var statements = [rulings.founding]
        let others = (0..<10_000).map {
            MemberPrefix(bytes: BigEndian.bytes(UInt64($0)) + [UInt8](repeating: 0, count: 8))!
        }
        let members = (others + [MemberPrefix(founderWithPeer().device)]).sorted()
        for _ in 0..<12 {
            let epoch = Ruling.Epoch(commitment: rulings.seed.commitment, members: members)
            statements.append(
                TestRulings.sign(.epoch(epoch), after: [statements.last!.rulingID], by: TestRulings.founder))
        }
        let book = RulingBook(statements, using: TestRulings.founder)
        #expect(book.ids.count == 13)
        var peer = founderWithPeer(book)
        peer.connect(rulings: rulings.book().digest)
        var pages: [[SignedStatement]] = []
        repeat {
            for case .rulings(let page, _, _) in peer.sent { pages.append(page) }
            peer.sent = []
        } while peer.answerQuestion()
        #expect(pages.flatMap { $0 } == statements)
        #expect(pages.count > 1)
        for page in pages {
            #expect(page.reduce(0) { $0 + $1.content.count } <= WireLimits.rulingPageByteCountMax)
        }
    }

    private func founderWithPeer(_ book: RulingBook? = nil) -> PlayedPeer {
        let limits = EngineLimits()
        return PlayedPeer(
            Engine(
                signing: TestRulings.founder, journal: JournalFold(), held: [],
                holdings: HoldingsBook(limits: limits), replica: nil, run: [UInt8](repeating: 9, count: 16), port: 1,
                rulings: book ?? rulings.book(), limits: limits))
    }
}

extension Message {
    fileprivate var isAboutRulings: Bool {
        switch self {
        case .rulings, .seeds: true
        default: false
        }
    }
}
