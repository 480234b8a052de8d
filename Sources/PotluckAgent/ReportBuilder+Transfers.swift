import AlbumModel
import PotluckAPI
import SyncEngine

/// What is pulled and what is left out.
extension ReportBuilder {
    /// - Parameter album: `nil` for all albums, ordered by name.
    func originals(album: AlbumID?) -> OriginalsReport {
        let albums = album.map { [$0] } ?? Array(catalog.albums.keys)
        let rows = albums.compactMap { catalog.albums[$0] }.map { album in
            let photos = Array(album.livePhotos)
            return OriginalsReport.Album(
                id: album.id.hex, name: albumName(album.id),
                originals: OriginalsReport.Policy(rawValue: engine.fetching[album.id].rawValue) ?? .all,
                photos: photos.count, here: photos.count { engine.held.contains($0.key) },
                leftOut: leftOut(photos.map(\.key)))
        }
        return OriginalsReport(albums: rows.sorted { ($0.name, $0.id) < ($1.name, $1.id) })
    }

    /// Everything that policies leave out, each photo once.
    func leftOut() -> StatusReport.Amount {
        leftOut(Set(engine.fetching.albums.keys.flatMap { catalog.albums[$0]?.livePhotos.map(\.key) ?? [] }))
    }

    private func leftOut(_ blobs: some Sequence<BlobID>) -> StatusReport.Amount {
        var amount = StatusReport.Amount(photos: 0, bytes: 0)
        for blob in blobs where !engine.held.contains(blob) && engine.isLeftOut(blob) {
            amount.photos += 1
            amount.bytes += catalog.newestAdd(of: blob)?.byteCount ?? 0
        }
        return amount
    }

    /// Why an original that somebody here has is not asked for.
    static func words(_ hold: PullHold) -> String {
        switch hold {
        case .paused: "paused; `potluck resume` goes on"
        case .noRoom: "waiting for room on the disk"
        }
    }

    /// Wanted photos that some connected device has and this side keeps back.
    var heldUpCount: Int { engine.heldUpPhotos.count { engine.hasConnectedHolder($0) } }
}
