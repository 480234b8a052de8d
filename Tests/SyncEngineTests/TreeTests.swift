import Testing
import WireFormat

@testable import SyncEngine

/// The tree of eager links along which batches are pushed.
@Suite struct TreeTests {
    /// A laptop with three links, of which the last is lazy.
    private static func star() throws -> TestNetwork {
        var network = TestNetwork()
        for number in UInt8(1)...4 { try network.add(TestSigning(number)) }
        for other in 1...3 { network.connect(0, other) }
        network.settle()
        let (link, peer) = network.nodes[0].links.first { $0.value.node == 3 }!
        network.feed(0, .received(link, .prune))
        network.feed(3, .received(peer.link, .prune))
        network.settle()
        network.nodes[0].sent = []
        return network
    }

    private static func eager(_ node: Int, _ network: TestNetwork) -> [Int] {
        let tree = Set(network.nodes[node].engine.treeLinks)
        return network.nodes[node].links.filter { tree.contains($0.key) }.map(\.value.node).sorted()
    }

    /// A lazy link takes the place of an eager one that broke, on both of its sides, and before anything is missed.
    @Test func lazyLinkTakesTheBrokenOnesPlace() throws {
        var network = try Self.star()
        #expect(Self.eager(0, network) == [1, 2])
        network.cut(0, 1)
        network.settle()
        #expect(Self.eager(0, network) == [2, 3])
        #expect(Self.eager(3, network) == [0])
        #expect(network.nodes[0].sent.count { $0 == .graft } == 1)
    }

    /// A lazy link that breaks leaves the tree as it is.
    @Test func theTreeOutlivesItsLazyLinks() throws {
        var network = try Self.star()
        network.cut(0, 3)
        network.settle()
        #expect(Self.eager(0, network) == [1, 2])
        #expect(!network.nodes[0].sent.contains(.graft))
    }

    /// What came over a lazy link before it came along the tree makes that link part of the tree.
    @Test func lazyLinkThatBringsNewsJoinsTheTree() throws {
        var network = try Self.star()
        for number in UInt64(1)...20 {
            let address = PeerAddress(host: "10.0.1.\(number)", port: 1)
            network.feed(0, .learned(.device(number), [address], .discovery))
        }
        network.feed(3, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        #expect(network.nodes[0].engine.isMeshPartial)
        #expect(Self.eager(0, network) == [1, 2], "what was announced is waited for")
        let link = network.nodes[0].links.first { $0.value.node == 3 }!.key
        let page = BatchPage(batches: network.nodes[3].journal.map(\.signed), pieceLists: [:], page: 0)
        network.feed(0, .received(link, .batches(page)))
        network.settle()
        #expect(Self.eager(0, network) == [1, 2, 3])
        #expect(Self.eager(3, network) == [0])
        #expect(network.digests(0) == network.digests(3))
    }
}
