import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Batches that a person carries from one laptop to another.
@Suite struct CarryingTests {
    private func network(_ count: Int) throws -> TestNetwork {
        var network = TestNetwork()
        for number in 0..<count { try network.add(TestSigning(UInt8(number + 1))) }
        return network
    }

    private func outcomes(_ node: TestNetwork.Node) -> [CarriedOutcome] {
        node.events.compactMap { event in
            if case .carried(_, let outcome) = event { outcome } else { nil }
        }
    }

    private func outcome(new: Int = 0, known: Int = 0, refusals: [BatchRefusal] = []) -> CarriedOutcome {
        var outcome = CarriedOutcome()
        (outcome.newCount, outcome.knownCount, outcome.refusals) = (new, known, refusals)
        return outcome
    }

    /// Shows that carried batches are stored, folded and passed on to connected peers like those of a peer, that their
    /// blobs are wanted, and that the same page again is known.
    @Test func carriedBatchesCount() throws {
        var network = try network(3)
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(2, byteCount: 7))))
        network.settle()
        network.connect(1, 2)
        network.settle()
        let page = BatchPage(batches: network.nodes[0].journal.map(\.signed), page: 1)
        network.feed(1, .carried(token: 5, page))
        network.feed(1, .carried(token: 6, page))
        network.settle()
        #expect(outcomes(network.nodes[1]) == [outcome(new: 2), outcome(known: 2)])
        #expect(network.digests(0) == network.digests(1))
        #expect(network.digests(0) == network.digests(2))
        let wants = network.nodes[1].engine.carriedWants
        // They came at one time, so neither is newer.
        #expect(wants.map(\.blob) == [file(1).blob, file(2).blob])
        #expect(wants.map(\.byteCounts) == [[1000], [7]])
        #expect(wants.allSatisfy { $0.blobClass == .original })
    }

    /// Shows that a batch which is not properly signed, or lacks what it follows, is refused alone: what is right
    /// beside it is stored, and what lacked something is accepted once that has come.
    @Test func whatIsWrongIsRefusedAlone() throws {
        var network = try network(3)
        for number in 1...2 as ClosedRange<UInt8> {
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
            network.settle()
            network.feed(1, .contribute(token: UInt64(number), .photo(albumName: "Dinner", file(number + 10))))
            network.settle()
        }
        let (anna, ben) = (network.nodes[0].journal.map(\.signed), network.nodes[1].journal.map(\.signed))
        var forged = anna[0]
        forged.signature[0] ^= 1
        network.feed(2, .carried(token: 1, BatchPage(batches: [forged, anna[1], ben[0], ben[1]], page: 1)))
        network.settle()
        #expect(outcomes(network.nodes[2]) == [outcome(new: 2, refusals: [.badSignature, .unknownPrevious])])
        network.feed(2, .carried(token: 2, BatchPage(batches: anna, page: 1)))
        network.settle()
        #expect(outcomes(network.nodes[2]).last == outcome(new: 2))
        #expect(network.nodes[2].engine.log.batchCount == 4)
    }

    /// Shows that a blob which is carried here while a peer is asked for it is held at once and told to others, and that
    /// the request is taken back and what had come of it goes.
    @Test func carriedBlobsEndTheirPull() throws {
        var network = try network(1)
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        try network.add(TestSigning(2))
        network.feed(1, .carried(token: 1, BatchPage(batches: network.nodes[0].journal.map(\.signed), page: 1)))
        network.settle()
        var (engine, random) = (network.nodes[1].engine, TestRandom())
        func handle(_ input: EngineInput) -> [EngineDirective] {
            engine.handle(input, now: network.now, wall: network.nodes[1].wall, using: &random)
        }
        let directives = handle(.blobCarried(file(1).blob))
        #expect(directives.contains(.notify(.blobHeld(file(1).blob))))
        #expect(directives.contains(.abandon(file(1).blob)))
        #expect(engine.held == [file(1).blob] && engine.carriedWants.isEmpty)
        #expect(handle(.blobCarried(file(1).blob)).isEmpty)
    }

    /// Shows that batches of another gathering are refused, every one of them.
    @Test func otherGatheringsAreRefused() throws {
        var network = try network(1)
        var stranger = TestSigning(9)
        stranger.gathering = [2]
        try network.add(stranger)
        network.feed(1, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        network.feed(0, .carried(token: 1, BatchPage(batches: network.nodes[1].journal.map(\.signed), page: 1)))
        network.settle()
        #expect(outcomes(network.nodes[0]) == [outcome(refusals: [.badProof])])
        #expect(network.nodes[0].journal.isEmpty)
    }
}
