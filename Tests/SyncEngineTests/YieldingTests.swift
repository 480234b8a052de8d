import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// When older photos wait for a newer one on their way to a peer.
@Suite struct YieldingTests {
    private static let minute: UInt64 = 60_000_000

    private func photo(_ number: UInt8) -> PhotoFile {
        let hashes = (0..<4).map { BlobID(bytes: [UInt8](repeating: 100 + $0, count: 32))! }
        var photo = file(number, byteCount: 4 << 20)
        photo.pieceList = PieceList(hashes: hashes)
        return photo
    }

    /// Laptop 0 has photos 1 and 2, a minute apart, and the link leads to one of `count - 1` others. These pull nothing by
    /// themselves.
    private func holder(of count: UInt8 = 3) throws -> (network: TestNetwork, link: LinkID) {
        var network = TestNetwork()
        for number in 1...count { try network.add(TestSigning(number)) }
        let photos = [file(1), file(2)].map { PhotoKey(album: AlbumName.identifier("Beach"), blob: $0.blob) }
        for other in 1..<Int(count) {
            network.connect(0, other)
            network.feed(other, .hidden(photos))
        }
        network.settle()
        for number in 1...2 as ClosedRange<UInt8> {
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Beach", photo(number))))
            network.settle()
            network.nodes[0].wall += Self.minute
        }
        return (network, try #require(network.nodes[0].links.keys.min()))
    }

    private func ask(_ network: inout TestNetwork, _ link: LinkID, _ number: UInt8, piece: Int) {
        let request = PieceRequest(
            number: UInt32(number) * 10 + UInt32(piece), blob: file(number).blob, piece: piece, byteCount: 1 << 20,
            blobClass: .original)
        network.feed(0, .received(link, .request(request)))
        network.settle()
    }

    private func precedence(_ network: TestNetwork, of number: UInt8) -> UInt64 {
        network.nodes[0].engine.precedence(of: file(number).blob)
    }

    /// From the first piece of the newest until the peer has it; what is older than that makes nobody wait.
    @Test func untilThePeerHasIt() throws {
        var (network, link) = try holder()
        #expect(precedence(network, of: 2) > precedence(network, of: 1))
        ask(&network, link, 1, piece: 0)
        #expect(network.nodes[0].yields[link] == nil)
        ask(&network, link, 2, piece: 0)
        #expect(network.nodes[0].yields == [link: precedence(network, of: 2)])
        let news = PresenceChange(held: [file(2).blob], lost: [], counter: 1)
        network.feed(0, .received(link, .presenceChanged(news)))
        network.settle()
        #expect(network.nodes[0].yields == [link: 0])
    }

    /// A peer that does not get on keeps the rest waiting for a second, and then they go on for as long.
    @Test func halfOfTheTimeAtMost() throws {
        var (network, link) = try holder()
        let limit = EngineLimits().yieldSecondsMax
        ask(&network, link, 2, piece: 0)
        network.pass(until: network.now + 0.5 * limit)
        ask(&network, link, 2, piece: 1)
        #expect(network.nodes[0].yields[link] != 0)
        network.pass(until: network.now + 0.5 * limit)
        #expect(network.nodes[0].yields[link] == 0)
        network.pass(until: network.now + 0.5 * limit)
        ask(&network, link, 2, piece: 2)
        #expect(network.nodes[0].yields[link] == 0)
        network.pass(until: network.now + 0.6 * limit)
        ask(&network, link, 2, piece: 2)
        #expect(network.nodes[0].yields[link] == precedence(network, of: 2))
    }

    /// Whoever gets all pieces from here has nothing to wait for, nor has the only peer.
    @Test func notWhereNobodyElseServes() throws {
        var (network, link) = try holder()
        for piece in 0..<4 { ask(&network, link, 2, piece: piece) }
        #expect(network.nodes[0].yields == [link: 0])
        (network, link) = try holder(of: 2)
        ask(&network, link, 2, piece: 0)
        #expect(network.nodes[0].yields.isEmpty)
    }

    /// A connection that ends takes with it what it waited for.
    @Test func endsWithTheConnection() throws {
        var (network, link) = try holder()
        ask(&network, link, 2, piece: 0)
        network.cut(0, 1)
        let pull = network.nodes[0].engine.pull
        #expect(pull.yieldings.yieldings.isEmpty && pull.yieldings.rests.isEmpty)
    }
}
