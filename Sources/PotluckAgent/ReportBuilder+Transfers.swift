import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine

/// What is pulled and what is left out.
extension ReportBuilder {
    /// Photos are counted with what belongs to them, as ``albums(_:)`` does.
    ///
    /// - Parameter album: `nil` for all albums, ordered by name.
    func originals(album: AlbumID?) async throws -> OriginalsReport {
        var rows: [OriginalsReport.Album] = []
        for row in try await indexPool.perform({ [index] in try index.albums() }) {
            let id = row.album.id
            // An album that lost all its photos is none, until it is named.
            guard album == nil ? row.photoCount > 0 : id == album else { continue }
            rows.append(
                OriginalsReport.Album(
                    id: id.hex, name: albumName(id),
                    originals: OriginalsReport.Policy(rawValue: engine.fetching[id].rawValue) ?? .all,
                    photos: row.photoCount, here: row.hereCount, leftOut: try await leftOut(of: id)))
        }
        return OriginalsReport(albums: rows.sorted { ($0.name, $0.id) < ($1.name, $1.id) })
    }

    private func leftOut(of album: AlbumID) async throws -> StatusReport.Amount {
        let blobs = catalog.albums[album]?.livePhotos.map(\.key).filter(isLeftOut) ?? []
        var amount = amount(blobs, MomentCounter())
        guard amount.photos > 0 else { return amount }
        amount.photos = try await entries(PhotoFilter(album: album)).count { $0.blobs.contains(where: isLeftOut) }
        return amount
    }

    private func isLeftOut(_ blob: BlobID) -> Bool { !engine.held.contains(blob) && engine.isLeftOut(blob) }

    /// Everything that policies leave out.
    var blobsLeftOut: Set<BlobID> {
        let albums = engine.fetching.albums.keys.compactMap { catalog.albums[$0] }
        return Set(albums.flatMap { $0.livePhotos.map(\.key) }).filter(isLeftOut)
    }

    /// Why an original that somebody here has is not asked for.
    static func words(_ hold: PullHold) -> String {
        switch hold {
        case .paused: "paused; `potluck resume` goes on"
        case .noRoom: "waiting for room on the disk"
        }
    }
}
