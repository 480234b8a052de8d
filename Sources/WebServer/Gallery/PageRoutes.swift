import AlbumModel
import HTTPTypes
import Hummingbird
import NIOCore
import OutputFormats
import PotluckAPI
import WebGallery

/// The pages, whole without scripts, and the files that they are made of.
struct PageRoutes: Sendable {
    let gallery: Gallery
    let agent: any AgentAPI
    let grids: GridBook

    private var pages: PageMaker { gallery.pages }
    private var entrance: Entrance { gallery.entrance }

    var all: [WebRoute] {
        [start, album, photo].map { $0.counted(by: gallery.reads) }
            + [wall, join, joinByForm, open, owner, cards, probe, files, icon]
    }

    private func page(
        _ pattern: PathPattern, may right: Right, _ summary: String,
        _ make: @escaping @Sendable (WebRequest, PageSetting) async throws -> HTMLMarkup
    ) -> WebRoute {
        WebRoute(.page(.get, pattern, may: right, nil, summary)) { request in
            try await make(request, await pages.setting()).response(at: request.door)
        }
    }

    // MARK: Albums

    private var start: WebRoute {
        page("/", may: .see, "The albums.") { request, setting in
            guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
            let report = try await agent.asSeen(by: visitor).albums()
            // Covers come with the scripts where nobody has asked for them yet: the page does not wait for all photos.
            let summaries = try await grids.readySummaries(.albums(visitor.albums)) ?? [:]
            let albums = report.albums.map { album in
                let covers = AlbumID(hex: album.id).flatMap { summaries[$0] }?.covers ?? []
                let chosen = album.cover.flatMap { BlobID(hex: $0) }.map { [$0] } ?? []
                return AlbumsPage.Album(
                    id: album.id, name: album.name, photoCount: album.photos,
                    covers: chosen + covers.filter { !chosen.contains($0) })
            }
            return pages.renderer.albums(AlbumsPage(albums: albums), setting)
        }
    }

    private var album: WebRoute {
        page("/album/{album}", may: .see, "An album.") { request, setting in
            let view = try await grids.view(try gallery.scope(request), try request.filter())
            let number = try request.query("page").flatMap { Int($0) } ?? 1
            return pages.renderer.album(
                AlbumPage(of: view.index, album: view.album, number: number, query: request.search), setting)
        }
    }

    private var photo: WebRoute {
        page("/album/{album}/photo/{photo}", may: .see, "A photo.") { request, setting in
            guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
            let key = try await gallery.shownPhoto(request)
            let view = try await grids.view(try gallery.scope(request), try request.filter())
            let listed = try await grids.photos([key.blob], in: key.album, asking: agent.asSeen(by: visitor))
            guard let photo = listed.first, let entry = GridEntry(photo) else { throw Problem.noPhoto }
            let (newer, older) = Self.neighbours(of: key.blob, in: view.index)
            let comments = await gallery.host.comments(on: key).map { PhotoPage.Comment(by: $0.by, text: $0.text) }
            return pages.renderer.photo(
                PhotoPage(
                    album: view.album, photo: entry, name: photo.name, by: photo.by ?? "",
                    caption: photo.caption ?? "", comments: comments, newer: newer, older: older,
                    query: request.search), setting)
        }
    }

    private static func neighbours(of photo: BlobID, in index: GridIndex) -> (newer: BlobID?, older: BlobID?) {
        guard index.contains(photo) else { return (nil, nil) }
        var newer: BlobID?
        var isPassed = false
        for entry in index.photos {
            if isPassed { return (newer, entry.photo) }
            isPassed = entry.photo == photo
            if !isPassed { newer = entry.photo }
        }
        return (newer, nil)
    }

    private var wall: WebRoute {
        page("/wall", may: .see, "The wall.") { _, setting in
            pages.renderer.wall(link: try await gallery.linkReport()?.link ?? "", setting)
        }
    }

    // MARK: Coming in

    private var join: WebRoute {
        page("/g", may: .anyone, "The page at the door.") { request, setting in
            pages.renderer.join(JoinPage(session: Self.session(request)), setting)
        }
    }

    private static func session(_ request: WebRequest) -> JoinPage.Session {
        guard let visitor = request.visitor else { return .none }
        return visitor.guest == nil ? .owner : .guest
    }

    /// Without scripts the token comes in a field.
    private var joinByForm: WebRoute {
        WebRoute(.page(.post, "/g", may: .anyone, .carryingCredential, "Lets a guest in by a form.")) { request in
            if Self.session(request) == .guest { return Self.onward([:]) }
            let form = try await request.form(byteCountMax: SessionRoutes.bodyByteCountMax)
            let name = form["guest-name"] ?? ""
            do {
                let arrival = try await entrance.join(
                    token: Self.token(form["token"] ?? ""), name: name, from: request.address)
                gallery.tell(.guests)
                return Self.onward([.setCookie: entrance.cookie.setting(arrival.bearer)])
            } catch let problem as Problem {
                let page = JoinPage(name: name, message: problem.message)
                var headers: HTTPFields = [:]
                if let seconds = problem.retryAfter { headers[.retryAfter] = String(seconds) }
                return pages.renderer.join(page, await pages.setting()).response(
                    problem.status, at: request.door, headers: headers)
            }
        }
    }

    private static func onward(_ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.location] = "/"
        return Response(status: .seeOther, headers: headers)
    }

    /// What a person typed: the token, or the whole link with it.
    private static func token(_ typed: String) -> String {
        let fragment = typed.split(separator: "#", omittingEmptySubsequences: false).last ?? ""
        let trimmed = fragment.filter { !$0.isWhitespace }
        return trimmed.hasPrefix("me=") ? String(trimmed.dropFirst(3)) : trimmed
    }

    private var open: WebRoute {
        page("/open", may: .anyone, "Takes the owner's one-time code.") { _, setting in
            pages.renderer.open(setting)
        }
    }

    // MARK: The owner's

    private var owner: WebRoute {
        page("/owner", may: .watch, "The owner's page.") { _, setting in pages.renderer.owner(setting) }
    }

    private var cards: WebRoute {
        page("/cards", may: .watch, "Cards to print.") { _, setting in
            pages.renderer.cards(link: try await gallery.linkReport()?.link ?? "", setting)
        }
    }

    // MARK: Parts

    private var probe: WebRoute {
        WebRoute(.page(.get, "/probe", may: .see, nil, "Looks for other laptops.")) { request in
            let origins = await gallery.host.laptops().flatMap(\.origins)
            return pages.renderer.probe(await pages.setting()).response(
                at: request.door, fields: PageHeaders.probe(origins: origins))
        }
    }

    private var files: WebRoute {
        WebRoute(.page(.get, "/static/**", may: .anyone, nil, "Modules, styles and icons.")) { request in
            try file(request.request.uri.path, request)
        }
    }

    private var icon: WebRoute {
        WebRoute(.page(.get, "/favicon.ico", may: .anyone, nil, "The icon.")) { request in
            try file(pages.files.prefix + "potluck.svg", request)
        }
    }

    private func file(_ path: String, _ request: WebRequest) throws -> Response {
        guard let answer = pages.files.answer(to: path) else {
            throw Problem(.notFound, "not_found", "There is no such file.")
        }
        let headers = answer.headers
        let condition = ConditionalRequest(ifNoneMatch: request.header(.ifNoneMatch))
        guard condition.decision(isReading: true, entityTag: answer.file.entityTag) == .perform else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: answer.file.bytes)))
    }
}

extension WebRequest {
    /// The search as its address has it, without the page.
    fileprivate var search: String {
        (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("page=") }.joined(separator: "&")
    }
}
