import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Two laptops that meet again tell each other what changed since they last compared what they know.
@Suite struct SharedVectorTests {
    private static let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    private static let replicas = (1...3).map { ReplicaID(bytes: [UInt8](repeating: $0, count: 16))! }

    private static func vector(_ sequences: UInt64...) -> VersionVector {
        let heads = zip(replicas, sequences).filter { $0.1 > 0 }.map { ($0.0, [Head(sequence: $0.1, branch: 1)]) }
        return VersionVector(heads: Dictionary(uniqueKeysWithValues: heads))
    }

    /// What changed, came and went is told, and nothing else; with the base it makes the vector again.
    @Test func differencesAreRebuilt() throws {
        let shared = SharedVector(Self.vector(4, 5, 6))
        for later in [Self.vector(4, 5, 6), Self.vector(4, 7, 6), Self.vector(4, 5), VersionVector()] {
            let difference = shared.difference(to: later)
            #expect(shared.applying(difference) == later)
        }
        #expect(shared.difference(to: Self.vector(4, 7)).changed.count == 2)
        #expect(SharedVector(Self.vector(1)).applying(shared.difference(to: Self.vector(4))) == nil)
    }

    /// Only the latest peers are remembered, and no vector of which the other side has a part only.
    @Test func memoryIsBounded() {
        var vectors = SharedVectors(countMax: 2)
        let devices = (1...3).map { DeviceID(bytes: [UInt8](repeating: $0, count: 32))! }
        for device in devices { vectors.keep(Self.vector(1), of: device) }
        #expect(vectors.count == 2)
        #expect(vectors[devices[0]] == nil)
        let heads = (1...65).map { Head(sequence: $0, branch: $0) }
        vectors.keep(VersionVector(heads: [Self.replicas[0]: heads]), of: devices[2])
        #expect(vectors[devices[2]] == nil)
    }

    private func session(_ shared: SharedVector?, greetedWith base: [UInt8]?) -> (PeerSession, [PeerSession.Directive])
    {
        var session = PeerSession(
            device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!, dialled: true, shared: shared,
            limits: EngineLimits(), now: Self.start)
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 9, foldLevel: 1,
            vectorBase: base)
        let directives = session.received(.hello(hello), log: BatchLog(), own: nil, now: Self.start)
        return (session, Array(directives.dropFirst()))
    }

    /// A peer that names no base, or another one, is told the whole vector.
    @Test func aBaseCountsWhereBothNameIt() {
        let shared = SharedVector(Self.vector(1))
        let difference = VectorDifference(base: shared.name, changed: [Self.replicas[0]: []])
        #expect(session(shared, greetedWith: shared.name).1 == [.send(.vectorDifference(difference))])
        let whole = [PeerSession.Directive.send(.vector(VersionVector()))]
        #expect(session(shared, greetedWith: SharedVector(Self.vector(2)).name).1 == whole)
        #expect(session(shared, greetedWith: nil).1 == whole)
        #expect(session(nil, greetedWith: shared.name).1 == whole)
    }

    /// Nobody may tell how its vector differs from one that was not agreed upon.
    @Test func otherBasesEndTheConnection() {
        let shared = SharedVector(Self.vector(1))
        let difference = Message.vectorDifference(SharedVector(Self.vector(2)).difference(to: Self.vector(3)))
        for base in [shared.name, nil] {
            var session = session(shared, greetedWith: base).0
            let directives = session.received(difference, log: BatchLog(), own: nil, now: Self.start)
            #expect(directives == [.close(.unexpectedMessage)])
        }
    }

    /// While a second answer is to come, the first one is not taken for the answer to the latest vector.
    @Test func answersComeInTheOrderOfTheVectors() {
        var session = session(nil, greetedWith: nil).0
        _ = session.received(.vectorReply([:]), log: BatchLog(), own: nil, now: Self.start)
        #expect(session.askAgain(log: BatchLog()) == [.send(.vector(VersionVector()))])
        #expect(session.graft(log: BatchLog()).count == 2)
        #expect(session.received(.vectorReply([:]), log: BatchLog(), own: nil, now: Self.start).isEmpty)
        #expect(!session.isReconciling)
        let directives = session.received(.vectorReply([:]), log: BatchLog(), own: nil, now: Self.start)
        #expect(directives == [.exchanged(VersionVector(), isPeers: false)])
        #expect(session.isReconciling)
    }

    /// After a cut, whoever dials says what changed, and both know everything again; also where both have news.
    @Test(arguments: [(0, 1), (1, 0)])
    func reconnectingTellsTheDifference(dialler: Int, acceptor: Int) throws {
        var network = try TestNetwork.pair()
        for round in 1...4 {
            network.cut(0, 1)
            for node in 0...1 where round & (node + 1) != 0 {
                let photo = file(UInt8(10 * round + node))
                network.feed(node, .contribute(token: 1, .photo(albumName: "Beach", photo)))
            }
            network.settle()
            for node in 0...1 { network.nodes[node].sent = [] }
            network.connect(dialler, acceptor)
            network.settle()
            let told = network.nodes[dialler].sent.compactMap { message -> VectorDifference? in
                if case .vectorDifference(let difference) = message { difference } else { nil }
            }
            #expect(told.count == 1)
            #expect(try #require(told.first).changed.count <= 2)
            #expect(network.digests(0) == network.digests(1))
            #expect(network.nodes[0].engine.log.vector == network.nodes[1].engine.log.vector)
        }
    }

    /// A laptop that was started anew remembers nothing, and is told everything.
    @Test func aNewRunIsToldEverything() throws {
        var network = try TestNetwork.pair()
        network.cut(0, 1)
        try network.add(TestSigning(2), journal: network.nodes[1].journal)
        for node in network.nodes.indices { network.nodes[node].sent = [] }
        network.connect(0, 2)
        network.settle()
        let vectors = network.nodes[0].sent.filter { if case .vector = $0 { true } else { false } }
        #expect(vectors.count == 1)
        #expect(network.digests(0) == network.digests(2))
    }
}
