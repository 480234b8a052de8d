import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// A newer summary is told as what changed since an older one that the receiver has, and is the same in the end.
@Suite struct SummaryDifferenceTests {
    /// Contents like those of summaries: 50 parts of 24 bytes.
    private func content(_ change: (inout [[UInt8]]) -> Void = { _ in }) -> [UInt8] {
        var random = TestRandom()
        var parts = (0..<50).map { _ in (0..<24).map { _ in UInt8.random(in: 0...255, using: &random) } }
        change(&parts)
        return parts.flatMap(\.self)
    }

    /// Changed, inserted and removed bytes cost about as much as they are, wherever they stand.
    @Test func piecesMakeTheContent() {
        let base = content()
        let cases: [(content: [UInt8], addedMax: Int)] = [
            (base, 0), (content { $0[0][2] ^= 1 }, 20), (content { $0[25][7] ^= 1 }, 20),
            (content { $0[49][23] ^= 1 }, 20), (content { $0.insert([UInt8](repeating: 3, count: 30), at: 20) }, 45),
            (content { $0.remove(at: 30) }, 20),
            (
                content {
                    $0[3][0] ^= 1; $0.remove(at: 40)
                }, 40
            ), ([], 0),
            ([UInt8](repeating: 9, count: 100), 100),
        ]
        for (content, addedMax) in cases {
            let pieces = ContentDifference.pieces(of: content, from: base)
            #expect(ContentDifference.content(pieces, of: base) == content)
            #expect(pieces.reduce(0) { $0 + $1.added.count } <= addedMax)
            #expect(ContentDifference.content(ContentDifference.pieces(of: content, from: []), of: []) == content)
        }
    }

    /// A piece of what is not there makes nothing.
    @Test func piecesStayWithinTheBase() {
        let piece = SummaryDifference.Piece(copied: 90..<101, added: [1])
        #expect(ContentDifference.content([piece], of: [UInt8](repeating: 0, count: 100)) == nil)
    }

    /// What is kept of older summaries has a bound, and the oldest goes first.
    @Test func memoryIsBounded() {
        let device = DeviceID(bytes: [UInt8](repeating: 1, count: 32))!
        var former = FormerSummaries(byteCountMax: 250)
        for number in 1...3 {
            let statement = SignedStatement(content: [UInt8](repeating: UInt8(number), count: 100), signature: [])
            former.keep(.init(number: UInt64(number), statement: statement), of: device)
        }
        #expect(former.byteCount == 200)
        #expect(former.content(1, of: device) == nil)
        #expect(former.content(3, of: device) == [UInt8](repeating: 3, count: 100))
    }

    /// Two laptops with photos of five others, so that a summary is long, known to both. Of more not all are linked.
    private func pair() throws -> TestNetwork {
        var network = try TestNetwork.pair()
        for number: UInt8 in 10..<15 {
            try network.add(TestSigning(number))
            let last = network.nodes.count - 1
            network.feed(last, .contribute(token: 1, .photo(albumName: "Beach", file(number))))
            network.settle()
            network.connect(0, last)
            network.settle()
            network.cut(0, last)
        }
        // Only who has said something is known by its key.
        drop(2, 1, &network)
        pass(30, &network)
        for node in 0...1 { network.nodes[node].sent = [] }
        return network
    }

    private func pass(_ seconds: Int, _ network: inout TestNetwork) {
        for _ in 0..<seconds {
            for node in network.nodes.indices { network.nodes[node].wall += 1_000_000 }
            network.pass(until: network.now + 1)
        }
    }

    private func drop(_ number: UInt8, _ node: Int, _ network: inout TestNetwork) {
        network.feed(node, .contribute(token: 1, .photo(albumName: "Beach", file(number))))
        network.settle()
    }

    private func told(_ network: TestNetwork) -> (whole: [SignedStatement], differences: [SummaryDifference]) {
        var told: (whole: [SignedStatement], differences: [SummaryDifference]) = ([], [])
        for message in network.nodes[0...1].flatMap(\.sent) {
            if case .summaries(let statements) = message { told.whole += statements }
            if case .summaryDifferences(let differences) = message { told.differences += differences }
        }
        return told
    }

    private func knowEachOthers(_ network: TestNetwork) -> Bool {
        let engines = network.nodes[0...1].map(\.engine)
        return engines.map(\.device).allSatisfy { device in
            let summaries = engines.map { $0.holdings.summary(of: device) }
            return summaries[0] != nil && summaries[0] == summaries[1]
        }
    }

    /// While both are connected each new summary goes out as a difference, and so does one that was missed.
    @Test func connectedAndReconnectedLaptopsTellDifferences() throws {
        var network = try pair()
        #expect(knowEachOthers(network))
        drop(100, 0, &network)
        pass(25, &network)
        network.cut(0, 1)
        drop(101, 0, &network)
        pass(15, &network)
        network.connect(0, 1)
        pass(25, &network)
        #expect(knowEachOthers(network))
        #expect(told(network).whole.isEmpty)
        #expect(told(network).differences.count >= 3)
        #expect(told(network).differences.allSatisfy { $0.pieces.reduce(0) { $0 + $1.added.count } < 80 })
    }

    /// Where the base is not the summary that is here, or the result is not what was signed, the summary is asked for.
    @Test(arguments: [0, 1])
    func whatCannotBePutTogetherIsAskedFor(kind: Int) throws {
        var network = try pair()
        let device = network.nodes[0].engine.device
        let link = try #require(network.nodes[1].links.keys.first)
        let number = try #require(network.nodes[1].engine.holdings.summary(of: device)).number
        let piece = SummaryDifference.Piece(copied: 0..<40, added: [7])
        let difference = SummaryDifference(
            device: device.prefix, base: kind == 0 ? number + 5 : number, number: number + 9, pieces: [piece],
            signature: [1])
        let summary = network.nodes[1].engine.holdings.summary(of: device)
        network.feed(1, .received(link, .summaryDifferences([difference])))
        network.settle()
        let asked = SummaryVersions(numbers: [device.prefix: kind == 0 ? number : 0], isWhole: false)
        #expect(kind == 1 || network.nodes[1].sent.contains(.summaryVersions(asked)))
        #expect(network.nodes[1].engine.holdings.summary(of: device) == summary)
    }

    /// A peer of an earlier version is told whole summaries.
    @Test func earlierVersionsAreToldWhole() throws {
        var network = try pair()
        network.cut(0, 1)
        let link = LinkID(number: 900)
        let (first, second) = (network.nodes[0].engine.device, network.nodes[1].engine.device)
        let old = try #require(network.nodes[1].engine.holdings.summary(of: first)).number
        drop(100, 0, &network)
        pass(11, &network)
        let (peer, address) = (AdmittedPeer(second, provenUnder: nil), PeerAddress(host: "10.0.0.1", port: 1))
        network.feed(0, .connected(link, peer, address: address, key: .device(second.prefix)))
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 1, foldLevel: 1)
        network.feed(0, .received(link, .hello(hello)))
        network.feed(0, .received(link, .summaryVersions(SummaryVersions(numbers: [first.prefix: old], isWhole: true))))
        network.settle()
        #expect(told(network).differences.isEmpty)
        #expect(!told(network).whole.isEmpty)
    }
}
