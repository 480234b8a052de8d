import AlbumModel
import Logging
import PhotoStore
import PotluckAPI
import SyncEngine

/// What becomes of photos in the trash: they come back, or their space does.
extension EngineShell {
    /// Adds removed photos to their albums again, durably; their words are as they were.
    ///
    /// - Throws: ``PotluckError`` for a photo whose bytes are not here; then none is added.
    nonisolated func restore(_ photos: [PhotoKey]) async throws {
        try await beginRestoring(photos)
        do {
            var files: [(AlbumID, PhotoFile)] = []
            for key in photos { files.append((key.album, try await file(ofRemoved: key))) }
            try await say(files.map { .photoInAlbum($0.0, $0.1) })
            await endRestoring(photos)
        } catch {
            await endRestoring(photos)
            throw error
        }
    }

    private func beginRestoring(_ photos: [PhotoKey]) throws {
        for key in photos where discarding.contains(key.blob) {
            throw PotluckError(.failed, "\(name(of: key)) is just being deleted from the trash.")
        }
        restoring.formUnion(photos.map(\.blob))
    }

    private func endRestoring(_ photos: [PhotoKey]) { restoring.subtract(photos.map(\.blob)) }

    nonisolated private func file(ofRemoved key: PhotoKey) async throws -> PhotoFile {
        let photo = await engine.catalog.photo(key)
        guard let photo, let add = photo.departure?.add, await engine.held.contains(key.blob) else {
            throw PotluckError(
                .failed,
                "\(await name(of: key)) is not on this laptop any more. If another laptop has it in its trash, restore it there."
            )
        }
        let list = try await parts.blobPool.perform { [parts] in try parts.blobs.pieceList(key.blob) }
        return PhotoFile(
            blob: key.blob, byteCount: add.byteCount, pieceList: list, name: photo.shownName,
            mediaType: add.mediaType, modified: add.modified)
    }

    private func name(of key: PhotoKey) -> String {
        let name = engine.catalog.photo(key)?.shownName ?? ""
        return name.isEmpty ? "The photo \(key.blob.hex.prefix(8))" : name
    }

    // MARK: Space

    /// Takes note of the time, and gives back the space of what has been in the trash for its days.
    nonisolated func keepTrash(days: Int) async {
        do {
            try await setFacts([running.fact])
            await removalsAreSettled()
            _ = try await discard(await overdue(days: days), evenLastCopies: false)
        } catch {
            parts.logger.warning("trash not kept", metadata: ["error.message": "\(error)"])
        }
    }

    private func overdue(days: Int) -> [PhotoKey] { shelf.overdue(runningSeconds: running.seconds, days: days) }

    /// Deletes photos from the trash. Bytes that an album or another entry needs stay, as do, unless `evenLastCopies`,
    /// those that no other device is proved to keep at the moment at which they would go.
    ///
    /// - Returns: the photos that are in the trash no longer.
    nonisolated func discard(_ photos: [PhotoKey], evenLastCopies: Bool) async throws -> [PhotoKey] {
        var gone: [PhotoKey] = []
        for key in photos {
            guard let blobs = await beginDiscarding(key, evenLastCopies: evenLastCopies) else { continue }
            do {
                guard try await delete(blobs, of: key) else {
                    await endDiscarding(key, blobs, isDone: false)
                    continue
                }
                try await setFacts([FactChange(kind: .trash, key: key.factKey, value: nil)])
                await endDiscarding(key, blobs, isDone: true)
                gone.append(key)
            } catch {
                await endDiscarding(key, blobs, isDone: false)
                throw error
            }
        }
        return gone
    }

    /// - Returns: false where the photo's own bytes have just come again, and stay.
    nonisolated private func delete(_ blobs: [BlobID], of key: PhotoKey) async throws -> Bool {
        for blob in blobs {
            let isGone = try await parts.blobPool.perform { [parts] in try parts.blobs.delete(blob) }
            if !isGone, blob == key.blob { return false }
        }
        return true
    }

    /// - Returns: the blobs that go with the photo; `nil` where it stays.
    private func beginDiscarding(_ key: PhotoKey, evenLastCopies: Bool) -> [BlobID]? {
        guard let entry = shelf.trash[key], engine.catalog.photo(key)?.isLive != true,
            !restoring.contains(key.blob)
        else { return nil }
        let others = shelf.trash.keys.filter { $0 != key }
        var blobs: [BlobID] = []
        if isUnneeded(key.blob), !others.contains(where: { $0.blob == key.blob }) {
            guard evenLastCopies || isKeptElsewhere(key.blob, entry) else { return nil }
            blobs.append(key.blob)
        }
        if let thumbnail = engine.catalog.photo(key)?.facts?.thumbnail?.blob, isUnneeded(thumbnail),
            !others.contains(where: { engine.catalog.photo($0)?.facts?.thumbnail?.blob == thumbnail })
        {
            blobs.append(thumbnail)
        }
        discarding.formUnion(blobs)
        return blobs
    }

    private func isKeptElsewhere(_ blob: BlobID, _ entry: TrashEntry) -> Bool {
        let copies = engine.copies(wall: parts.clock.wall)
        return entry.isKeptElsewhere(than: engine.device) { copies.isHolder($0, of: blob) }
    }

    /// Whether no album names the blob, neither as a photo nor as a photo's thumbnail.
    func isUnneeded(_ blob: BlobID) -> Bool { engine.catalog.mentions(of: blob).dots.isEmpty }

    private func endDiscarding(_ key: PhotoKey, _ blobs: [BlobID], isDone: Bool) {
        discarding.subtract(blobs)
        // What came to be wanted meanwhile is pulled again.
        for blob in blobs where !parts.blobs.contains(blob) { feed(.blobLost(blob)) }
        if isDone { shelf.trash[key] = nil }
    }
}
