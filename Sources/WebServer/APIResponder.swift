import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import PotluckAPI

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
}

/// Answers requests by the routes.
struct APIResponder: Sendable {
    private let router: RouterResponder<WebContext>
    private let logger: Logger

    init(
        _ routes: [Route], agent: any AgentAPI, feed: EventFeed, connections: Connections, ended: Latch, logger: Logger
    ) throws {
        self.logger = logger
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ErrorDocuments(routes: routes))
        let answering = RouteAnswering(agent: agent, feed: feed, connections: connections, ended: ended)
        for route in routes {
            // Learned here once: a type whose shape cannot be learned is a mistake of ours.
            let shape = try route.shape()
            for pattern in route.patterns {
                router.on(
                    RouterPath(APIPath.root + pattern.description), method: HTTPRequest.Method(route.method.rawValue)!
                ) { request, context in
                    try await answering.answer(request, route, pattern, shape, context)
                }
            }
        }
        self.router = router.buildResponder()
    }

    /// For one door.
    func responder(for door: Door) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            let source = WebContext.Source(logger: logger, door: door, channel: channel)
            var response = try await router.respond(to: request, context: WebContext(source: source))
            response.headers[.date] = HTTPDate.now()
            response.headers[.xContentTypeOptions] = "nosniff"
            if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
            try await writer.write(response: response.head, body: response.body)
        }
    }
}

/// Answers one request of a route.
private struct RouteAnswering: Sendable {
    let agent: any AgentAPI
    let feed: EventFeed
    let connections: Connections
    let ended: Latch

    func answer(
        _ request: Request, _ route: Route, _ pattern: PathPattern, _ shape: Shape, _ context: WebContext
    ) async throws -> Response {
        switch context.door.passage(request.head, to: route) {
        case .open: break
        case .foreignHost: throw WebFailure.foreignHost
        case .foreignOrigin: throw WebFailure.foreignOrigin
        case .unknown: throw WebFailure.unknownVisitor
        case .forbidden: throw WebFailure.forbidden
        }
        let limits = context.door.limits
        var parameters: [String: String] = [:]
        for name in pattern.parameters { parameters[name] = context.parameters.get(name) }
        let data = try route.request(
            path: parameters, query: request.uri.query ?? "", body: try await body(request, limits), shape: shape)
        switch route.answering {
        case .document(let answer): return .document(try await answer(data, agent), limits)
        case .progress(let answer):
            return .events(limits) { send in
                try await answer(data, agent) { step in send("progress", step) }
            }
        case .events: return .events(feed, after: request.headers[.lastEventID])
        case .description: return .document(try OpenAPI.document(), limits)
        case .down: return down(context.channel)
        }
    }

    private func body(_ request: Request, _ limits: WebLimits) async throws -> Data {
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        guard announced ?? 0 <= limits.bodyByteCountMax else { throw WebFailure.bodyTooLong }
        do {
            let bytes = try await request.body.collect(upTo: limits.bodyByteCountMax)
            guard bytes.readableBytes > 0 else { return Data() }
            // No form of a foreign page can send this type without asking first (Fetch standard, 3.3.2).
            let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased()
            guard type == "application/json" else { throw WebFailure.notJSON }
            return Data(bytes.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw WebFailure.bodyTooLong
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
    fileprivate static let lastEventID = HTTPField.Name("last-event-id")!
}
