import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import PotluckAPI
import WebGallery

/// What a request brings along besides itself.
struct WebContext: RequestContext {
    struct Source: RequestContextSource {
        let logger: Logger
        let door: Door
        let channel: any Channel
    }

    var coreContext: CoreRequestContextStorage
    let door: Door
    let channel: any Channel

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        door = source.door
        channel = source.channel
    }

    /// Lets a request in, or throws why not.
    ///
    /// - Parameter names: Of the path's parameters.
    fileprivate func admit(
        _ request: Request, needing right: Right, effect: Resource.Effect, parameters names: [String]
    ) throws -> WebRequest {
        let local = channel.localAddress
        switch door.passage(request.head, local: local, needing: right, effect: effect) {
        case .open(let visitor):
            return WebRequest(
                request, door: door, authority: local?.authority ?? "", visitor: visitor, channel: channel,
                parameters: names.reduce(into: [:]) { $0[$1] = parameters.get($1) })
        case .foreignHost: throw WebFailure.foreignHost
        case .foreignOrigin: throw WebFailure.foreignOrigin
        case .unknown: throw WebFailure.unknownVisitor
        case .forbidden: throw WebFailure.forbidden
        }
    }
}

/// Answers requests by the routes.
struct APIResponder: Sendable {
    private let router: RouterResponder<WebContext>
    private let counts: AnswerCounts
    private let logger: Logger

    /// - Parameters:
    ///   - others: What is answered in ways of its own.
    ///   - pages: For failures on pages; `nil` where there are none.
    ///   - counts: Takes note of every answer.
    init(
        _ routes: [Route], _ others: [WebRoute], answering: RouteAnswering, pages: PageMaker?, counts: AnswerCounts,
        logger: Logger
    ) throws {
        self.counts = counts
        self.logger = logger
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        let resources = others.map(\.resource)
        router.add(middleware: ErrorDocuments(routes: routes, others: resources, pages: pages))
        for route in routes {
            // Learned here once: a type whose shape cannot be learned is a mistake of ours.
            let shape = try route.shape()
            // A resource that answers more takes the route's place.
            for pattern in route.patterns where !resources.contains(where: { $0.stands(for: route, pattern) }) {
                router.on(
                    RouterPath(APIPath.root + pattern.description), method: HTTPRequest.Method(route.method.rawValue)!
                ) { request, context in
                    guard context.door.has(.api) else { throw HTTPError(.notFound) }
                    let request = try context.admit(
                        request, needing: route.right, effect: route.method == .get ? .reading : .changing,
                        parameters: pattern.parameters)
                    return try await answering.answer(request, route, shape)
                }
            }
        }
        for route in others {
            let resource = route.resource
            router.on(RouterPath(resource.path), method: HTTPRequest.Method(resource.method.rawValue)!) {
                request, context in
                guard context.door.has(resource.kind) else { throw HTTPError(.notFound) }
                return try await route.answer(
                    try context.admit(
                        request, needing: resource.right, effect: resource.effect,
                        parameters: resource.pattern.parameters))
            }
        }
        self.router = router.buildResponder()
    }

    /// For one door.
    func responder(for door: Door) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            let source = WebContext.Source(logger: logger, door: door, channel: channel)
            var response = try await router.respond(to: request, context: WebContext(source: source))
            counts.note(response.status)
            response.headers[.date] = HTTPTimestamp(secondsSince1970: Int64(time(nil))).text
            response.headers[.xContentTypeOptions] = "nosniff"
            if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
            // Errors have bodies wherever they come from, and an answer to HEAD has none (RFC 9110, section 9.3.2).
            if request.method == .head { response = response.createHeadResponse() }
            // A browser runs nothing of an answer, even one that is opened by itself.
            if door.hasPages, response.headers[.contentSecurityPolicy] == nil {
                response.headers.set(PageHeaders.content)
            }
            try await writer.write(response: response.head, body: response.body)
        }
    }
}

/// Answers one request of a route.
struct RouteAnswering: Sendable {
    let agent: any AgentAPI
    let feed: EventFeed
    let gallery: Gallery?
    let connections: Connections
    let ended: Latch
    /// What the description tells of besides the routes.
    let others: [Resource]

    func answer(_ request: WebRequest, _ route: Route, _ shape: Shape) async throws -> Response {
        let data = try route.request(
            path: request.parameters, query: request.request.uri.query ?? "",
            body: try await request.body(ofType: "application/json"), shape: shape)
        let visitor = request.visitor ?? Visitor(rights: [])
        let seen = agent.asSeen(by: visitor)
        switch route.answering {
        case .document(let answer):
            if route.method == .get { try gallery?.reads.take(request.read, by: visitor.guest) }
            guard route.mayRestartAgent else { return .document(try await answer(data, seen), request.limits) }
            connections.keep(request.channel)
            var response = Response.document(try await answer(data, seen), request.limits)
            response.headers[.connection] = "close"
            return response
        case .progress(let answer):
            return .events(request.limits) { send in
                try await answer(data, seen) { step in send("progress", step) }
            }
        case .events: return try await events(request, visitor)
        case .description: return .document(try OpenAPI.document(resources: others), request.limits)
        case .down: return down(request.channel)
        }
    }

    /// A guest's page gets a ticket first, by which it goes on at another laptop.
    private func events(_ request: WebRequest, _ visitor: Visitor) async throws -> Response {
        let place = request.header(.lastEventID)
        guard let entrance = gallery?.entrance, visitor.session != nil else {
            return .events(feed, after: place, for: visitor)
        }
        let ticket = try await entrance.ticket(of: visitor)
        let head = try ticket.map { ServerSentEvent(name: "ticket", data: try ReportJSON.text(["ticket": $0])) }
        return .events(feed, after: place, for: visitor, head: head.map { [$0] } ?? []) {
            entrance.current(visitor) != nil
        }
    }

    /// The end of the answer tells the client that the agent has ended.
    private func down(_ channel: any Channel) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .connection: "close"],
            body: ResponseBody { writer in
                connections.keep(channel)
                await agent.stop()
                try await writer.write(ByteBuffer(string: "{}"))
                await ended.wait()
                try await writer.finish(nil)
            })
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("last-event-id")!
}

extension Resource {
    fileprivate func stands(for route: Route, _ pattern: PathPattern) -> Bool {
        isOfAPI && method.rawValue == route.method.rawValue && self.pattern == pattern
    }
}
