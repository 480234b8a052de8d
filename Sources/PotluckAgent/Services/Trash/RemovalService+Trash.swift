import Synchronization
import AlbumModel
import Logging
import PhotoStore
import PotluckAPI
import SyncEngine

/// What becomes of photos in the trash: they come back, or their space does.
extension RemovalService {
    /// Adds removed photos to their albums again, durably; their words are as they were.
    ///
    /// - Throws: ``PotluckError`` for a photo whose bytes are not here; then none is added.
    func restore(_ photos: [PhotoKey]) async throws {
        try await keeping(photos.map(\.blob)) {
            var files: [(AlbumID, PhotoFile)] = []
            for key in photos { files.append((key.album, try await file(ofRemoved: key))) }
            try await contributions.contribute(all: files.map { .photoInAlbum($0.0, $0.1) })
        }
    }

    /// Runs what has blobs join an album whose bytes are here already: none of them is deleted before it ends.
    ///
    /// - Throws: ``PotluckError/beingDeleted`` where one of them is.
    func keeping<Result>(_ blobs: [BlobID], _ body: () async throws -> Result) async throws -> Result {
        try await beginRestoring(blobs, on: host)
        defer { records.state.withLock { $0.endRestoring(blobs) } }
        return try await body()
    }

    /// Between two inputs: what is deleted is decided there as well.
    private func beginRestoring(_ blobs: [BlobID], on host: isolated EngineHost) throws {
        guard records.state.withLock({ $0.beginRestoring(blobs) }) else {
            throw PotluckError.beingDeleted
        }
    }

    private func file(ofRemoved key: PhotoKey) async throws -> PhotoFile {
        let (add, isHeld, shownName, name) = await host.ask { engine in
            (
                engine.departedAdd(of: key), engine.held.contains(key.blob), engine.shownName(of: key),
                engine.name(of: key)
            )
        }
        guard let add, isHeld else {
            throw PotluckError(
                .failed,
                "\(name) is not on this laptop any more. If another laptop has it in its trash, restore it there."
            )
        }
        return try await file(key.blob, of: add, called: shownName)
    }

    private func file(_ blob: BlobID, of add: Photo.Add, called name: String) async throws -> PhotoFile {
        let list = try await parts.blobPool.perform { [parts] in try parts.blobs.pieceList(blob) }
        return PhotoFile(
            blob: blob, byteCount: add.byteCount, pieceList: list, name: name, mediaType: add.mediaType,
            modified: add.modified)
    }

    // MARK: What is left out

    /// Adds photos that are left out of an album to it, durably, as this laptop's own.
    ///
    /// - Throws: ``PotluckError`` for a photo whose bytes are not here; then none is added.
    func keep(_ photos: [BlobID], of album: AlbumID) async throws {
        try await keeping(photos) {
            var files: [PhotoFile] = []
            for blob in photos { files.append(try await file(ofLeftOut: PhotoKey(album: album, blob: blob))) }
            try await unhide(photos.map { PhotoKey(album: album, blob: $0) })
            // First, so that the album never shows up without a name.
            if let name = await nameLeftOut(of: album) {
                _ = try await contributions.contribute(.albumName(album, name))
            }
            // By its ID: where it was renamed, no other name leads to that.
            try await contributions.contribute(all: files.map { .photoInAlbum(album, $0) })
        }
    }

    /// The album's name, where only what is left out names it.
    private func nameLeftOut(of album: AlbumID) async -> String? {
        await host.ask { engine -> String? in
            if engine.catalog.albums[album]?.name.shown != nil { return nil }
            return engine.log.leftOut.catalog.albums[album]?.name.shown?.value
        }
    }

    private func file(ofLeftOut key: PhotoKey) async throws -> PhotoFile {
        let (photo, isHeld) = await host.ask { engine in
            (engine.log.leftOut.catalog.photo(key), engine.held.contains(key.blob))
        }
        let name = photo?.shownName ?? ""
        guard let add = photo?.adds.first, isHeld else {
            let named = name.isEmpty ? "The photo \(key.blob.hex.prefix(8))" : name
            throw PotluckError(
                .failed, "\(named) is not on this laptop. If another laptop has it, keep it there.")
        }
        return try await file(key.blob, of: add, called: name)
    }

    // MARK: Space

    /// Takes note of the time, and gives back the space of what has been in the trash for its days.
    func keepTrash(days: Int) async {
        do {
            try await parts.setFacts([running.fact])
            await isSettled()
            let overdue = removedPhotos.overdue(runningSeconds: running.seconds, days: days)
            _ = try await discard(overdue, evenLastCopies: false)
        } catch {
            parts.logger.warning("trash not kept", metadata: ["error.message": "\(error)"])
        }
    }

    /// Deletes photos from the trash. Bytes that an album or another entry needs stay, as do, unless `evenLastCopies`,
    /// those that no other device is proved to keep at the moment at which they would go.
    ///
    /// One that cannot be deleted keeps no other from it: the first error is thrown at the end.
    ///
    /// - Returns: the photos that are in the trash no longer.
    func discard(_ photos: [PhotoKey], evenLastCopies: Bool) async throws -> [PhotoKey] {
        var gone: [PhotoKey] = []
        var failed: [PhotoKey: String] = [:]
        var firstError: (any Error)?
        for key in photos {
            guard let blobs = await beginDiscarding(key, evenLastCopies: evenLastCopies, on: host) else { continue }
            do {
                guard try await delete(blobs, of: key) else {
                    await endDiscarding(key, blobs, isDone: false)
                    continue
                }
                try await parts.setFacts([FactChange(kind: .trash, key: key.factKey, value: nil)])
                await endDiscarding(key, blobs, isDone: true)
                gone.append(key)
            } catch {
                await endDiscarding(key, blobs, isDone: false)
                failed[key] = "\(error)"
                firstError = firstError ?? error
            }
        }
        noteTrouble { trouble in
            for key in photos { trouble.deleting[key] = failed[key] }
        }
        if let firstError { throw firstError }
        return gone
    }

    /// - Returns: false where the photo's own bytes have just come again, and stay.
    private func delete(_ blobs: [BlobID], of key: PhotoKey) async throws -> Bool {
        for blob in blobs {
            let isGone = try await parts.blobPool.perform { [parts] in try parts.blobs.delete(blob) }
            if !isGone, blob == key.blob { return false }
        }
        return true
    }

    /// - Returns: the blobs that go with the photo; `nil` where it stays.
    private func beginDiscarding(
        _ key: PhotoKey, evenLastCopies: Bool, on host: isolated EngineHost
    ) -> [BlobID]? {
        // What is durable by now, the engine may not learn of any more.
        guard !host.isStopping else { return nil }
        return records.state.withLock { state in
            guard let blobs = discardable(key, state.removedPhotos, host.engine, evenLastCopies: evenLastCopies),
                state.restoring[key.blob] == nil, state.beginDiscarding(blobs)
            else { return nil }
            return blobs
        }
    }

    private func discardable(
        _ key: PhotoKey, _ removedPhotos: RemovedPhotos, _ engine: Engine, evenLastCopies: Bool
    ) -> [BlobID]? {
        guard let entry = removedPhotos.trash[key], engine.catalog.photo(key)?.isLive != true else { return nil }
        let others = removedPhotos.trash.keys.filter { $0 != key }
        var blobs: [BlobID] = []
        if engine.isUnneeded(key.blob), !others.contains(where: { $0.blob == key.blob }) {
            guard evenLastCopies || isKeptElsewhere(key.blob, entry, engine) else { return nil }
            blobs.append(key.blob)
        }
        if let thumbnail = engine.catalog.photo(key)?.facts?.thumbnail?.blob, engine.isUnneeded(thumbnail),
            !others.contains(where: { engine.catalog.photo($0)?.facts?.thumbnail?.blob == thumbnail })
        {
            blobs.append(thumbnail)
        }
        return blobs
    }

    private func isKeptElsewhere(_ blob: BlobID, _ entry: TrashEntry, _ engine: Engine) -> Bool {
        let copies = engine.copies(wall: parts.clock.wall)
        return entry.isKeptElsewhere(than: engine.device) { copies.isHolder($0, of: blob) }
    }

    private func endDiscarding(_ key: PhotoKey, _ blobs: [BlobID], isDone: Bool) async {
        // What came to be wanted after its bytes went is taken from the folder, or pulled again.
        for blob in await endDiscarding(key, blobs, isDone: isDone, on: host) { await recovery.noteIfLost(blob) }
    }

    /// - Returns: the blobs that are gone and wanted.
    private func endDiscarding(
        _ key: PhotoKey, _ blobs: [BlobID], isDone: Bool, on host: isolated EngineHost
    ) -> [BlobID] {
        records.state.withLock { $0.discarding.subtract(blobs) }
        // Those that no album names yet may just have been taken in.
        parts.blobs.settle(blobs.filter { !host.engine.isUnneeded($0) })
        let gone = blobs.filter { !parts.blobs.contains($0) }
        host.feed(gone.map { .blobLost($0) })
        if isDone { records.state.withLock { $0.removedPhotos.trash[key] = nil } }
        return gone.filter { host.engine.missingReason($0) != nil }
    }
}

extension PotluckError {
    /// Bytes that are to join an album are on their way out of the trash.
    static let beingDeleted = PotluckError(.failed, "A photo of these is just being deleted from the trash.")
}

extension Engine {
    fileprivate func name(of key: PhotoKey) -> String {
        let name = shownName(of: key)
        return name.isEmpty ? "The photo \(key.blob.hex.prefix(8))" : name
    }
}
