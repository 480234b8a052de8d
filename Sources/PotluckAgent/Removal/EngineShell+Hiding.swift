import AlbumModel
import PhotoStore
import SyncEngine

/// Photos that the person at this laptop does not want to see, and what is taken from albums.
extension EngineShell {
    /// Hides photos here, durably: they are pulled no longer, and their files leave the folder.
    nonisolated func hide(_ photos: [PhotoKey]) async throws {
        guard !photos.isEmpty else { return }
        let entry = HiddenEntry(since: parts.clock.wall)
        try await setFacts(photos.map { FactChange(kind: .hidden, key: $0.factKey, value: entry.bytes) })
        await noteHidden(photos, entry)
    }

    private func noteHidden(_ photos: [PhotoKey], _ entry: HiddenEntry) {
        for key in photos { shelf.hidden[key] = entry }
        feed(.hidden(photos))
        removals.add(photos)
        startRemovals()
    }

    func isHidden(_ photo: PhotoKey) -> Bool { shelf.hidden[photo] != nil }

    /// Shows photos here again, durably; those that are not hidden cost nothing.
    ///
    /// - Parameter withFiles: whether they get files in the folder; not where a person is just putting them there.
    nonisolated func unhide(_ photos: [PhotoKey], withFiles: Bool = true) async throws {
        let photos = await hidden(among: photos)
        guard !photos.isEmpty else { return }
        try await setFacts(photos.map { FactChange(kind: .hidden, key: $0.factKey, value: nil) })
        await noteUnhidden(photos, withFiles: withFiles)
    }

    private func hidden(among photos: [PhotoKey]) -> [PhotoKey] { photos.filter { isHidden($0) } }

    private func noteUnhidden(_ photos: [PhotoKey], withFiles: Bool) {
        for key in photos { shelf.hidden[key] = nil }
        feed(.unhidden(photos))
        guard withFiles else { return }
        removals.add(photos)
        startRemovals()
    }

    /// Takes photos from their albums as far as they are this device's, and hides the others here.
    ///
    /// - Returns: what was done of each.
    nonisolated func remove(_ photos: [PhotoKey]) async throws -> [PhotoKey: RemovalVerdict] {
        let verdicts = await verdicts(photos)
        // First, since what changes in an album is placed unless it is hidden.
        try await hide(photos.filter { verdicts[$0]?.hides == true })
        let withdrawn = photos.filter { verdicts[$0]?.withdraws == true }
        try await say(withdrawn.map { .photoWithdrawal($0.album, $0.blob) })
        return verdicts
    }

    private func verdicts(_ photos: [PhotoKey]) -> [PhotoKey: RemovalVerdict] {
        let catalog = engine.catalog
        return photos.reduce(into: [:]) { verdicts, key in
            verdicts[key] = RemovalVerdict(catalog.photo(key), of: engine.device, in: catalog)
        }
    }

    /// Returns once all of it is durable. They go out together, so that they share a commit.
    nonisolated func say(_ contributions: [Contribution]) async throws {
        try await withThrowingTaskGroup { group in
            for contribution in contributions {
                group.addTask { _ = try await self.contribute(contribution) }
            }
            try await group.waitForAll()
        }
    }
}
