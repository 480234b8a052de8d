import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Which originals are pulled is each laptop's own decision, album by album.
@Suite struct FetchPolicyTests {
    /// Two laptops that know of two photos in one album; the first holds both, and each contributed one.
    private func gathering() throws -> (TestNetwork, AlbumID) {
        var network = TestNetwork()
        for number in 0..<2 { try network.add(TestSigning(UInt8(number + 1))) }
        network.connect(0, 1)
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.feed(1, .contribute(token: 1, .photo(albumName: "Beach", file(2))))
        network.settle()
        let album = try #require(network.nodes[0].engine.catalog.albums.keys.first)
        return (network, album)
    }

    /// What a policy leaves out is neither wanted nor missing, and comes once the policy changes.
    @Test func leftOutOriginalsAreNotWanted() throws {
        var (network, album) = try gathering()
        network.feed(1, .fetchPolicy(FetchPolicy(albums: [album: .none])))
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(3))))
        network.settle()
        #expect(network.nodes[1].engine.held == [file(1).blob, file(2).blob])
        #expect(network.nodes[1].engine.catalog.albums[album]?.liveCount == 3)
        #expect(network.nodes[1].engine.isLeftOut(file(3).blob))
        #expect(network.nodes[1].engine.missingReason(file(3).blob) == nil)
        network.feed(1, .fetchPolicy(FetchPolicy()))
        network.settle()
        #expect(network.nodes[1].engine.held.contains(file(3).blob))
    }

    /// With `none`, thumbnails still come.
    @Test func thumbnailsComeAllTheSame() throws {
        var (network, album) = try gathering()
        network.feed(1, .fetchPolicy(FetchPolicy(albums: [album: .none])))
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(3))))
        network.settle()
        let thumbnail = Thumbnail(
            blob: file(0xEE).blob, byteCount: 20_000, size: PixelSize(width: 480, height: 360), mediaType: "image/jpeg")
        let facts = PhotoFacts(readerVersion: 1, kind: .photo, thumbnail: thumbnail)
        network.feed(0, .contribute(token: 3, .photoFacts(album, file(3).blob, facts)))
        network.settle()
        #expect(network.nodes[1].engine.held.contains(file(0xEE).blob))
        #expect(!network.nodes[1].engine.held.contains(file(3).blob))
    }

    /// A photo that was asked for comes although its album is left out, and so does one that another album wants.
    @Test func askedPhotosAndOtherAlbumsCount() throws {
        var (network, album) = try gathering()
        network.feed(1, .fetchPolicy(FetchPolicy(albums: [album: .none])))
        for number: UInt8 in 3...5 {
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
        }
        network.feed(0, .contribute(token: 6, .photo(albumName: "Club", file(4))))
        network.settle()
        #expect(network.nodes[1].engine.held == [file(1).blob, file(2).blob, file(4).blob])
        let asked: Set = [PhotoKey(album: album, blob: file(3).blob)]
        network.feed(1, .fetchPolicy(FetchPolicy(albums: [album: .none], asked: asked)))
        network.settle()
        #expect(network.nodes[1].engine.held == [file(1).blob, file(2).blob, file(3).blob, file(4).blob])
    }

    /// With `own`, a laptop that lost its blobs gets back what it contributed, and nothing else.
    @Test func ownOriginalsComeBack() throws {
        var (network, album) = try gathering()
        let (own, others) = (file(2).blob, file(1).blob)
        network.feed(1, .fetchPolicy(FetchPolicy(albums: [album: .own])))
        for blob in [own, others] { network.feed(1, .blobLost(blob)) }
        network.settle()
        #expect(network.nodes[1].engine.held == [own])
    }

    /// A photo that leaves the album that wanted it, and stays in one that does not, is given up.
    @Test func leavingTheWantingAlbumEndsTheWant() throws {
        var (network, album) = try gathering()
        network.feed(1, .pullTerms(PullTerms(isPaused: true)))
        network.feed(1, .fetchPolicy(FetchPolicy(albums: [album: .none])))
        network.feed(0, .contribute(token: 3, .photo(albumName: "Beach", file(3))))
        network.feed(0, .contribute(token: 4, .photo(albumName: "Club", file(3))))
        network.settle()
        #expect(network.nodes[1].engine.missingReason(file(3).blob) == .heldUp(.paused))
        let second = try #require(network.nodes[0].engine.catalog.albums.keys.first { $0 != album })
        network.feed(0, .contribute(token: 5, .photoRemoval(second, file(3).blob)))
        network.settle()
        #expect(network.nodes[1].engine.missingReason(file(3).blob) == nil)
        #expect(Array(network.nodes[1].engine.heldUpPhotos).isEmpty)
    }
}
