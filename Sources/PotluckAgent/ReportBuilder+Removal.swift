import AlbumModel
import DiskIO
import PotluckAPI
import SyncEngine

/// Listings of what is not in its album any longer, or not to be seen here.
extension ReportBuilder {
    /// - Parameters:
    ///   - text: An album's name or ID; `nil` for all.
    ///   - running: for how long agents have run in this home, in seconds; `nil` without one.
    func trash(album text: String?, removedPhotos: RemovedPhotos, runningSeconds: UInt64?, days: Int?) throws
        -> TrashReport
    {
        let album = try text.map { try self.album($0, .trash) }
        let entries = removedPhotos.trash.filter { album == nil || $0.key.album == album }
            .sorted { ($1.value.learnedAt, $0.key) < ($0.value.learnedAt, $1.key) }
        let photos = entries.map { key, entry in
            let departure = catalog.photo(key)?.departure
            // What another album has is in no danger.
            let isInAlbum = !catalog.mentions(of: key.blob).dots.isEmpty
            let isLastCopy =
                !isInAlbum && !entry.isKeptElsewhere(than: engine.device) { copies.isHolder($0, of: key.blob) }
            var daysLeft: Double?
            if let runningSeconds, let days, !isLastCopy {
                let left = entry.secondsLeft(runningSeconds: runningSeconds, days: days)
                // A tenth of a day is as exact as people need it.
                daysLeft = (Double(left) / 8640).rounded() / 10
            }
            return TrashReport.Photo(
                id: key.blob.hex, name: engine.shownName(of: key), album: albumName(key.album),
                albumID: key.album.hex, bytes: engine.departedAdd(of: key)?.byteCount ?? 0,
                removedBy: departure.map { name($0.author) }, removed: Instant(microsecondsSince1970: entry.learnedAt),
                daysLeft: daysLeft, isLastCopy: isLastCopy, isInAlbum: isInAlbum)
        }
        return TrashReport(trash: photos, days: days)
    }

    func hidden(album text: String?, removedPhotos: RemovedPhotos) throws -> HiddenReport {
        let album = try text.map { try self.album($0, .hidden) }
        let photos = removedPhotos.hidden.compactMap { key, entry -> HiddenReport.Photo? in
            guard album == nil || key.album == album, let photo = catalog.photo(key), photo.isLive else { return nil }
            return HiddenReport.Photo(
                id: key.blob.hex, name: photo.shownName, album: albumName(key.album), albumID: key.album.hex,
                by: photo.adds.first.map { name($0.person) }, since: Instant(microsecondsSince1970: entry.since),
                here: engine.held.contains(key.blob))
        }
        return HiddenReport(hidden: photos.sorted { ($0.album, $0.name, $0.id) < ($1.album, $1.name, $1.id) })
    }

    func leftOut(album text: String?) throws -> LeftOutReport {
        let album = try text.map { try self.album($0, .leftOut) }
        let leftOut = engine.log.leftOut.catalog
        let photos = engine.leftOutPhotos.compactMap { key -> LeftOutReport.Photo? in
            guard album == nil || key.album == album, let photo = leftOut.photo(key), let add = photo.adds.first else {
                return nil
            }
            return LeftOutReport.Photo(
                id: key.blob.hex, name: photo.shownName, album: albumName(key.album, .leftOut), albumID: key.album.hex,
                bytes: add.byteCount, by: name(add.author),
                added: Instant(microsecondsSince1970: add.order.microseconds), here: engine.held.contains(key.blob))
        }
        return LeftOutReport(leftOut: photos.sorted { ($0.album, $0.name, $0.id) < ($1.album, $1.name, $1.id) })
    }

    /// How much ``leftOut(album:)`` lists; `nil` for nothing.
    var notCounted: StatusReport.Amount? {
        let photos = engine.leftOutPhotos
        guard !photos.isEmpty else { return nil }
        let leftOut = engine.log.leftOut.catalog
        let byteCounts = photos.map { leftOut.photo($0)?.adds.first?.byteCount ?? 0 }
        return StatusReport.Amount(photos: photos.count, bytes: byteCounts.clampedSum)
    }

    /// Some photos of an album, live or not, to be named by people.
    func lookup(_ keys: some Sequence<PhotoKey>, in album: AlbumID, _ scope: PhotoLookup.Scope) -> PhotoLookup {
        let candidates = keys.filter { $0.album == album }.sorted().map { key in
            PhotoLookup.Candidate(blob: key.blob, name: photoName(key, scope), file: nil)
        }
        return PhotoLookup(candidates, album: albumName(album, scope), scope: scope)
    }

    /// The name by which the list of that scope has a photo.
    func photoName(_ key: PhotoKey, _ scope: PhotoLookup.Scope) -> String {
        // Its album may have had it before, under another name.
        scope == .leftOut ? engine.log.leftOut.catalog.photo(key)?.shownName ?? "" : engine.shownName(of: key)
    }
}
