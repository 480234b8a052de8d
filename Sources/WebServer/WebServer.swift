import Glibc
public import Logging
import NIOCore
import NIOPosix
public import PotluckAPI
public import ServiceLifecycle
import Synchronization

/// Serves the agent's API at its doors, and the gallery's pages where there is one.
///
/// Call ``serve(while:)`` once the home's lock is held. Whoever asked for the agent's end is answered when the body has
/// ended, so that `potluck down` returns when the agent is gone, not when it began to go.
public final class WebServer: Sendable {
    /// A door that accepts connections.
    private struct Opened: Sendable {
        let number: Int
        let door: Door
        let listener: NIOAsyncChannel<Accepted, Never>
    }

    private struct State {
        /// Listening channels by the numbers of their doors.
        var listeners: [Int: any Channel] = [:]
        var numbers: [DoorName: Int] = [:]
        var nextNumber = 0
    }

    private let doors: [Door]
    private let gallery: Gallery?
    private let responder: APIResponder
    private let feed: EventFeed
    private let connections = Connections()
    private let ended = Latch()
    private let state = Mutex(State())
    /// Doors that are open, on their way to the task that accepts; there are as many as ``DoorName`` has, and those of the
    /// beginning.
    private let opened: AsyncStream<Opened>
    private let opening: AsyncStream<Opened>.Continuation
    private let logger: Logger

    /// - Parameters:
    ///   - doors: Those that are open from the beginning to the end.
    ///   - gallery: `nil` for the API alone.
    public init(agent: any AgentAPI, doors: [Door], gallery: Gallery? = nil, logger: Logger) throws {
        self.doors = doors
        self.gallery = gallery
        self.logger = logger
        (opened, opening) = AsyncStream.makeStream()
        feed = EventFeed(agent: agent, limits: doors.first?.limits ?? WebLimits())
        let counts = AnswerCounts()
        let monitoring = MonitorRoutes(
            agent: agent, gallery: gallery, counts: counts, connections: connections,
            limits: doors.first?.limits ?? WebLimits())
        let others = (gallery?.routes(agent: agent, feed: feed) ?? []) + monitoring.all
        let answering = RouteAnswering(
            agent: agent, feed: feed, gallery: gallery, connections: connections, ended: ended,
            others: others.map(\.resource))
        responder = try APIResponder(
            AgentRoutes.all, others, answering: answering, pages: gallery?.pages, counts: counts, logger: logger)
    }

    /// Answers while the body runs; from the body's first line on, clients can connect.
    ///
    /// - Throws: ``PotluckError`` with `.badSetting` where a door cannot be opened; what the body throws.
    public func serve<Result: Sendable>(while body: () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup { group in
            // Each ends when it is told to; the latch says that the one that accepts has.
            let accepted = Latch()
            group.addTask {
                await self.acceptAll()
                accepted.open()
            }
            group.addTask { await self.feed.serve() }
            do {
                for door in doors { _ = try await open(door) }
                if let gallery { group.addTask { await gallery.serve(doors: self) } }
                let result = try await body()
                await end(accepted)
                await gallery?.close()
                group.cancelAll()
                return result
            } catch {
                await end(accepted)
                await gallery?.close()
                group.cancelAll()
                throw error
            }
        }
    }

    private func end(_ accepted: Latch) async {
        opening.finish()
        await drain()
        ended.open()
        // The last answers reach their clients.
        await accepted.wait()
    }

    /// Closes the doors and ends all answers but those that wait for the agent's end.
    private func drain() async {
        closeDoors()
        await connections.drain()
    }

    private func closeDoors() {
        let channels = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values.map { $0 }
        }
        guard !channels.isEmpty else { return }
        for channel in channels { channel.close(promise: nil) }
        for case .unixSocket(let path) in doors.map(\.place) { unlink(path) }
    }

    /// A service that closes the doors when the agent begins to end, before what they lead to goes.
    public var closing: any Service { Closing(server: self) }

    private struct Closing: Service {
        let server: WebServer

        func run() async throws {
            // Cancelled or told to end: it comes to the same.
            try? await gracefulShutdown()
            await server.drain()
        }
    }

    // MARK: Connections

    private enum Accepted: Sendable {
        case connection(WebChannel, WebChannel.Value)
        case refused
    }

    /// - Returns: The door's number.
    private func open(_ door: Door) async throws -> Int {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let listener = try await listen(door, number)
        state.withLock { $0.listeners[number] = listener.channel }
        opening.yield(Opened(number: number, door: door, listener: listener))
        return number
    }

    private func listen(_ door: Door, _ index: Int) async throws -> NIOAsyncChannel<Accepted, Never> {
        let web = WebChannel(limits: door.limits, responder: responder.responder(for: door))
        let (connections, logger) = (connections, logger)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptErrors(logger: logger))
                }
            }
            .serverChannelOption(.backlog, value: Int32(clamping: door.limits.connectionCountMax))
        let setUp: @Sendable (any Channel) -> EventLoopFuture<Accepted> = { channel in
            guard connections.admit(channel, door: index, limits: door.limits) else {
                guard connections.mayBeTold(channel, door: index, countMax: door.limits.connectionCountMax) else {
                    return channel.close().map { .refused }
                }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RefusingHandler(limits: door.limits))
                    return .refused
                }
            }
            return web.setup(channel: channel, logger: logger).map { .connection(web, $0) }
        }
        let listener: NIOAsyncChannel<Accepted, Never>
        switch door.place {
        case .unixSocket(let path):
            let socket = try UnixSocket.listen(path: path, waitingCountMax: door.limits.connectionCountMax)
            do {
                listener = try await bootstrap.bind(socket, childChannelInitializer: setUp)
            } catch {
                throw PotluckError(.failed, "The socket \(path) cannot be served: \(error).")
            }
        case .address(let host, let port):
            do {
                listener = try await bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .bind(host: host, port: port, childChannelInitializer: setUp)
            } catch {
                throw PotluckError(.badSetting, "Nobody can be served at \(host):\(port): \(error).")
            }
        }
        return listener
    }

    private func acceptAll() async {
        await withDiscardingTaskGroup { group in
            for await opened in opened { group.addTask { await self.accept(opened.listener, opened.door) } }
        }
    }

    private func accept(_ listener: NIOAsyncChannel<Accepted, Never>, _ door: Door) async {
        await withDiscardingTaskGroup { group in
            do {
                try await listener.executeThenClose { inbound in
                    for try await case .connection(let web, let value) in inbound {
                        group.addTask { await self.serve(web, value) }
                    }
                }
            } catch is CancellationError {
            } catch {
                logger.error("a door of the API has closed", metadata: ["error": "\(error)"])
            }
        }
    }

    private func serve(_ web: WebChannel, _ value: WebChannel.Value) async {
        guard connections.beginServing(value.channel) else { return value.channel.close(promise: nil) }
        await web.handle(value: value, logger: logger)
        connections.endServing(value.channel)
    }
}

extension WebServer: DoorOpening {
    func open(_ door: Door, as name: DoorName) async throws -> Int {
        await close(name)
        let number = try await open(door)
        let channel = state.withLock { state in
            state.numbers[name] = number
            return state.listeners[number]
        }
        guard let port = channel?.localAddress?.port else {
            throw PotluckError(.tryAgain, "The agent is stopping; try again when it runs.")
        }
        return port
    }

    func close(_ name: DoorName) async {
        let (number, listener) = state.withLock { state in
            let number = state.numbers.removeValue(forKey: name)
            return (number, number.flatMap { state.listeners.removeValue(forKey: $0) })
        }
        // A close that failed is a close.
        try? await listener?.close().get()
        if let number { connections.close(door: number) }
    }
}

/// A connection that could not be accepted, since the process has too many files open for instance, ends no door.
private final class AcceptErrors: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.warning("a connection to the API was not accepted", metadata: ["error": "\(error)"])
    }
}

/// Tells a client that there are too many, once it has begun to speak: an answer to nothing would be none (RFC 9112,
/// section 9.2). One that is silent is told soon all the same.
private final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limits: WebLimits
    private var deadline: Scheduled<Void>?
    private var isAnswered = false

    init(limits: WebLimits) {
        self.limits = limits
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.refusalPatience) { self.refuse(context) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { refuse(context) }

    func channelInactive(context: ChannelHandlerContext) { deadline?.cancel() }

    private func refuse(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        guard !isAnswered else { return }
        isAnswered = true
        let bytes = ByteBuffer(bytes: Refusal.tooMany.bytes)
        context.writeAndFlush(wrapOutboundOut(bytes)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
}
