import Synchronization
import AlbumModel
import PhotoStore
import SyncEngine

/// Photos that the person at this laptop does not want to see, and what is taken from albums.
extension RemovalService {
    /// Hides photos here, durably: they are pulled no longer, and their files leave the folder.
    func hide(_ photos: [PhotoKey]) async throws {
        guard !photos.isEmpty else { return }
        let entry = HiddenEntry(since: parts.clock.wall)
        try await parts.setFacts(photos.map { FactChange(kind: .hidden, key: $0.factKey, value: entry.bytes) })
        await noteHidden(photos, entry, on: host)
    }

    private func noteHidden(_ photos: [PhotoKey], _ entry: HiddenEntry, on host: isolated EngineHost) {
        records.state.withLock { state in
            for key in photos { state.removedPhotos.hidden[key] = entry }
        }
        host.feed(.hidden(photos))
        settleLater(photos)
    }

    func isHidden(_ photo: PhotoKey) -> Bool { records.isHidden(photo) }

    /// Shows photos here again, durably; those that are not hidden cost nothing.
    ///
    /// - Parameter withFiles: whether they get files in the folder; not where a person is just putting them there.
    func unhide(_ photos: [PhotoKey], withFiles: Bool = true) async throws {
        let photos = photos.filter(isHidden)
        guard !photos.isEmpty else { return }
        try await parts.setFacts(photos.map { FactChange(kind: .hidden, key: $0.factKey, value: nil) })
        await noteUnhidden(photos, withFiles: withFiles, on: host)
    }

    private func noteUnhidden(_ photos: [PhotoKey], withFiles: Bool, on host: isolated EngineHost) {
        records.state.withLock { state in
            for key in photos { state.removedPhotos.hidden[key] = nil }
        }
        host.feed(.unhidden(photos))
        if withFiles { settleLater(photos) }
    }

    /// Takes photos from their albums as far as they are this device's, and hides the others here.
    ///
    /// - Returns: what was done of each.
    func remove(_ photos: [PhotoKey]) async throws -> [PhotoKey: RemovalVerdict] {
        let verdicts = await host.ask { engine in
            photos.reduce(into: [PhotoKey: RemovalVerdict]()) { verdicts, key in
                verdicts[key] = RemovalVerdict(engine.catalog.photo(key), of: engine.device, in: engine.catalog)
            }
        }
        // First, since what changes in an album is placed unless it is hidden.
        try await hide(photos.filter { verdicts[$0]?.hides == true })
        let withdrawn = photos.filter { verdicts[$0]?.withdraws == true }
        try await contributions.contribute(all: withdrawn.map { .photoWithdrawal($0.album, $0.blob) })
        return verdicts
    }
}
