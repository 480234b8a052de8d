import AlbumModel
import FolderEngine
import MediaReader
import NIOCore
import PhotoStore
import SyncEngine

/// What photos are and show: read beside everything else, and told as a second change that no photo waits for.
extension EngineShell {
    /// A photo came, or what is known of it changed.
    func considerReading(_ key: PhotoKey) {
        guard let photo = engine.catalog.photo(key), photo.isLive, engine.held.contains(key.blob),
            photo.facts?.readerVersion ?? 0 < MediaReader.version
        else { return readings.remove(key) }
        if engine.catalog.isOwn(photo, of: engine.device) {
            readings.add(key, order: photo.latestOrder)
            startReadings()
        } else {
            readings.leave(key, now: parts.clock.now)
        }
    }

    /// Looks for photos whose facts nobody else has told for long.
    func readOverdue() {
        let rank = { (key: PhotoKey) in self.engine.rank(amongHoldersOf: key.blob) }
        for key in readings.overdue(now: parts.clock.now, rank: rank) {
            guard let photo = engine.catalog.photo(key) else { continue }
            readings.add(key, order: photo.latestOrder)
        }
        startReadings()
    }

    func startReadings() {
        while let key = readings.next() { perform(.read(key)) }
    }

    /// The file of a photo that is still to be read.
    private func file(of key: PhotoKey) -> MediaFile? {
        guard let photo = engine.catalog.photo(key), let add = photo.adds.first, engine.held.contains(key.blob) else {
            return nil
        }
        return MediaFile(
            path: parts.blobs.path(of: key.blob), name: photo.shownName, modified: add.modified,
            byteCount: add.byteCount)
    }

    /// What need not be looked for: it was found of the same bytes in another album, or there is nothing to look at.
    private func knownFacts(of key: PhotoKey) -> PhotoFacts? {
        if let type = engine.catalog.photo(key)?.adds.first?.mediaType, MediaType.named(type)?.isSidecar == true {
            return PhotoFacts(readerVersion: MediaReader.version, kind: .sidecar)
        }
        return engine.catalog.liveAlbums(of: key.blob).lazy
            .compactMap { [engine] in engine.catalog.photo(PhotoKey(album: $0, blob: key.blob))?.facts }
            .first { $0.readerVersion >= MediaReader.version }
    }

    nonisolated func read(_ key: PhotoKey) async {
        if let facts = await knownFacts(of: key) { return await found(key, facts) }
        guard let file = await file(of: key) else { return await readingEnded(key, isFinal: true) }
        let reading = await parts.reader.read(file)
        guard reading.isFinal else { return await readingEnded(key, isFinal: false) }
        var facts = reading.facts
        if let picture = reading.thumbnail {
            do {
                facts.thumbnail = try await keep(picture)
            } catch {
                // The disk is full, or the agent stops: another time, or another laptop, has more luck.
                return await readingEnded(key, isFinal: false)
            }
        }
        await found(key, facts)
    }

    nonisolated private func keep(_ picture: Picture) async throws -> Thumbnail {
        let blob = try await parts.commitPool.perform { [parts] in try parts.blobs.ingest(bytes: picture.bytes) }
        return Thumbnail(
            blob: blob, byteCount: UInt32(picture.bytes.count), size: picture.size, mediaType: picture.mediaType)
    }

    private func found(_ key: PhotoKey, _ facts: PhotoFacts) {
        readingEnded(key, isFinal: true)
        switch outbox.add(key, facts, now: parts.clock.now) {
        case .tellNow: perform(.tellFacts)
        case .tellLater(let seconds):
            parts.eventLoop.scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) { [weak self] in
                guard let self else { return }
                self.parts.eventLoop.makeFutureWithTask { await self.perform(.tellFacts) }.whenComplete { _ in }
            }
        case .nothing: break
        }
    }

    /// - Parameter isFinal: reading it again would be in vain.
    private func readingEnded(_ key: PhotoKey, isFinal: Bool) {
        readings.finish(key)
        if !isFinal { readings.leave(key, now: parts.clock.now) }
        startReadings()
    }

    nonisolated func tellFacts() async {
        await withDiscardingTaskGroup { group in
            for (key, facts) in await takeFacts() {
                group.addTask {
                    do {
                        _ = try await self.contribute(.photoFacts(key.album, key.blob, facts))
                    } catch {
                        await self.readingEnded(key, isFinal: false)
                    }
                }
            }
        }
    }

    private func takeFacts() -> [(key: PhotoKey, facts: PhotoFacts)] { outbox.take() }
}
