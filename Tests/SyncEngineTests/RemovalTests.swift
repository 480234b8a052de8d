import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Photos that leave their albums, come back, or are hidden on one laptop.
@Suite struct RemovalTests {
    private let album = AlbumName.identifier("Beach")
    private let blob = file(1).blob
    private var key: PhotoKey { PhotoKey(album: album, blob: blob) }

    private func say(_ contributions: Contribution..., on node: Int, _ network: inout TestNetwork) {
        for contribution in contributions { network.feed(node, .contribute(token: 1, contribution)) }
        network.settle()
    }

    private func say(_ contribution: Contribution, _ node: Int, _ network: inout TestNetwork) {
        say(contribution, on: node, &network)
    }

    private func photo(_ network: TestNetwork, _ node: Int) throws -> Photo {
        try #require(network.nodes[node].engine.catalog.photo(key))
    }

    /// A withdrawal takes the own add alone; the last one of all takes the photo from the album everywhere.
    @Test func ownAddsAreWithdrawn() throws {
        var network = try TestNetwork.pair()
        say(.photoWithdrawal(album, blob), 1, &network)
        #expect(try photo(network, 0).isLive)
        say(.photoInAlbum(album, file(1)), 1, &network)
        say(.photoWithdrawal(album, blob), 0, &network)
        for node in 0...1 {
            #expect(try photo(network, node).contributors == [network.nodes[1].engine.device])
        }
        say(.photoWithdrawal(album, blob), 1, &network)
        #expect(try !photo(network, 0).isLive)
        #expect(try photo(network, 0).departure?.author == network.nodes[1].engine.device)
        #expect(network.digests(0) == network.digests(1))
    }

    /// A photo that is added, taken away and added again without a pause is there in the end, and gone the other way
    /// round: what one batch does to a photo is done one after the other.
    @Test func orderIsKeptWithinAMoment() throws {
        var network = try TestNetwork.pair()
        say(
            .photoWithdrawal(album, blob), .photoInAlbum(album, file(1)), .photo(albumName: "Beach", file(2)), on: 0,
            &network)
        #expect(try photo(network, 1).isLive)
        say(
            .photoRemoval(album, blob), .photo(albumName: "Beach", file(1)), .photoRemoval(album, blob), on: 0, &network
        )
        #expect(try !photo(network, 1).isLive)
        #expect(network.nodes[1].engine.catalog.albums[album]?.liveCount == 1)
        #expect(network.digests(0) == network.digests(1))
    }

    /// A removed photo that somebody still has comes back by being added again, with its words.
    @Test func whatIsRemovedCanBeAddedAgain() throws {
        var network = try TestNetwork.pair()
        say(.caption(album, blob, "Sea"), 0, &network)
        say(.photoRemoval(album, blob), 1, &network)
        #expect(try !photo(network, 0).isLive)
        say(.photoInAlbum(album, file(1)), 1, &network)
        #expect(try photo(network, 0).isLive)
        #expect(try photo(network, 0).caption.shown?.value == "Sea")
        #expect(try photo(network, 0).contributors == [network.nodes[1].engine.device])
    }

    /// A laptop that hides a photo does not pull it, also after a restart; once it is shown again it is pulled.
    @Test func hiddenPhotosAreNotPulled() throws {
        var network = try TestNetwork.pair()
        try network.add(TestSigning(3), journal: network.nodes[0].journal)
        #expect(Array(network.nodes[2].engine.wantedBlobs) == [blob])
        network.feed(2, .hidden([key]))
        network.settle()
        #expect(Array(network.nodes[2].engine.wantedBlobs).isEmpty)
        #expect(network.nodes[2].engine.hidden == [key])
        network.connect(2, 0)
        network.settle()
        #expect(!network.nodes[2].engine.held.contains(blob))
        // In another album it is shown, so its bytes are wanted; until it leaves that one.
        say(.photo(albumName: "Hills", file(1)), 0, &network)
        #expect(network.nodes[2].engine.held.contains(blob))
        network.feed(2, .blobLost(blob))
        say(.photoRemoval(AlbumName.identifier("Hills"), blob), 0, &network)
        #expect(Array(network.nodes[2].engine.wantedBlobs).isEmpty)
        network.feed(2, .unhidden([key]))
        network.settle()
        #expect(network.nodes[2].engine.held.contains(blob))
    }

    /// Who held a removed photo when its removal was learned is known still.
    @Test func formerHoldersAreKnown() throws {
        var network = try TestNetwork.pair()
        let ben = network.nodes[1].engine.device
        #expect(network.nodes[0].engine.copies(wall: network.nodes[0].wall).holders(of: blob) == [ben])
        network.feed(0, .contribute(token: 1, .photoRemoval(album, blob)))
        network.settle()
        #expect(network.nodes[0].engine.copies(wall: network.nodes[0].wall).holders(of: blob) == [ben])
    }
}
