import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine

/// What people say of photos, and how cameras are set right.
extension AgentControl {
    func edit(_ edit: PhotoEdit) async throws -> PhotosReport {
        try edit.validate()
        let builder = await builder()
        let album = try builder.album(edit.album)
        let entries = try await builder.entries(named: edit.photos, in: album)
        try await say(entries.flatMap { edit.contributions(to: $0) })
        return try await self.builder().photos(
            PhotoQuery(album: album.hex, photos: entries.map(\.key.blob.hex)))
    }

    func setCover(album text: String, photo: String?) async throws -> CoverReport {
        let builder = await builder()
        let album = try builder.album(text)
        var cover: BlobID?
        if let photo {
            // What belongs to a photo is not shown by itself.
            cover = try await builder.entries(named: [photo], in: album).first?.key.blob
        }
        try await say([.cover(album, cover)])
        return try await self.builder().cover(album: album.hex)
    }

    func setClocks(_ edit: ClockEdit) async throws -> ClocksReport {
        let builder = await builder()
        let album = try builder.album(edit.album)
        let changes = try await builder.clockChanges(edit)
        try await say(changes.map { .cameraClock(album, $0.camera, seconds: $0.seconds) })
        var report = try await self.builder().clocks(album: album.hex, camera: nil)
        report.cameras.removeAll { camera in !changes.contains { camera.isOf($0.camera) } }
        return report
    }

    /// Returns once all of it is durable. They go out together, so that they share a commit.
    func say(_ contributions: [Contribution]) async throws {
        do {
            try await services.contributions.contribute(all: contributions, forPerson: true)
        } catch let error as PotluckError where error.status == .tryAgain {
            // Unlike a photo in the folder, nobody finds it at the next start.
            throw PotluckError(.tryAgain, "The agent stops; say it again when it runs.")
        }
    }
}

extension ClocksReport.Camera {
    fileprivate func isOf(_ key: CameraKey) -> Bool {
        device == key.contributor.hex && (make ?? "", model ?? "", serial ?? "") == (key.make, key.model, key.serial)
    }
}

extension PhotoEdit {
    func validate() throws(PotluckError) {
        for tag in (addedTags ?? []) + (removedTags ?? []) {
            guard (1...CatalogLimits.tagByteCountMax).contains(TagName.tidy(tag).utf8.count) else {
                throw PotluckError(.usage, "A tag has 1 to \(CatalogLimits.tagByteCountMax) letters.")
            }
        }
        guard (caption ?? "").utf8.count <= CatalogLimits.captionByteCountMax else {
            throw PotluckError(.usage, "A caption has at most \(CatalogLimits.captionByteCountMax) letters.")
        }
    }

    /// Words are given to the lead, and taken from whatever file of the moment has them.
    fileprivate func contributions(to entry: PhotoEntry) -> [Contribution] {
        contributions(to: entry.key.blob, entry.listing.companions.map(\.blob), in: entry.key.album)
    }

    func contributions(to lead: BlobID, _ companions: [BlobID], in album: AlbumID) -> [Contribution] {
        var contributions = (addedTags ?? []).map { Contribution.tag(album, lead, $0) }
        for tag in removedTags ?? [] {
            contributions += ([lead] + companions).map { .untag(album, $0, tag) }
        }
        if let caption {
            contributions.append(.caption(album, lead, AlbumName.trimmed(caption)))
            contributions += companions.map { .caption(album, $0, "") }
        }
        switch isFavourite {
        case true?: contributions.append(.favourite(album, lead))
        case false?: contributions += ([lead] + companions).map { .unfavourite(album, $0) }
        case nil: break
        }
        return contributions
    }
}
