import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine

extension AlbumsReport {
    /// - Parameters:
    ///   - rows: what the index says, which may be a little older than the rest.
    ///   - held: blobs that are on this device.
    ///   - copies: where else they are.
    init(_ rows: [AlbumListing], catalog: Catalog, held: Set<BlobID>, copies: Copies) {
        let fewest = Self.fewestCopies(of: rows.map(\.album.id), catalog, held, copies)
        self.init(
            albums: rows.map { row in
                AlbumsReport.Album(
                    id: row.album.id.hex, name: row.album.name, photos: row.photoCount, bytes: row.byteCount,
                    here: row.hereCount, copiesMin: fewest[row.album.id],
                    updated: Instant(microsecondsSince1970: row.album.updated),
                    digest: Hexadecimal.text(row.album.digest), digestLevel: Catalog.level,
                    cover: row.album.cover?.hex)
            })
    }

    /// Of each album the fewest devices that any of its photos is on, this one included; none of an album without photos.
    private static func fewestCopies(
        of albums: [AlbumID], _ catalog: Catalog, _ held: Set<BlobID>, _ copies: Copies
    ) -> [AlbumID: Int] {
        var fewest: [AlbumID: Int] = [:]
        var photos: [PhotoKey] = []
        for id in albums {
            guard let album = catalog.albums[id], album.liveCount > 0 else { continue }
            let isOnNone = album.livePhotos.prefix(Self.glanceCount).contains { blob, _ in
                !held.contains(blob) && !copies.areAny(of: blob)
            }
            if isOnNone {
                fewest[id] = 0
            } else {
                photos += album.livePhotos.map { PhotoKey(album: id, blob: $0.key) }
            }
        }
        for (photo, count) in zip(photos, copies.counts(of: photos.map(\.blob)).photos) {
            let all = count + (held.contains(photo.blob) ? 1 : 0)
            fewest[photo.album] = min(fewest[photo.album] ?? .max, all)
        }
        return fewest
    }

    /// Photos of an album that are looked at one by one, before all are counted: of an album that is just coming, nobody may
    /// have any.
    private static let glanceCount = 8
}
