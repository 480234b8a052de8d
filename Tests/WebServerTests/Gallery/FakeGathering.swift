import AlbumModel
import PotluckAPI
import Synchronization

/// Albums and photos that a fake agent and a fake host tell of.
final class FakeGathering: Sendable {
    struct Album: Sendable {
        var name: String
        var photos: [PhotosReport.Photo] = []
    }

    private let albums = Mutex<[AlbumID: Album]>([:])
    private let listingCounts = Mutex<[AlbumID: Int]>([:])

    /// How often all photos of an album were asked for.
    func listingCount(of album: AlbumID) -> Int { listingCounts.withLock { $0[album] ?? 0 } }

    /// Makes an album, empty.
    func make(_ name: String) -> AlbumID {
        let id = AlbumName.identifier(name)
        albums.withLock { $0[id] = Album(name: name) }
        return id
    }

    func album(named name: String) -> AlbumID? {
        albums.withLock { albums in albums.first { AlbumName.key($0.value.name) == AlbumName.key(name) }?.key }
    }

    /// Puts a photo into an album, in place of the one of its ID.
    @discardableResult
    func put(_ photo: PhotosReport.Photo, into album: AlbumID) -> BlobID {
        albums.withLock { albums in
            albums[album]?.photos.removeAll { $0.id == photo.id }
            albums[album]?.photos.append(photo)
        }
        return BlobID(hex: photo.id)!
    }

    func remove(_ photo: BlobID, from album: AlbumID) {
        albums.withLock { $0[album]?.photos.removeAll { $0.id == photo.hex } }
    }

    /// A photo with a number of its own.
    static func photo(
        _ number: Int, taken: String? = "2026-08-14T18:40:07", by: String = "Grandma's laptop", width: UInt32 = 4000,
        height: UInt32 = 3000
    ) -> PhotosReport.Photo {
        var photo = PhotosReport.Photo(
            id: blob(number).hex, name: "IMG_\(number).JPG", file: "Beach/IMG_\(number).JPG", bytes: 4_000_000,
            type: "image/jpeg", by: by, contributors: [by], here: true, copies: 2, where: ["Ben's laptop"])
        photo.kind = .photo
        photo.taken = taken
        photo.width = width
        photo.height = height
        photo.thumbnail = blob(number + 1_000_000).hex
        return photo
    }

    static func blob(_ number: Int) -> BlobID {
        var number = UInt64(number)
        let bytes = (0..<32).map { _ -> UInt8 in
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: number >> 56)
        }
        return BlobID(bytes: bytes)!
    }

    func albums(of photo: BlobID) -> Set<AlbumID> {
        albums.withLock { albums in
            Set(albums.filter { $0.value.photos.contains { $0.id == photo.hex } }.keys)
        }
    }

    // MARK: As the agent tells

    func report() -> AlbumsReport {
        albums.withLock { albums in
            AlbumsReport(
                albums: albums.sorted { $0.value.name < $1.value.name }.map { id, album in
                    .init(
                        id: id.hex, name: album.name, photos: album.photos.count, bytes: 4_000_000, here: 1,
                        copiesMin: 2, updated: nil, digest: "d1", digestLevel: 1)
                })
        }
    }

    func photos(_ query: PhotoQuery) throws(PotluckError) -> PhotosReport {
        let albums = albums.withLock { $0 }
        guard let text = query.album else {
            let all = albums.sorted { $0.value.name < $1.value.name }.flatMap { id, album in
                album.photos.map { photo in
                    var photo = photo
                    (photo.album, photo.albumID) = (album.name, id.hex)
                    return photo
                }
            }
            return PhotosReport(album: nil, albumID: nil, photos: all.filter { fits($0, query) })
        }
        let id = try AlbumLookup.find(text, among: albums.map { (id: $0.key, name: $0.value.name) })
        let album = albums[id]!
        if query.photos.isEmpty { listingCounts.withLock { $0[id, default: 0] += 1 } }
        for wanted in query.photos where !album.photos.contains(where: { $0.id.hasPrefix(wanted) }) {
            throw PotluckError(.notFound, "No photo here is called “\(wanted)”.")
        }
        return PhotosReport(album: album.name, albumID: id.hex, photos: album.photos.filter { fits($0, query) })
    }

    private func fits(_ photo: PhotosReport.Photo, _ query: PhotoQuery) -> Bool {
        (query.photos.isEmpty || query.photos.contains { photo.id.hasPrefix($0) })
            && query.tags.allSatisfy { photo.tags.contains($0) }
    }
}
