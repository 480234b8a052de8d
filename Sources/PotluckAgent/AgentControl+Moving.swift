import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine

/// Photos that go from one album to another, and albums that get another name: what moving files and renaming
/// directories of the folder does.
extension AgentControl {
    func move(_ order: MoveOrder) async throws -> MoveReport {
        let builder = await builder()
        let album = try builder.album(order.album)
        let (keys, counter) = try await moments(order.photos, in: album, builder)
        let target = try await target(order.to)
        guard target != .existing(album) else {
            throw PotluckError(.usage, "The photos are in “\(builder.albumName(album))” already: name another album.")
        }
        // First everything is added, then it gets its words, and only then something goes: an end in between loses nothing.
        let added = try await services.removal.keeping(keys.map(\.blob)) {
            var files: [PhotoFile] = []
            for key in keys { files.append(try await file(of: key, builder)) }
            return try await add(files, to: target)
        }
        let isCopy = order.copy == true
        try await say(words(from: keys, to: added, isCopy: isCopy))
        var verdicts: [PhotoKey: RemovalVerdict] = [:]
        if !isCopy { verdicts = try await services.removal.remove(keys) }
        let photos = keys.map { key in
            MoveReport.Photo(
                id: key.blob.hex, name: builder.catalog.photo(key)?.shownName ?? "",
                outcome: isCopy ? .copied : verdicts[key]?.hides == true ? .hidden : .moved,
                partOf: counter.partOf(key.blob))
        }
        return MoveReport(
            album: builder.albumName(album), albumID: album.hex,
            to: await services.host.ask({ $0.catalog.shownName(added) }) ?? order.to,
            toID: added.hex, photos: photos)
    }

    /// A photo as this device adds it to another album.
    private func file(of key: PhotoKey, _ builder: ReportBuilder) async throws -> PhotoFile {
        let photo = builder.catalog.photo(key)
        let held = try await parts.blobPool.perform { [parts] in
            try parts.blobs.open(key.blob).map { ($0.byteCount, try parts.blobs.pieceList(key.blob)) }
        }
        guard let photo, let add = photo.adds.first, let (byteCount, list) = held else {
            let name = photo?.shownName ?? key.blob.hex
            throw PotluckError(
                .failed, "\(name) is not on this laptop. Nothing was changed; say it again when `potluck fetch` has it."
            )
        }
        return PhotoFile(
            blob: key.blob, byteCount: byteCount, pieceList: list, name: photo.shownName, mediaType: add.mediaType,
            modified: add.modified)
    }

    /// The first one may make the album.
    private func add(_ files: [PhotoFile], to target: Target) async throws -> AlbumID {
        guard let first = files.first else { throw PotluckError(.usage, "Name the photos.") }
        let beginning: Contribution =
            switch target {
            case .existing(let album): .photoInAlbum(album, first)
            case .named(let name): .photo(albumName: name, first)
            }
        guard let album = try await services.contributions.contribute(beginning, forPerson: true) else {
            throw PotluckError(.failed, "The photos were not added.")
        }
        try await say(files.dropFirst().map { .photoInAlbum(album, $0) })
        let keys = files.map { PhotoKey(album: album, blob: $0.blob) }
        try await services.removal.unhide(keys)
        for key in keys { services.folder.requestPlacement(key) }
        return album
    }

    /// What was said of the photos, for what they are in the other album.
    private func words(from keys: [PhotoKey], to album: AlbumID, isCopy: Bool) async -> [Contribution] {
        let (catalog, device) = await knowledge
        return keys.flatMap { key in
            let new = PhotoKey(album: album, blob: key.blob)
            let words = FolderVerdicts.words(from: key, to: new, facts: true, device: device, catalog: catalog)
            // A copy takes nothing's place, so that others' favours stay with the first.
            return isCopy ? words.filter { $0 != .replacement(key, by: new) } : words
        }
    }

    func rename(device name: String) async throws -> DeviceNameReport {
        var report = try await DeviceNaming(services: services).rename(name)
        report.isTaken = await builder().peers().hasLaptop(named: report.device)
        return report
    }

    func rename(album text: String, to name: String) async throws -> RenameReport {
        let builder = await builder()
        let album = try builder.album(text)
        guard let tidy = AlbumName.usable(name) else {
            throw PotluckError(.usage, "An album needs a name of at most 1,000 letters.")
        }
        let others = builder.catalog.albums.keys.filter { $0 != album }
        guard !others.contains(where: { AlbumName.key(builder.albumName($0)) == AlbumName.key(tidy) }) else {
            throw PotluckError(
                .usage,
                "Another album has or had the name “\(tidy)”. `potluck move --all --to` puts the photos of one into another."
            )
        }
        let former = builder.albumName(album)
        if former != tidy { try await say([.albumName(album, tidy)]) }
        return RenameReport(
            album: await services.host.ask({ $0.catalog.shownName(album) }) ?? tidy, albumID: album.hex,
            formerName: former)
    }
}
