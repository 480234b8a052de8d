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
        removals.add(removed: difference.removedPhotos)
        settleLater(returned)
    }

    /// What a run that ended too early may have left: removals that the trash has not followed, which wait already,
    /// entries of photos that are there again, files of photos that are not to be seen.
    func settleAll() {
        var photos = Set(shelf.trash.keys).union(shelf.hidden.keys)
        for album in engine.catalog.albums.values {
            for (blob, photo) in album.photos where !photo.isLive && engine.held.contains(blob) {
                photos.insert(PhotoKey(album: album.id, blob: blob))
            }
        }
        removals.add(removed: strandedPhotos)
        removals.addStep()
        settleLater(photos)
    }

    /// Photos whose bytes are here although no album needs them and no entry of the trash has or will have them, as a
    /// version that did not count what it followed may have left them. Of the photos that had the bytes, the one removed last.
    private var strandedPhotos: Set<PhotoKey> {
        let catalog = engine.catalog
        let trashed = Set(shelf.trash.keys.map(\.blob)).union(shelf.unfollowed.map(\.blob))
        var last: [BlobID: (key: PhotoKey, departure: Departure)] = [:]
        for album in catalog.albums.values {
            for (blob, photo) in album.photos where !photo.isLive && engine.held.contains(blob) {
                guard let departure = photo.departure, !trashed.contains(blob) else { continue }
                if let known = last[blob]?.departure,
                    (departure.clock, departure.dot) < (known.clock, known.dot)
                {
                    continue
                }
                last[blob] = (PhotoKey(album: album.id, blob: blob), departure)
            }
        }
        return Set(last.filter { isUnneeded($0.key) }.values.map(\.key))
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
        var (part, batchCount) = await takeRemovals()
        do {
            let step = await removalStep(part, batchCount)
            try await setFacts(step.facts)
            await follow(step)
            part.removed = []
            try await move(step)
            await removalsSettled(failed: nil)
        } catch {
            // A step about nothing only counts batches.
            if !part.photos.isEmpty {
                await note(.trash, "Removed photos cannot be taken out of the folder, or put back: \(error)")
            }
            await removalsSettled(failed: part)
        }
    }

    /// With the number of batches whose removals are all among what is taken, or were before.
    private func takeRemovals() -> (RemovalQueue.Part, batchCount: Int) { (removals.take(), engine.log.batchCount) }

    /// What is to be done about some photos, as far as they stand now.
    private struct RemovalStep: Sendable {
        var trash: [PhotoKey: TrashEntry?] = [:]
        /// How many batches the trash has followed then; `nil` where that is noted already.
        var batchCount: Int?
        var leaving: [PhotoKey] = []
        var returning: [PhotoKey] = []

        var facts: [FactChange] {
            let entries = trash.sorted { $0.key < $1.key }.map { key, entry in
                FactChange(kind: .trash, key: key.factKey, value: entry?.bytes)
            }
            return entries + (batchCount.map { [Shelf.fact(followedBatchCount: $0)] } ?? [])
        }
    }

    private func removalStep(_ part: RemovalQueue.Part, _ batchCount: Int) -> RemovalStep {
        var step = RemovalStep()
        step.batchCount = batchCount == shelf.followedBatchCount ? nil : batchCount
        for key in part.photos {
            let isLive = engine.catalog.photo(key)?.isLive == true
            if isLive, shelf.hidden[key] == nil { step.returning.append(key) } else { step.leaving.append(key) }
            if isLive || !engine.held.contains(key.blob) {
                if shelf.trash[key] != nil { step.trash[key] = .some(nil) }
            } else if shelf.trash[key] == nil, part.removed.contains(key) {
                step.trash[key] = TrashEntry(
                    learnedAfter: running.seconds, learnedAt: parts.clock.wall,
                    holders: engine.copies(wall: parts.clock.wall).holders(of: key.blob))
            }
        }
        return step
    }

    private func follow(_ step: RemovalStep) {
        for (key, entry) in step.trash { shelf.trash[key] = entry }
        if let batchCount = step.batchCount { shelf.followedBatchCount = batchCount }
    }

    nonisolated private func move(_ step: RemovalStep) async throws {
        guard let folder = await folder else { return }
        try await folder.takeAway(step.leaving)
        try await folder.letBack(step.returning)
        for key in step.returning { await requestPlacement(key) }
    }

    private func removalsSettled(failed: RemovalQueue.Part?) {
        removals.finish(failed: failed)
        guard failed == nil else {
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
