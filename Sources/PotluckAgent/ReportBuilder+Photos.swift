import AlbumModel
import PhotoStore
import PotluckAPI
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
        let filter = QueryFilter(query, names: query.by.isEmpty ? [:] : contributorNames())
        let entries = try await candidates(query, in: album).filter { filter.accepts($0) }
        let reporter = reporter(isOfAllAlbums: album == nil, isBrief: query.isBrief)
        return PhotosReport(
            album: album.map { albumName($0) }, albumID: album?.hex, photos: entries.map { reporter.report($0) })
    }

    /// What the query names or searches for, in the order of the listing. Not all of it passes its filter.
    private func candidates(_ query: PhotoQuery, in album: AlbumID?) async throws -> [PhotoEntry] {
        guard query.words.isEmpty else {
            let found = try await indexPool.perform { [index] in
                try index.search(query.words, album: album, limit: Self.foundCountMax)
            }
            return found.map { PhotoEntry($0, catalog) }
        }
        if let album, !query.photos.isEmpty { return try await entries(named: query.photos, in: album) }
        return try await entries(
            PhotoFilter(
                album: album, takenFrom: query.takenAfter?.milliseconds, takenBefore: query.takenBefore?.milliseconds,
                kinds: Set(query.kinds.compactMap { PhotoKind(rawValue: $0.rawValue) })))
    }

    /// In the order of albums, or by time taken over all of them.
    func entries(_ filter: PhotoFilter) async throws -> [PhotoEntry] {
        try await indexPool.perform { [index] in try index.photos(matching: filter) }.map { PhotoEntry($0, catalog) }
    }

    /// What named photos of an album are, or belong to, in its order.
    ///
    /// - Parameter texts: Names or IDs, as ``PhotoLookup`` takes them.
    func entries(named texts: [String], in album: AlbumID) async throws -> [PhotoEntry] {
        try await entries(of: try find(texts, in: album), in: album)
    }

    /// What photos of an album are, or belong to, in its order.
    func entries(of photos: [BlobID], in album: AlbumID) async throws -> [PhotoEntry] {
        try await indexPool.perform { [index] in try index.entries(of: photos, in: album) }
            .map { PhotoEntry($0, catalog) }
    }

    /// Photos of an album by name or ID, each once. Programs name them by their whole IDs, and need not wait until all of
    /// an album is looked through.
    func find(_ texts: [String], in album: AlbumID) throws(PotluckError) -> [BlobID] {
        var found: [BlobID] = []
        var seen: Set<BlobID> = []
        for text in texts {
            guard let blob = BlobID(hex: text.lowercased()), catalog.isLive(PhotoKey(album: album, blob: blob)) else {
                return try lookup(album).find(texts)
            }
            if seen.insert(blob).inserted { found.append(blob) }
        }
        return found
    }

    /// What a search finds at most: the best of it.
    private static var foundCountMax: Int { 10_000 }

    /// The album that a person means.
    ///
    /// - Parameter scope: Which of its photos are meant. Of some albums nothing else speaks than what is left out.
    /// - Throws: ``PotluckError`` where it is not known, or could be several.
    func album(_ text: String, _ scope: PhotoLookup.Scope = .album) throws(PotluckError) -> AlbumID {
        var albums = Set(catalog.albums.keys)
        if scope == .leftOut { albums.formUnion(engine.leftOutPhotos.map(\.album)) }
        return try AlbumLookup.find(text, among: albums.sorted().map { (id: $0, name: albumName($0, scope)) }, scope)
    }

    /// As it is listed; where nothing names it, as what is left out does, if that is meant.
    func albumName(_ id: AlbumID, _ scope: PhotoLookup.Scope = .album) -> String {
        let isNamed = catalog.albums[id]?.name.shown != nil
        let leftOut = scope == .leftOut && !isNamed ? engine.log.leftOut.catalog.shownName(id) : nil
        return leftOut ?? catalog.shownName(id) ?? ""
    }

    /// Every live photo of an album can be named, those that belong to another one too.
    private func lookup(_ album: AlbumID) -> PhotoLookup {
        let photos = catalog.albums[album].map { Array($0.livePhotos) } ?? []
        let candidates = photos.sorted { $0.key < $1.key }.map { blob, photo in
            PhotoLookup.Candidate(blob: blob, name: photo.shownName, file: folderPath(album, blob))
        }
        return PhotoLookup(candidates, album: albumName(album))
    }

    /// Guests are called by their name alone, too.
    private func contributorNames() -> [Person: [String]] {
        let contributors = Set(catalog.albums.values.flatMap { $0.livePhotos.flatMap(\.value.contributingPeople) })
        return Dictionary(
            uniqueKeysWithValues: contributors.map { person in
                (person, [name(person)] + [person.guest.flatMap { catalog.guestName($0) }].compactMap(\.self))
            })
    }

    func reporter(isOfAllAlbums: Bool, isBrief: Bool) -> PhotoReporter {
        PhotoReporter(
            deviceName: { name($0) }, personName: { name($0) }, comment: { catalog.report($0) },
            author: { engine.log.author(of: $0.replica) }, holders: { holders(of: $0) },
            file: { folderPath($0.album, $0.blob) }, usualOffset: { catalog.albums[$0]?.usualOffsetMinutes },
            albumName: isOfAllAlbums ? { albumName($0) } : nil, isBrief: isBrief)
    }
}
