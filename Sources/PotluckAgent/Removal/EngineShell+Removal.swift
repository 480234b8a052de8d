import AlbumModel
import NIOCore
import PhotoStore
import SharedFolder
import SyncEngine

/// Photos that leave their albums: their bytes go to the trash, their files from the folder; and back.
extension EngineShell {
    /// Albums lost photos, or have some again; trash and folder follow.
    func followRemovals(_ difference: CatalogDifference) {
        parts.blobs.settle(difference.addedPhotos.map(\.blob) + difference.thumbnails)
        // A photo that is new altogether has nothing to come back from.
        let returned = difference.addedPhotos.filter { engine.catalog.photo($0)?.departure != nil }
        settleLater(difference.removedPhotos.union(returned))
    }

    /// What a run that ended too early may have left: trash without an entry, entries of photos that are there again,
    /// files of photos that are not to be seen.
    func settleAll() {
        var photos = Set(shelf.trash.keys).union(shelf.hidden.keys)
        for album in engine.catalog.albums.values {
            for (blob, photo) in album.photos where !photo.isLive && engine.held.contains(blob) {
                photos.insert(PhotoKey(album: album.id, blob: blob))
            }
        }
        settleLater(photos)
    }

    func settleLater(_ photos: Set<PhotoKey>) {
        removals.add(photos)
        startRemovals()
    }

    func startRemovals() {
        if removals.begin() { perform(.settleRemovals) }
    }

    /// Returns once trash and folder have followed what was known when it was called.
    func removalsAreSettled() async {
        guard !removals.isIdle else { return }
        await withCheckedContinuation { removals.whenIdle($0) }
    }

    // MARK: One step

    nonisolated func settleRemovals() async {
        let photos = await takeRemovals()
        do {
            let step = await removalStep(photos)
            try await setFacts(step.facts)
            await follow(step)
            try await move(step)
            await removalsSettled(failed: [])
        } catch {
            await note(.trash, "Removed photos cannot be taken out of the folder, or put back: \(error)")
            await removalsSettled(failed: photos)
        }
    }

    private func takeRemovals() -> [PhotoKey] { removals.take() }

    /// What is to be done about some photos, as far as they stand now.
    private struct RemovalStep: Sendable {
        var trash: [PhotoKey: TrashEntry?] = [:]
        var leaving: [PhotoKey] = []
        var returning: [PhotoKey] = []

        var facts: [FactChange] {
            trash.sorted { $0.key < $1.key }.map { key, entry in
                FactChange(kind: .trash, key: key.factKey, value: entry?.bytes)
            }
        }
    }

    private func removalStep(_ photos: [PhotoKey]) -> RemovalStep {
        var step = RemovalStep()
        for key in photos {
            let isLive = engine.catalog.photo(key)?.isLive == true
            if isLive, shelf.hidden[key] == nil { step.returning.append(key) } else { step.leaving.append(key) }
            if isLive || !engine.held.contains(key.blob) {
                if shelf.trash[key] != nil { step.trash[key] = .some(nil) }
            } else if shelf.trash[key] == nil {
                step.trash[key] = TrashEntry(
                    learnedAfter: running.seconds, learnedAt: parts.clock.wall,
                    holders: engine.holders(ofPhoto: key, wall: parts.clock.wall))
            }
        }
        return step
    }

    private func follow(_ step: RemovalStep) {
        for (key, entry) in step.trash { shelf.trash[key] = entry }
    }

    nonisolated private func move(_ step: RemovalStep) async throws {
        guard let folder = await folder else { return }
        try await folder.takeAway(step.leaving)
        try await folder.letBack(step.returning)
        for key in step.returning { await requestPlacement(key) }
    }

    private func removalsSettled(failed: [PhotoKey]) {
        removals.finish(failed: failed)
        guard failed.isEmpty else {
            return later { await $0.startRemovals() }
        }
        note(.trash, nil)
        startRemovals()
    }

    /// After the disk refused something.
    func later(_ body: @escaping @Sendable (EngineShell) async -> Void) {
        parts.eventLoop.scheduleTask(in: .seconds(10)) { [weak self] in
            guard let self else { return }
            self.parts.eventLoop.makeFutureWithTask { await body(self) }.whenComplete { _ in }
        }
    }

    nonisolated func setFacts(_ facts: [FactChange]) async throws {
        guard !facts.isEmpty else { return }
        try await parts.journalPool.perform { [parts] in try parts.journal.setFacts(facts) }
    }
}
