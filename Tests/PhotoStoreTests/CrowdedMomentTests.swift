import AlbumModel
import StoreProbe
import TestSupport
import Testing

@testable import PhotoStore

private let anna = DeviceID(bytes: Samples.bytes(32, seed: 2))!
private let stamp = IndexStamp(foldLevel: 2, vector: [1])
private let beach = AlbumRow(
    id: AlbumID(bytes: Samples.bytes(16, seed: 1))!, name: "Beach", updated: 5, digest: [1])

private func photo(_ number: Int, _ name: String, _ kind: MediaKind, content: String = "") -> PhotoRow {
    PhotoRow(
        album: beach.id, blob: Samples.blobID(Array("\(number)".utf8)), name: name, mediaType: "image/jpeg",
        byteCount: 10, contributors: [Person(anna)], added: 7, modified: 0,
        details: PhotoDetails(
            facts: PhotoFacts(readerVersion: 1, kind: kind, contentIdentifier: content)))
}

/// Photos that are called alike or connected by the thousand cost no look at all of them, and none is hidden by another.
@Suite struct CrowdedMomentTests {
    private func filled(_ home: TemporaryHome, _ photos: [PhotoRow]) throws -> Index {
        let index = try Index(home: home.path)
        try index.replaceAll(
            albums: [beach], devices: [DeviceRow(id: anna, name: "Anna")], photos: photos, stamp: stamp)
        return index
    }

    /// Every photo once, as an entry or as part of one.
    private func listed(_ index: Index) throws -> [BlobID] {
        try index.photos(album: beach.id).flatMap { [$0.photo.blob] + $0.companions.map(\.blob) }.sorted()
    }

    private func expectSame(_ index: Index, as photos: [PhotoRow]) throws {
        let home = TemporaryHome()
        let again = try filled(home, photos)
        #expect(try again.photos(album: beach.id) == index.photos(album: beach.id))
        #expect(try listed(index) == photos.map(\.blob).sorted())
    }

    /// A sidecar finds its photo among as many of one name as there may be, and stands alone among more; what shares more
    /// than the name stays together. The index that follows each change is the one that is made at once.
    @Test func aCrowdConnectsNothing() throws {
        let countMax = MomentKeeper.keyCountMax
        let home = TemporaryHome()
        var photos = [
            photo(0, "IMG_1.xmp", .sidecar), photo(1, "IMG_1.heic", .photo, content: "A"),
            photo(2, "IMG_1.mov", .video, content: "A"),
        ]
        photos += (3..<countMax).map { photo($0, "IMG_1.jpg", .photo) }
        let index = try filled(home, photos)
        #expect(try index.photos(album: beach.id).count == countMax - 2)
        // One more, one that comes anew under this name, and many at once.
        var stranger = photo(1000, "b.jpg", .photo)
        try index.apply(albums: [beach], photos: [stranger], stamp: stamp)
        photos.append(stranger)
        stranger.name = "IMG_1.jpg"
        let crowd = (2000..<2400).map { photo($0, "IMG_1.jpg", .photo) }
        for more in [[photo(500, "IMG_1.jpg", .photo)], [stranger], crowd] {
            try index.apply(albums: [beach], photos: more, stamp: stamp)
            photos.removeAll { $0.blob == more[0].blob }
            photos += more
            try expectSame(index, as: photos)
            #expect(try index.photos(album: beach.id).count == photos.count - 1)
        }
        // The pair is there by what it shares besides.
        #expect(try index.photos(album: beach.id).filter { $0.kind == .live }.map(\.companions.count) == [1])
        // They go, the last of them one by one.
        let rest = Array(photos.dropLast(crowd.count))
        try index.apply(
            albums: [beach], photos: [], removedPhotos: crowd.map { (beach.id, $0.blob) }, stamp: stamp)
        try expectSame(index, as: rest)
        for count in [1, 2] {
            let gone = rest[rest.count - count]
            try index.apply(albums: [beach], photos: [], removedPhotos: [(beach.id, gone.blob)], stamp: stamp)
            try expectSame(index, as: Array(rest.dropLast(count)))
        }
        #expect(try index.photos(album: beach.id).count == countMax - 2)
    }

    /// A chain of photos, each with something in common with the next one: a short one makes pairs, of a long one each
    /// stands alone, and all of them are listed whenever some come or go.
    @Test func theEntangledStandAlone() throws {
        func link(_ number: Int) -> PhotoRow {
            let isVideo = number % 2 == 1
            return photo(
                number, "F\(number / 2).\(isVideo ? "mov" : "jpg")", isVideo ? .video : .photo,
                content: "C\((number + 1) / 2)")
        }
        let home = TemporaryHome()
        let count = 3 * MomentKeeper.memberCountMax
        let index = try filled(home, (0..<10).map(link))
        #expect(try index.photos(album: beach.id).contains { !$0.companions.isEmpty })
        var known = 10
        while known < count {
            let more = (known..<min(known + 170, count)).map(link)
            known += more.count
            try index.apply(albums: [beach], photos: more, stamp: stamp)
            #expect(try listed(index) == (0..<known).map { link($0).blob }.sorted())
        }
        // Whatever goes takes nothing with it.
        var left = Set(0..<count)
        for gone in [Array(100..<140), [0, 600, 601], Array(300..<900).filter { $0 % 3 == 0 && $0 != 600 }] {
            left.subtract(gone)
            try index.apply(
                albums: [beach], photos: [], removedPhotos: gone.map { (beach.id, link($0).blob) }, stamp: stamp)
            #expect(try listed(index) == left.map { link($0).blob }.sorted())
        }
    }
}
