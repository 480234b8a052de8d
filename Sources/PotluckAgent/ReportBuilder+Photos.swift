import AlbumModel
import SyncEngine

/// Listings of photos.
extension ReportBuilder {
    /// - Throws: ``PotluckError`` where the album or one of the photos is not known, or could be several.
    func photos(_ query: PhotoQuery) async throws -> PhotosReport {
        guard query.album != nil || query.hasConditions else {
            throw PotluckError(.usage, "Name an album, or say what is looked for.")
        }
        let album = try query.album.map { try self.album($0) }
        guard album != nil || query.photos.isEmpty else {
            throw PotluckError(.usage, "Name the album that the photos are in.")
        }
        let filter = PhotoFilter(query, names: contributorNames())
        let entries = try await entries(query, of: album).filter { filter.accepts($0) }
        let reporter = reporter(isOfAllAlbums: album == nil, isBrief: query.isBrief)
        return PhotosReport(
            album: album.map(albumName), albumID: album?.hex, photos: entries.map { reporter.report($0) })
    }

    /// What the query names or searches for, in the order of the listing; its filters are not looked at.
    private func entries(_ query: PhotoQuery, of album: AlbumID?) async throws -> [PhotoEntry] {
        var entries = (album.map { [$0] } ?? catalog.albums.keys.sorted()).flatMap { self.entries($0) }
        if album == nil { entries.sort { ($0.order, $0.key.album) < ($1.order, $1.key.album) } }
        if let album, !query.photos.isEmpty {
            let named = Set(try lookup(album).find(query.photos))
            entries = entries.filter { entry in
                named.contains(entry.key.blob) || entry.companions.contains { named.contains($0.blob) }
            }
        }
        return entries
    }

    /// All entries of an album, in its order.
    func entries(_ id: AlbumID) -> [PhotoEntry] {
        guard let album = catalog.albums[id] else { return [] }
        return Moments.find(album.momentParts).compactMap { PhotoEntry($0, of: album) }
            .sorted { $0.order < $1.order }
    }

    /// - Throws: ``PotluckError`` where it is not known, or could be several.
    func album(_ text: String) throws(PotluckError) -> AlbumID {
        try AlbumLookup.find(text, among: catalog.albums.keys.sorted().map { (id: $0, name: albumName($0)) })
    }

    func albumName(_ id: AlbumID) -> String { catalog.shownName(id) ?? "" }

    /// Every live photo of an album can be named, those that belong to another one too.
    func lookup(_ album: AlbumID) -> PhotoLookup {
        let photos = catalog.albums[album].map { Array($0.livePhotos) } ?? []
        let candidates = photos.sorted { $0.key < $1.key }.map { blob, photo in
            PhotoLookup.Candidate(blob: blob, name: photo.shownName, file: folderPath(album, blob))
        }
        return PhotoLookup(candidates, album: albumName(album))
    }

    private func contributorNames() -> [DeviceID: String] {
        let contributors = Set(catalog.albums.values.flatMap { $0.livePhotos.flatMap(\.value.contributors) })
        return Dictionary(uniqueKeysWithValues: contributors.map { ($0, name($0)) })
    }

    func reporter(isOfAllAlbums: Bool, isBrief: Bool) -> PhotoReporter {
        PhotoReporter(
            deviceName: { name($0) }, author: { engine.log.author(of: $0.replica) }, holders: { holders(of: $0) },
            isHere: { engine.held.contains($0) }, file: { folderPath($0.album, $0.blob) },
            albumName: isOfAllAlbums ? { albumName($0) } : nil, isBrief: isBrief)
    }
}

extension Album {
    fileprivate var momentParts: [MomentPart] {
        livePhotos.compactMap { blob, photo in
            photo.firstContributor.map {
                MomentPart(blob: blob, name: photo.shownName, contributor: $0, facts: photo.facts)
            }
        }
    }
}
