import AlbumModel
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import PotluckAPI
import WebGallery

/// Albums by month, filters, covers, and photos one by one.
struct GridRoutes: Sendable {
    let gallery: Gallery
    let agent: any AgentAPI
    let grids: GridBook

    var all: [WebRoute] {
        [albums, months, month, filters, photos, photo].map { $0.counted(by: gallery.reads) }
    }

    private static let filterParameters: [Resource.Parameter] = [
        .init("text"), .init("person"), .init("tag"), .init("camera"),
        .init("type", .enumeration(GalleryFilter.Kind.allCases.map(\.rawValue))), .init("favourites"),
        .init("from", .string(format: "date")), .init("to", .string(format: "date")),
    ]

    // MARK: Albums

    /// An album with what its card shows.
    private struct CoveredAlbum: Encodable {
        var album: AlbumsReport.Album
        var summary: GridBook.Summary

        private enum CodingKeys: String, CodingKey { case covers, people, newest }

        func encode(to encoder: any Encoder) throws {
            try album.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            let chosen = album.cover.map { [$0] } ?? []
            let others = summary.covers.map(\.hex).filter { !chosen.contains($0) }
            try container.encode(
                Array((chosen + others).prefix(GridBook.Summary.coverCountMax)), forKey: .covers)
            try container.encode(summary.people, forKey: .people)
            try container.encodeIfPresent(summary.newest?.text, forKey: .newest)
        }
    }

    private var albums: WebRoute {
        WebRoute(
            Resource(
                .get, "/albums", may: .see, parameters: [.init("covers", .boolean)],
                answers: [.init(200, .json((try? Shape.of(AlbumsReport.self)) ?? .object([])), "The albums.")],
                "Lists the albums; with `covers=1` each with up to four photos, names and its newest time.")
        ) { request in
            guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
            for (name, _) in try request.query() where name != "covers" { throw Self.unknown(name) }
            let report = try await agent.asSeen(by: visitor).albums()
            guard try Self.flag("covers", of: request) else { return try .json(report, to: request) }
            let summaries = try await grids.summaries(.albums(visitor.albums))
            let albums = report.albums.map { album in
                CoveredAlbum(
                    album: album, summary: AlbumID(hex: album.id).flatMap { summaries[$0] } ?? GridBook.Summary())
            }
            return try .json(["albums": albums], to: request)
        }
    }

    private static func unknown(_ name: String) -> PotluckError {
        PotluckError(.usage, "This request has no parameter “\(name)”; /api/v1/openapi.json lists them.")
    }

    private static func flag(_ name: String, of request: WebRequest) throws -> Bool {
        switch try request.query(name) {
        case nil, "0", "false": false
        case "1", "true": true
        case _?: throw Problem.wrongQuery(name)
        }
    }

    // MARK: Months

    private var months: WebRoute {
        WebRoute(
            Resource(
                .get, "/albums/{album}/months", may: .see,
                parameters: Self.filterParameters + [.init("If-None-Match", in: .header)],
                answers: [
                    .init(200, .json(.object([])), "Months and days with counts, the newest first."),
                    .init(304, .none, "The browser has it already."),
                ], "Gives the months of an album, or of `all`, from which a page lays out its grid.")
        ) { request in
            let view = try await view(request)
            let listing = view.index.header(of: view.album, mine: await likes(request, view, nil))
            return .listing(listing.json, listing.entityTag, to: request)
        }
    }

    private var month: WebRoute {
        WebRoute(
            Resource(
                .get, "/albums/{album}/months/{month}", may: .see,
                parameters: Self.filterParameters + [.init("If-None-Match", in: .header)],
                answers: [
                    .init(200, .json(.object([])), "A row of numbers for each photo, the newest first."),
                    .init(304, .none, "The browser has it already."),
                ], "Gives the photos of one month, or of `undated`.")
        ) { request in
            guard let month = GridMonth(parsing: try request.parameter("month")) else {
                throw Problem(.notFound, "not_found", "There is no such month.")
            }
            let view = try await view(request)
            let mine = await likes(request, view, view.index.photos(of: month))
            guard let listing = view.index.listing(of: month, mine: mine) else {
                // The page's header is older than the last photo's leaving.
                let json = Array("{\"month\":\"\(month.text)\",\"version\":\"\",\"photos\":[]}".utf8)
                return .listing(json, EntityTag(hashing: json), to: request)
            }
            return .listing(listing.json, listing.entityTag, to: request)
        }
    }

    private var filters: WebRoute {
        WebRoute(
            Resource(
                .get, "/albums/{album}/filters", may: .see,
                answers: [.init(200, .json((try? Shape.of(FilterChoices.self)) ?? .object([])), "With counts.")],
                "Lists what a page offers to filter by.")
        ) { request in
            try .json(try await grids.choices(try scope(request)), to: request)
        }
    }

    private func view(_ request: WebRequest) async throws -> GridBook.View {
        try await grids.view(try scope(request), try request.filter())
    }

    private func scope(_ request: WebRequest) throws -> GridBook.Scope { try gallery.scope(request) }

    /// What the person who looks likes.
    ///
    /// - Parameter photos: Of these; `nil` for all.
    private func likes(
        _ request: WebRequest, _ view: GridBook.View, _ photos: [BlobID]?
    ) async -> Set<BlobID> {
        var likes: Set<BlobID> = []
        for album in view.albums {
            likes.formUnion(await gallery.host.likes(of: request.visitor?.guest, photos, in: album))
        }
        return likes
    }

    // MARK: Photos

    /// A page of all photos.
    private struct Page: Encodable {
        var photos: [PhotosReport.Photo]
        @ExplicitNull var next: String?

        init(photos: [PhotosReport.Photo], next: String?) {
            self.photos = photos
            self.next = next
        }
    }

    private static let pageParameters = ["limit", "after", "order", "wall"]
    private static let pageCountMax = 1000

    /// Takes the place of the listing of `--json`, which it answers as before; of `all` there are pages, too.
    private var photos: WebRoute {
        WebRoute(
            Resource(
                .get, "/albums/{album}/photos", may: .see, parameters: Self.listingParameters,
                answers: [.init(200, .json((try? Shape.of(PhotosReport.self)) ?? .object([])), "The photos.")],
                "Lists photos of one album; with `limit`, those of `all`, the newest first, page by page.")
        ) { request in
            guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
            let isPaged = try request.query().contains { Self.pageParameters.contains($0.name) }
            guard isPaged, try request.parameter("album") == "all" else {
                return try await listing(request, visitor)
            }
            return try await page(request, visitor)
        }
    }

    private static let listingParameters: [Resource.Parameter] = {
        let shape = (try? AgentRoutes.route(for: PhotoQuery.self).shape()) ?? .object([])
        let own: [Resource.Parameter] = [
            .init("limit", .integer(minimum: 1)), .init("after"), .init("order", .enumeration(["newest"])),
            .init("wall", .boolean),
        ]
        return shape.properties.filter { $0.name != "album" }.map { .init($0.name, $0.shape) } + own
    }()

    private func listing(_ request: WebRequest, _ visitor: Visitor) async throws -> Response {
        let route = AgentRoutes.route(for: PhotoQuery.self)
        let data = try route.request(
            path: request.parameters, query: request.request.uri.query ?? "", body: .init(), shape: try route.shape())
        let query: PhotoQuery
        do {
            query = try ReportJSON.value(PhotoQuery.self, from: data)
        } catch let error as DecodingError {
            throw PotluckError(notUnderstood: error)
        }
        let report = try await agent.asSeen(by: visitor).photos(query)
        return .document(try query.document(report), request.limits)
    }

    private func page(_ request: WebRequest, _ visitor: Visitor) async throws -> Response {
        for (name, _) in try request.query() where !Self.pageParameters.contains(name) { throw Self.unknown(name) }
        if let order = try request.query("order"), order != "newest" { throw Problem.wrongQuery("order") }
        let limit = try request.query("limit").map { text in
            guard let limit = Int(text), limit >= 1 else { throw Problem.wrongQuery("limit") }
            return min(limit, Self.pageCountMax)
        }
        let isForWall = try Self.flag("wall", of: request)
        let scope = GridBook.Scope.albums(visitor.albums)
        let view = try await grids.view(scope)
        let start = try request.query("after").map { try Self.start(after: $0, in: view.index) } ?? 0
        let entries = view.index.photos(from: start, count: limit ?? Self.pageCountMax)
        let waiting = isForWall ? gallery.entrance.waiting() : []
        var byAlbum: [AlbumID: [BlobID]] = [:]
        for entry in entries {
            let albums = await grids.albums(of: entry.photo, in: scope)
            let shown = albums.first { !waiting.contains(PhotoKey(album: $0, blob: entry.photo)) }
            if let shown { byAlbum[shown, default: []].append(entry.photo) }
        }
        var found: [String: PhotosReport.Photo] = [:]
        let seen = agent.asSeen(by: visitor)
        for (album, blobs) in byAlbum {
            let name = await grids.name(of: album, in: scope)
            for photo in try await grids.photos(blobs, in: album, asking: seen) {
                var photo = photo
                (photo.album, photo.albumID) = (name, album.hex)
                found[photo.id] = photo
            }
        }
        let end = start + entries.count
        let next = end < view.index.count ? entries.last.map { "\(end - 1)-\($0.photo.hex)" } : nil
        return try .json(Page(photos: entries.compactMap { found[$0.photo.hex] }, next: next), to: request)
    }

    /// The place behind a photo, which may have moved or gone since.
    private static func start(after text: String, in index: GridIndex) throws -> Int {
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, let place = Int(halves[0]), place >= 0, place < .max,
            let photo = BlobID(hex: String(halves[1]))
        else { throw Problem.wrongQuery("after") }
        if index.photos(from: place, count: 1).first?.photo == photo { return place + 1 }
        guard index.contains(photo) else { return min(place, index.count) }
        return (index.photos.enumerated().first { $0.element.photo == photo }?.offset ?? place) + 1
    }

    /// One photo, with what people said about it.
    private struct Details: Encodable {
        struct Comment: Encodable {
            var id: String
            var by: String
            var text: String
            var at: Instant
            var mine: Bool
        }

        var photo: PhotosReport.Photo
        var comments: [Comment]
        /// Whether it is theirs who asks, to be taken back.
        var mine: Bool
        /// Whether who asks may replace its caption and take its tags away.
        var editsWords: Bool
        var waitsForOwner: Bool

        private enum CodingKeys: String, CodingKey {
            case comments, mine
            case editsWords = "edits_words"
            case waitsForOwner = "waits_for_owner"
        }

        func encode(to encoder: any Encoder) throws {
            try photo.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(comments, forKey: .comments)
            try container.encode(mine, forKey: .mine)
            try container.encode(editsWords, forKey: .editsWords)
            if waitsForOwner { try container.encode(true, forKey: .waitsForOwner) }
        }
    }

    private var photo: WebRoute {
        WebRoute(
            Resource(
                .get, "/albums/{album}/photos/{photo}", may: .see,
                answers: [
                    .init(
                        200, .json((try? Shape.of(PhotosReport.Photo.self)) ?? .object([])),
                        "As in listings, of `all` with `album` and `album_id`; and `comments`, `mine`, `edits_words`, `waits_for_owner`."
                    )
                ], "Gives one photo of an album, or of `all`.")
        ) { request in
            guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
            let key = try await gallery.shownPhoto(request)
            let seen = agent.asSeen(by: visitor)
            let listed = try await grids.photos([key.blob], in: key.album, asking: seen)
            guard var photo = listed.first else { throw Problem.noPhoto }
            if request.isForAllAlbums {
                // As in listings of all albums: what is said about a photo goes to its album.
                photo.album = try await seen.albums().albums.first { $0.id == key.album.hex }?.name
                photo.albumID = key.album.hex
            }
            let comments = await gallery.host.comments(on: key).map { comment in
                // Of the owner's own, this laptop's are theirs to take back.
                let isMine =
                    visitor.guest.map { comment.guest == $0.hex }
                    ?? (comment.guest == nil && comment.device == gallery.host.device)
                return Details.Comment(
                    id: comment.id, by: comment.by, text: comment.text, at: comment.at, mine: isMine)
            }
            let details = Details(
                photo: photo, comments: comments, mine: await isTheirs(key, visitor),
                editsWords: await editsWords(of: key, visitor),
                waitsForOwner: gallery.entrance.waiting().contains(key))
            var response = try Response.json(details, to: request)
            response.headers[.cacheControl] = "private, no-cache"
            return response
        }
    }

    /// A guest's are those that the guest may still take back. The owner at the laptop has all in hand; the owner's phone,
    /// which removes nothing, shows as its own what the owner added.
    private func isTheirs(_ photo: PhotoKey, _ visitor: Visitor) async -> Bool {
        if let guest = visitor.guest { return gallery.uploads.additions.answer(photo, by: guest) == .mayTakeBack }
        if visitor.rights.contains(.manage) { return true }
        return await gallery.host.isOwners(photo)
    }

    /// Whether more than adding words is theirs.
    private func editsWords(of photo: PhotoKey, _ visitor: Visitor) async -> Bool {
        guard visitor.rights.contains(.talk) else { return false }
        guard let guest = visitor.guest else { return true }
        return await gallery.host.ownsWords(of: photo, guest)
    }
}

extension Gallery {
    /// Which grid an address names.
    ///
    /// - Throws: ``Problem/noAlbum`` for an album that this visitor does not see.
    func scope(_ request: WebRequest) throws -> GridBook.Scope {
        guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
        return request.isForAllAlbums ? .albums(visitor.albums) : .album(try album(request))
    }

    /// The photo that an address names, in its album or, below `all`, in the first that shows it.
    func shownPhoto(_ request: WebRequest) async throws -> PhotoKey {
        guard let visitor = request.visitor, let photo = BlobID(hex: request.parameters["photo"] ?? "") else {
            throw Problem.noPhoto
        }
        guard request.isForAllAlbums else { return try await photoKey(request) }
        guard let album = await albums(of: photo, seenBy: visitor).min() else { throw Problem.noPhoto }
        return PhotoKey(album: album, blob: photo)
    }
}

extension WebRequest {
    /// Whether its address names `all` in place of an album.
    var isForAllAlbums: Bool { parameters["album"] == "all" }

    /// What its query narrows a grid to.
    func filter() throws -> GalleryFilter {
        do {
            return try GalleryFilter(try query())
        } catch let failure as GalleryFilter.Failure {
            throw Problem.wrongQuery(failure.name)
        }
    }
}

extension GridTime {
    /// `2026-08-14T18:40:07`, in no time zone.
    fileprivate var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = millisecondOfDay / 1000
        return "\(month.text)-\(two(day))T\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
