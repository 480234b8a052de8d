import AlbumModel
import HTTPTypes
import PotluckAPI
import WebGallery

/// The grids of albums, and of all albums together: made when a page asks, kept as the agent's events tell.
///
/// An event names photos, and they are asked for when the next page wants the grid: a thousand events cost one question of
/// a page's. Events are noted before pages hear of them, so a page that asks because of one gets what it told of.
actor GridBook {
    /// Which photos.
    enum Scope: Hashable, Sendable {
        case album(AlbumID)
        /// `nil` for all albums, also those to come.
        case albums(Set<AlbumID>?)

        func contains(_ album: AlbumID) -> Bool {
            switch self {
            case .album(let own): own == album
            case .albums(let albums): albums?.contains(album) ?? true
            }
        }

        var isOfSeveral: Bool { if case .albums = self { true } else { false } }
    }

    /// A grid as a page draws it.
    struct View: Sendable {
        var album: GridIndex.Album
        /// Those whose photos are in it.
        var albums: [AlbumID]
        var index: GridIndex
    }

    /// What a card of an album shows.
    struct Summary: Sendable {
        static let coverCountMax = 4
        static let peopleCountMax = 8

        /// The newest first.
        var covers: [BlobID] = []
        var people: [String] = []
        var newest: GridTime?
    }

    /// The photos of a scope.
    private struct Sheet {
        var names: [AlbumID: String]
        /// A photo may be in several albums.
        var photos: [BlobID: [AlbumID: GalleryPhoto]]
        var index: GridIndex
        var searches = RecentSearches()
        var summaries: [AlbumID: Summary]?
        var lastUsed: ContinuousClock.Instant

        /// As it is drawn: of several the one of the first album.
        static func shown(_ places: [AlbumID: GalleryPhoto]) -> GalleryPhoto? {
            places.count == 1 ? places.first?.value : places.min { $0.key < $1.key }?.value
        }

        /// - Parameter byAlbums: Whether photos are found by the names of their albums, too.
        func found(by filter: GalleryFilter, byAlbums: Bool) -> [GridEntry] {
            let albums = byAlbums ? names.mapValues { SearchedAlbum(name: $0) } : [:]
            return photos.values.compactMap { places in
                guard let shown = Self.shown(places),
                    filter.contains(shown)
                        || byAlbums && places.keys.contains(where: { filter.contains(shown, in: albums[$0]) })
                else { return nil }
                return shown.entry
            }
        }
    }

    /// What has happened to a sheet since it was last asked for.
    private struct News {
        /// `true` for what went.
        var photos: [PhotoKey: Bool] = [:]
        var hasNewNames = false
        /// Everything has to be asked for again.
        var isAfresh = false
    }

    /// How pages call all albums together.
    static let allAlbumsName = "All photos"
    static let sheetCountMax = 64
    static let patience = Duration.seconds(600)
    /// More are asked for with all others of their albums.
    private static let newsCountMax = 5000
    private static let batchCount = 200

    private let agent: any AgentAPI
    private let host: any GalleryHost
    private let feed: EventFeed
    private var sheets: [Scope: Sheet] = [:]
    /// Of sheets that are there or on their way.
    private var news: [Scope: News] = [:]
    /// Those who wait for one that somebody else makes or refreshes.
    private var waiters: [Scope: [CheckedContinuation<Void, Never>]] = [:]

    init(agent: any AgentAPI, host: any GalleryHost, feed: EventFeed) {
        self.agent = agent
        self.host = host
        self.feed = feed
    }

    // MARK: What happens

    /// - Parameter event: `nil` where none are heard of any more.
    func note(_ event: EventRecord?) {
        guard let event else {
            sheets = [:]
            for scope in news.keys { news[scope]?.isAfresh = true }
            return
        }
        let kind = event.event.rawValue
        let album = event.album.flatMap { AlbumID(hex: $0) }
        if let album, kind.hasPrefix("photo."), let photo = event.photo.flatMap({ BlobID(hex: $0) }) {
            note(PhotoKey(album: album, blob: photo), isGone: kind == "photo.removed")
        } else if let album, kind.hasPrefix("album.") {
            for scope in news.keys where scope.contains(album) { news[scope]?.hasNewNames = true }
        } else if kind == "afresh" {
            for scope in news.keys { news[scope]?.isAfresh = true }
        }
    }

    /// Something about a photo has changed.
    private func note(_ photo: PhotoKey, isGone: Bool) {
        for scope in news.keys where scope.contains(photo.album) {
            guard var own = news.removeValue(forKey: scope) else { continue }
            own.photos[photo] = isGone
            if own.photos.count > Self.newsCountMax { (own.photos, own.isAfresh) = ([:], true) }
            news[scope] = own
        }
    }

    /// Lets go of what nobody has asked for lately.
    func forgetUnused(now: ContinuousClock.Instant = .now) {
        for (scope, sheet) in sheets where sheet.lastUsed.duration(to: now) > Self.patience { forget(scope) }
    }

    private func forget(_ scope: Scope) {
        sheets[scope] = nil
        if waiters[scope] == nil { news[scope] = nil }
    }

    // MARK: Questions

    /// The grid of a scope as it is now.
    ///
    /// - Throws: ``Problem/noAlbum`` for an album that does not exist; what the agent throws.
    func view(_ scope: Scope, _ filter: GalleryFilter = GalleryFilter()) async throws -> View {
        try await prepare(scope)
        // The agent may end its events at any moment.
        guard let sheet = sheets[scope] else { throw Self.tooBusy }
        return View(
            album: Self.album(scope, sheet), albums: sheet.names.keys.sorted(),
            index: filter.isEmpty ? sheet.index : search(filter, scope))
    }

    /// What a page offers to filter by.
    func choices(_ scope: Scope) async throws -> FilterChoices {
        try await prepare(scope)
        return FilterChoices((sheets[scope]?.photos ?? [:]).values.lazy.compactMap { Sheet.shown($0) })
    }

    func summaries(_ scope: Scope) async throws -> [AlbumID: Summary] {
        try await prepare(scope)
        if let summaries = sheets[scope]?.summaries { return summaries }
        let summaries = sheets[scope].map(Self.summaries) ?? [:]
        sheets[scope]?.summaries = summaries
        return summaries
    }

    /// ``summaries(_:)`` where they cost nothing.
    func readySummaries(_ scope: Scope) async throws -> [AlbumID: Summary]? {
        sheets[scope] == nil ? nil : try await summaries(scope)
    }

    /// Photos of an album as listings show them; without those that it does not have.
    ///
    /// - Parameter agent: As somebody sees it.
    nonisolated func photos(
        _ photos: [BlobID], in album: AlbumID, asking agent: any AgentAPI
    ) async throws -> [PhotosReport.Photo] {
        var found: [PhotosReport.Photo] = []
        var rest = photos[...]
        while !rest.isEmpty {
            found += try await some(rest.prefix(Self.batchCount), in: album, asking: agent)
            rest = rest.dropFirst(Self.batchCount)
        }
        return found
    }

    /// The albums of a scope that show a photo, the first one first.
    func albums(of photo: BlobID, in scope: Scope) -> [AlbumID] {
        sheets[scope]?.photos[photo]?.keys.sorted() ?? []
    }

    func name(of album: AlbumID, in scope: Scope) -> String { sheets[scope]?.names[album] ?? "" }

    private static let tooBusy = Problem(
        .serviceUnavailable, "try_again", "The albums are just being read; try again in a moment.", retryAfter: 1)

    private static func album(_ scope: Scope, _ sheet: Sheet) -> GridIndex.Album {
        switch scope {
        case .album(let id): GridIndex.Album(id: id.hex, name: sheet.names[id] ?? "")
        case .albums: GridIndex.Album(id: "all", name: allAlbumsName)
        }
    }

    private func search(_ filter: GalleryFilter, _ scope: Scope) -> GridIndex {
        if let known = sheets[scope]?.searches.index(of: filter) { return known }
        let found = sheets[scope].map { $0.found(by: filter, byAlbums: scope.isOfSeveral) } ?? []
        let index = GridIndex(found)
        sheets[scope]?.searches.remember(index, of: filter)
        return index
    }

    private static func summaries(_ sheet: Sheet) -> [AlbumID: Summary] {
        var summaries: [AlbumID: Summary] = [:]
        var counts: [AlbumID: [String: Int]] = [:]
        for entry in sheet.index.photos {
            for (album, photo) in sheet.photos[entry.photo] ?? [:] {
                var own = summaries.removeValue(forKey: album) ?? Summary(newest: entry.taken)
                if own.covers.count < Summary.coverCountMax { own.covers.append(entry.photo) }
                summaries[album] = own
                for person in photo.people { counts[album, default: [:]][person, default: 0] += 1 }
            }
        }
        for (album, people) in counts {
            let sorted = people.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            summaries[album]?.people = sorted.prefix(Summary.peopleCountMax).map(\.key)
        }
        return summaries
    }

    // MARK: Making and refreshing

    /// Makes a sheet, or brings it to what was noted before this was called. One at a time does it; others wait.
    private func prepare(_ scope: Scope) async throws {
        // Before anything is read: what happens from here on is noted.
        await feed.attend(for: Self.patience)
        while waiters[scope] != nil { await withCheckedContinuation { waiters[scope]?.append($0) } }
        sheets[scope]?.lastUsed = .now
        let isThere = sheets[scope] != nil
        if isThere, let news = news[scope], news.photos.isEmpty, !news.hasNewNames, !news.isAfresh { return }
        waiters[scope] = []
        defer {
            for waiter in waiters.removeValue(forKey: scope) ?? [] { waiter.resume() }
            if sheets[scope] == nil { news[scope] = nil }
        }
        let heard = news.updateValue(News(), forKey: scope) ?? News()
        do {
            if isThere, !heard.isAfresh {
                try await refresh(scope, heard)
            } else {
                try await make(scope)
            }
        } catch {
            // Half of it may have been refreshed.
            sheets[scope] = nil
            throw error
        }
    }

    private func names(of scope: Scope) async throws -> [AlbumID: String] {
        let all = try await agent.albums().albums.compactMap { album in
            AlbumID(hex: album.id).map { ($0, album.name) }
        }
        let names = Dictionary(all.filter { scope.contains($0.0) }) { first, _ in first }
        if case .album = scope, names.isEmpty { throw Problem.noAlbum }
        return names
    }

    private func make(_ scope: Scope) async throws {
        let names = try await names(of: scope)
        var photos: [BlobID: [AlbumID: GalleryPhoto]] = [:]
        for album in names.keys.sorted() {
            let report: PhotosReport
            do {
                report = try await agent.photos(PhotoQuery(album: album.hex))
            } catch let error as PotluckError where error.status == .notFound {
                // It went between the two questions.
                continue
            }
            let commented = await host.commented(nil, in: album)
            for photo in report.photos {
                guard let blob = BlobID(hex: photo.id),
                    let shown = GalleryPhoto(photo, hasComments: commented.contains(blob))
                else { continue }
                photos[blob, default: [:]][album] = shown
            }
        }
        let index = GridIndex(photos.values.compactMap { Sheet.shown($0)?.entry })
        sheets[scope] = Sheet(names: names, photos: photos, index: index, lastUsed: .now)
        if sheets.count > Self.sheetCountMax, let oldest = sheets.min(by: { $0.value.lastUsed < $1.value.lastUsed }) {
            forget(oldest.key)
        }
    }

    private func refresh(_ scope: Scope, _ heard: News) async throws {
        let albums = Set(heard.photos.keys.map(\.album))
        let isNewAlbum = albums.contains { sheets[scope]?.names[$0] == nil }
        let names = heard.hasNewNames || isNewAlbum ? try await names(of: scope) : nil
        var current: [PhotoKey: GalleryPhoto] = [:]
        for album in albums.sorted() {
            let wanted = heard.photos.compactMap { $0.key.album == album && !$0.value ? $0.key.blob : nil }
            guard !wanted.isEmpty else { continue }
            let commented = await host.commented(wanted, in: album)
            for photo in try await photos(wanted, in: album, asking: agent) {
                guard let blob = BlobID(hex: photo.id),
                    let shown = GalleryPhoto(photo, hasComments: commented.contains(blob))
                else { continue }
                current[PhotoKey(album: album, blob: blob)] = shown
            }
        }
        // From here on nothing waits. The sheet is taken out while it changes: a second owner would make it a copy.
        guard var sheet = sheets.removeValue(forKey: scope) else { return }
        if let names {
            sheet.names = names
            // They may have been found by names.
            sheet.searches = RecentSearches()
            sheet.summaries = nil
        }
        if !heard.photos.isEmpty { Self.change(&sheet, Array(heard.photos.keys), to: current) }
        sheets[scope] = sheet
    }

    private static func change(_ sheet: inout Sheet, _ keys: [PhotoKey], to current: [PhotoKey: GalleryPhoto]) {
        for key in keys { sheet.photos[key.blob, default: [:]][key.album] = current[key] }
        var (put, removed): ([GridEntry], [BlobID]) = ([], [])
        for blob in Set(keys.map(\.blob)) {
            if let shown = Sheet.shown(sheet.photos[blob] ?? [:]) {
                put.append(shown.entry)
            } else {
                sheet.photos[blob] = nil
                removed.append(blob)
            }
        }
        sheet.index.change(putting: put, removing: removed)
        sheet.searches = RecentSearches()
        sheet.summaries = nil
    }

    /// One photo that is not there makes a question fail; so it is asked in halves.
    private nonisolated func some(
        _ photos: ArraySlice<BlobID>, in album: AlbumID, asking agent: any AgentAPI
    ) async throws -> [PhotosReport.Photo] {
        do {
            let wanted = Set(photos.map(\.hex))
            return try await agent.photos(PhotoQuery(album: album.hex, photos: photos.map(\.hex))).photos
                .filter { wanted.contains($0.id) }
        } catch let error as PotluckError where error.status == .notFound {
            guard photos.count > 1 else { return [] }
            let middle = photos.index(photos.startIndex, offsetBy: photos.count / 2)
            return try await some(photos[..<middle], in: album, asking: agent)
                + some(photos[middle...], in: album, asking: agent)
        }
    }
}
