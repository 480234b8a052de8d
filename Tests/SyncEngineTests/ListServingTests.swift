import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What is said of a piece list that a peer asks for.
@Suite struct ListServingTests {
    private func photo(_ list: PieceList) -> PhotoFile {
        var photo = file(1, byteCount: 2 << 20)
        photo.pieceList = list
        return photo
    }

    /// Contributors may name lists of either kind: the store is told all of them, so that it sends one that the peer can
    /// take. Catches a holder that is condemned since it sent the other kind.
    @Test func theStoreIsToldWhatContributorsName() throws {
        let blob = file(1).blob
        let lists = [PieceList(hashes: [file(2).blob, blob]), PieceList(hashes: [file(2).blob, file(3).blob])]
        var network = TestNetwork()
        for (number, list) in lists.enumerated() {
            try network.add(TestSigning(UInt8(number + 1)))
            network.feed(number, .contribute(token: 1, .photo(albumName: "Beach", photo(list))))
        }
        network.settle()
        network.connect(0, 1)
        network.settle()
        var peer = try PlayedPeer(log: network.nodes[0].journal.map(\.signed), held: [blob])
        peer.connect()
        peer.receive(.pieceListRequest(blob))
        #expect(peer.lists.map(\.blob) == [blob])
        #expect(Set(peer.lists.first?.fitting ?? []) == Set(lists.map(\.listHash)))
    }
}
