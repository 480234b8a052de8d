import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Who would pull a photo that it lacks: whoever is connected, was greeted and stays, pulls at all, and pulls some album
/// that the photo is in.
@Suite struct TakersTests {
    private let beach = AlbumName.identifier("Beach")
    private let forest = AlbumName.identifier("Forest")

    private func peer() throws -> PlayedPeer {
        var peer = try PlayedPeer()
        peer.connect()
        return peer
    }

    /// Who has said nothing of what it leaves out takes everything that is in some album.
    @Test func connectedDevicesTake() throws {
        let peer = try peer()
        #expect(peer.engine.takers(ofPhotoIn: [beach]) == [peer.device])
        #expect(peer.engine.takers(ofPhotoIn: [beach, forest]) == [peer.device])
        #expect(peer.engine.takers(ofPhotoIn: []).isEmpty)
    }

    /// A connection over which nothing was said yet is nobody's, and so is one that has ended.
    @Test func onlyThoseWhoAreThereTake() throws {
        var peer = try PlayedPeer()
        #expect(peer.engine.takers(ofPhotoIn: [beach]).isEmpty)
        let address = PeerAddress(host: "10.0.0.9", port: 1)
        peer.feed(.connected(PlayedPeer.link, peer.admitted, address: address, key: nil))
        #expect(peer.engine.reconciliation.sessions.count == 1)
        #expect(peer.engine.takers(ofPhotoIn: [beach]).isEmpty)
        peer = try self.peer()
        peer.feed(.disconnected(PlayedPeer.link))
        #expect(peer.engine.takers(ofPhotoIn: [beach]).isEmpty)
    }

    /// Neither does a connection count that ends, before it is gone.
    @Test func endingConnectionsDoNotCount() throws {
        var peer = try peer()
        peer.receive(.farewell(.full))
        #expect(peer.engine.reconciliation.sessions.count == 1)
        #expect(peer.engine.takers(ofPhotoIn: [beach]).isEmpty)
    }

    /// Who paused takes nothing until it goes on.
    @Test func pausedDevicesTakeNothing() throws {
        var peer = try peer()
        peer.receive(.fetching(FetchingNotice(isPaused: true)))
        #expect(peer.engine.takers(ofPhotoIn: [beach]).isEmpty)
        peer.receive(.fetching(FetchingNotice()))
        #expect(peer.engine.takers(ofPhotoIn: [beach]) == [peer.device])
    }

    /// Who leaves an album out takes what is in another one as well, and nothing that is only in those left out.
    @Test func leftOutAlbumsAreNotTaken() throws {
        var peer = try peer()
        peer.receive(.fetching(FetchingNotice(leftOut: [beach])))
        #expect(peer.engine.takers(ofPhotoIn: [beach]).isEmpty)
        #expect(peer.engine.takers(ofPhotoIn: [forest]) == [peer.device])
        #expect(peer.engine.takers(ofPhotoIn: [beach, forest]) == [peer.device])
        #expect(peer.engine.takers(ofPhotoIn: [forest, beach]) == [peer.device])
        peer.receive(.fetching(FetchingNotice(leftOut: [beach, forest])))
        #expect(peer.engine.takers(ofPhotoIn: [beach, forest]).isEmpty)
    }

    /// All who take are named, each once, in the order of their IDs; who does not is no reason to leave out another.
    @Test func takersAreOrdered() throws {
        var network = TestNetwork()
        for number in 1...4 as ClosedRange<UInt8> { try network.add(TestSigning(number)) }
        for other in 1...3 { network.connect(0, other) }
        network.settle()
        let others = network.nodes[1...3].map(\.engine.device).sorted()
        var engine = network.nodes[0].engine
        #expect(engine.takers(ofPhotoIn: [beach]) == others)
        let link = try #require(engine.pull.peers.first { $0.value.device == others[1] }?.key)
        engine.pull.peers[link]!.notice = FetchingNotice(leftOut: [beach])
        #expect(engine.takers(ofPhotoIn: [beach]) == [others[0], others[2]])
        // Two connections to one device, as there are until one of them ends.
        let first = try #require(engine.pull.peers.first { $0.value.device == others[0] }?.value)
        engine.pull.peers[LinkID(number: 999)] = first
        #expect(engine.takers(ofPhotoIn: [beach]) == [others[0], others[2]])
    }
}
