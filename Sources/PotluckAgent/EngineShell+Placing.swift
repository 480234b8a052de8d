import AlbumModel
import PotluckAPI
import SyncEngine

extension EngineShell {
    /// Photos that are whole here and that the folder does not take. Each start asks the folder again: a later version
    /// may know what they are.
    func notPlaced(all: Bool) -> StatusReport.NotPlaced {
        let refused = refusedPlacements
        let photos = refused.keys.sorted().compactMap { key in
            let photo = engine.catalog.photo(key).flatMap { $0.isLive ? $0 : nil }
            return engine.held.contains(key.blob) && !isHidden(key) ? photo.map { (key: key, photo: $0) } : nil
        }
        let items = photos.prefix(all ? .max : StatusReport.Missing.itemCountMax).map { key, photo in
            StatusReport.Item(
                id: key.blob.hex, album: engine.catalog.shownName(key.album) ?? "", name: photo.shownName,
                reason: refused[key] ?? "")
        }
        return StatusReport.NotPlaced(
            photos: photos.count, bytes: photos.reduce(0) { $0 + ($1.photo.adds.first?.byteCount ?? 0) }, items: items)
    }
}
