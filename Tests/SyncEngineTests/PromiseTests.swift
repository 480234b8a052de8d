import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Pieces that are asked of a laptop while they are on their way to it.
@Suite struct PromiseTests {
    /// Three laptops; the first has a photo and does not answer yet, so that of the others one awaits it and the other
    /// has asked that one.
    private func awaiting() throws -> (network: TestNetwork, awaiting: Int, asking: Int) {
        var network = TestNetwork()
        for number in 1...3 { try network.add(TestSigning(UInt8(number))) }
        network.connect(0, 1)
        network.connect(0, 2)
        network.connect(1, 2)
        network.settle()
        network.slowNode = 0
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1, byteCount: 1_000_000))))
        network.settle()
        let awaiting = try #require(network.nodes.firstIndex { !$0.engine.pull.promises.isEmpty })
        #expect(network.nodes.count { !$0.engine.pull.promises.isEmpty } == 1)
        #expect(network.waitingCount == 1)
        return (network, awaiting, 3 - awaiting)
    }

    private func holds(_ network: TestNetwork, _ node: Int) -> Bool {
        network.nodes[node].engine.held.contains(file(1).blob)
    }

    /// The promised piece is answered when it has come, and the holder sends it once.
    @Test func promisesAreKept() throws {
        var (network, awaiting, asking) = try awaiting()
        network.release()
        #expect(holds(network, awaiting) && holds(network, asking))
        #expect(network.waitingCount == 0)
        #expect(network.nodes[awaiting].engine.pull.promises.isEmpty)
    }

    /// Who cannot keep its promise says so, and the piece is asked elsewhere.
    @Test func promisesAreTakenBack() throws {
        var (network, awaiting, asking) = try awaiting()
        network.cut(0, awaiting)
        #expect(network.nodes[awaiting].engine.pull.promises.isEmpty)
        network.pass(until: network.now + EngineLimits().comingPatience)
        network.slowNode = nil
        network.release()
        network.pass(until: network.now + 1)
        #expect(holds(network, awaiting) && holds(network, asking))
    }

    /// A promise ends with its connection, and with the request.
    @Test func promisesEnd() throws {
        var (network, awaiting, asking) = try awaiting()
        let promise = try #require(network.nodes[awaiting].engine.pull.promises.requests.values.first)
        network.feed(awaiting, .received(promise.link, .cancelled(number: promise.request.number)))
        network.settle()
        #expect(network.nodes[awaiting].engine.pull.promises.isEmpty)
        (network, awaiting, asking) = try self.awaiting()
        network.cut(awaiting, asking)
        #expect(network.nodes[awaiting].engine.pull.promises.isEmpty)
    }
}
