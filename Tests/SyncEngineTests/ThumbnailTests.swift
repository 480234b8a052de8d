import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Thumbnails are blobs of their own: wanted before photos, told of by the facts that name them.
@Suite struct ThumbnailTests {
    private let thumbnail = BlobID(bytes: [UInt8](repeating: 0xEE, count: 32))!

    private func facts(_ blob: BlobID, version: UInt32 = 1) -> PhotoFacts {
        PhotoFacts(
            readerVersion: version, kind: .photo,
            thumbnail: Thumbnail(
                blob: blob, byteCount: 20_000, size: PixelSize(width: 480, height: 360), mediaType: "image/jpeg"))
    }

    /// Two laptops, of which the first has a photo with facts.
    private func gathering() throws -> (TestNetwork, AlbumID) {
        var network = TestNetwork()
        for number in 0..<2 { try network.add(TestSigning(UInt8(number + 1))) }
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        let album = try #require(network.nodes[0].engine.catalog.albums.keys.first)
        network.feed(0, .contribute(token: 2, .photoFacts(album, file(1).blob, facts(thumbnail))))
        network.settle()
        return (network, album)
    }

    /// Whoever contributes facts holds their thumbnail, and whoever learns of them pulls it, presence included.
    @Test func thumbnailsReachTheOtherSide() throws {
        var (network, _) = try gathering()
        #expect(network.nodes[0].engine.held == [file(1).blob, thumbnail])
        network.connect(0, 1)
        network.settle()
        #expect(network.nodes[1].engine.held == [file(1).blob, thumbnail])
        #expect(network.nodes[0].engine.copies(wall: network.nodes[0].wall).holders(of: thumbnail).count == 1)
        #expect(Array(network.nodes[1].engine.wantedBlobs).isEmpty)
    }

    /// A laptop that comes later is told of the thumbnails that were there before, by runs that name facts.
    @Test func presenceNamesFacts() throws {
        var (network, _) = try gathering()
        let journal = network.nodes[0].journal
        try network.add(TestSigning(3), journal: journal, held: [])
        #expect(Set(network.nodes[2].engine.wantedBlobs) == [file(1).blob, thumbnail])
        #expect(Array(network.nodes[2].engine.wantedPhotos) == [file(1).blob])
        network.connect(2, 0)
        network.settle()
        #expect(network.nodes[2].engine.held == [file(1).blob, thumbnail])
    }

    /// Better facts bring another thumbnail, and the old one is wanted no longer; nor is that of a removed photo.
    @Test func unnamedThumbnailsAreForgotten() throws {
        var (network, album) = try gathering()
        let journal = network.nodes[0].journal
        try network.add(TestSigning(3), journal: journal)
        let other = BlobID(bytes: [UInt8](repeating: 0xDD, count: 32))!
        network.feed(0, .contribute(token: 3, .photoFacts(album, file(1).blob, facts(other, version: 2))))
        network.settle()
        let batches = network.nodes[0].journal.dropFirst(journal.count).map(\.signed)
        network.connect(1, 2)
        network.settle()
        let link = try #require(network.nodes[2].links.keys.first)
        network.feed(2, .received(link, .batches(BatchPage(batches: Array(batches), page: 0))))
        network.settle()
        #expect(Set(network.nodes[2].engine.wantedBlobs) == [file(1).blob, other])
        network.feed(2, .contribute(token: 4, .photoRemoval(album, file(1).blob)))
        network.settle()
        #expect(Array(network.nodes[2].engine.wantedBlobs).isEmpty)
    }

    /// Where there is a backlog, thumbnails go before photos, however new those are.
    @Test func thumbnailsGoFirst() {
        let old = WantPriority(blobClass: .thumbnail, age: 1, byteCount: 20_000, blob: thumbnail)
        let new = WantPriority(blobClass: .original, age: 2, byteCount: 10, blob: file(1).blob)
        #expect(old < new)
    }
}
