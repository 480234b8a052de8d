import AlbumModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import PotluckAPI
import WebGallery

/// Taking photos home: an archive that is sent while it is made, and that can go on where it was broken off.
struct ArchiveRoutes: Sendable {
    let gallery: Gallery
    let agent: any AgentAPI
    let grids: GridBook

    var all: [WebRoute] {
        [
            WebRoute(resource(.get, .none)) { try await answer($0, try $0.query()) },
            WebRoute(resource(.post, .bytes(type: "application/x-www-form-urlencoded"))) { request in
                let form = try await request.form().map { (name: $0.key, value: $0.value) }
                return try await answer(request, try request.query() + form)
            },
        ]
    }

    private func resource(_ method: Resource.Method, _ body: Resource.Content) -> Resource {
        Resource(
            method, "/albums/{album}/zip", may: .take, .reading,
            parameters: [
                .init("size", .enumeration(ArchiveOrder.Size.allCases.map(\.rawValue))), .init("photos"),
                .init("new_for"), .init("text"), .init("person"), .init("tag"), .init("camera"),
                .init("type", .enumeration(GalleryFilter.Kind.allCases.map(\.rawValue))),
                .init("favourites", .enumeration(["0", "1"])), .init("from", .string(format: "date")),
                .init("to", .string(format: "date")), .init("Range", in: .header), .init("If-Range", in: .header),
            ], body: body,
            answers: [
                Resource.Answer(200, .bytes(type: "application/zip"), "All of it."),
                Resource.Answer(206, .bytes(type: "application/zip"), "The range."),
            ],
            "One archive of photos of an album, or of `all` with a directory each; a form may carry what a query does.")
    }

    private func answer(_ request: WebRequest, _ pairs: [(name: String, value: String)]) async throws -> Response {
        guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
        try gallery.reads.take(.archive, by: visitor.guest)
        let order = try ArchiveOrder(pairs)
        let seen = agent.asSeen(by: visitor)
        // It is free again when the answer has been sent, or is thrown away.
        let place = try gallery.archives.place(for: visitor.holder)
        let albums = try await seen.albums()
        let scope = try scope(request, albums)
        let source = ArchiveSource(host: gallery.host)
        let planner = ArchivePlanner(
            source: source, agent: seen, originalKind: visitor.originalKind, home: gallery.archives.home)
        let plan = try await planner.plan(order, scope)
        var headers = HTTPFields()
        headers.set(PageHeaders.content)
        headers[.contentType] = "application/zip"
        headers[.contentDisposition] = ContentDisposition.text(
            isAttachment: true, name: FileLabel.cleaned(scope.name) + ".zip")
        headers[.cacheControl] = "private, no-store"
        switch plan {
        case .measured(let archive):
            let sending = ArchiveSending(archive, source, desk: gallery.archives, limits: request.limits)
            headers[.eTag] = sending.entityTag.text
            headers[.acceptRanges] = "bytes"
            let answer = ByteAnswer(byteCount: sending.byteCount, entityTag: sending.entityTag, request)
            return try answer.response(headers) { [gallery] range, writer in
                try await sending.write(range, to: &writer)
                let end = gallery.archives.deliveries.note(
                    range, of: Deliveries.Key(holder: visitor.holder, archive: sending.entityTag))
                if end == sending.byteCount { await noteTaken(archive.photos, order) }
                withExtendedLifetime(place) {}
            }
        case .growing(let contents):
            let growing = ArchiveGrowing(contents: contents, source: source, limits: request.limits)
            headers[.acceptRanges] = "none"
            return Response(
                status: .ok, headers: headers,
                body: ResponseBody { writer in
                    let photos = try await growing.write(to: &writer)
                    await noteTaken(photos, order)
                    withExtendedLifetime(place) {}
                    try await writer.finish(nil)
                })
        }
    }

    /// Where it cannot be kept, the next archive has these once more.
    private func noteTaken(_ photos: [PhotoKey], _ order: ArchiveOrder) async {
        if let browser = order.browser { try? await gallery.archives.home.note(photos, for: browser) }
    }

    /// - Parameter report: The albums that the visitor sees.
    private func scope(_ request: WebRequest, _ report: AlbumsReport) throws -> ArchiveScope {
        guard request.isForAllAlbums else {
            let album = try gallery.album(request)
            guard let shown = report.albums.first(where: { $0.id == album.hex }) else { throw Problem.noAlbum }
            return ArchiveScope(album, name: shown.name)
        }
        let albums = report.albums.compactMap { album in
            AlbumID(hex: album.id).map { (id: $0, name: album.name) }
        }
        return ArchiveScope(albums, name: GridBook.allAlbumsName)
    }
}
