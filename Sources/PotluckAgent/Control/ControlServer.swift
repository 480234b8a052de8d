import Glibc
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization

/// Serves a ``ControlHandler`` on a home's control socket.
///
/// Call ``listen()`` once the home's lock is held, and ``run()`` from then on. On graceful shutdown, streams and
/// requests that are under way are cancelled; connections that asked for the end stay open until this object goes, so
/// that `potluck down` returns when the agent is gone, not when it began to go.
public final class ControlServer: Service {
    private let path: String
    private let handler: any ControlHandler
    private let logger: Logger
    private let requests: AsyncStream<ControlConnection.Request>
    private let connections: ControlConnections
    private let listener = Mutex<(any Channel)?>(nil)

    /// - Parameter path: From ``ControlSocket/path(home:runtimeDirectory:)``.
    public init(path: String, handler: any ControlHandler, logger: Logger) {
        self.path = path
        self.handler = handler
        self.logger = logger
        // A connection has one request, so the buffer holds all that the connections can send.
        let (requests, continuation) = AsyncStream.makeStream(
            of: ControlConnection.Request.self, bufferingPolicy: .bufferingOldest(Int(ControlLimits.clientCountMax)))
        self.requests = requests
        connections = ControlConnections(requests: continuation)
    }

    deinit {
        connections.closeAll()
    }

    /// Makes the socket; from here on clients can connect, and ``run()`` answers them.
    public func listen() async throws(PotluckError) {
        let descriptor = try ControlSocket.listen(path: path)
        let connections = connections
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ControlConnection(connections, channel))
                }
            }
        do {
            let channel = try await bootstrap.withBoundSocket(descriptor).get()
            listener.withLock { $0 = channel }
        } catch {
            throw PotluckError(.failed, "The control socket \(path) cannot be served: \(error).")
        }
    }

    public func run() async throws {
        if listener.withLock({ $0 == nil }) { try await listen() }
        await withDiscardingTaskGroup { group in
            for await request in requests.cancelOnGracefulShutdown() {
                group.addTask { await self.serve(request) }
            }
            group.cancelAll()
        }
        if let channel = listener.withLock({ $0.take() }) {
            // It can only have been closed already.
            try? await channel.close().get()
            unlink(path)
        }
        connections.closeAllButEnding()
    }

    /// Answers one request and closes its connection; a client that goes away cancels its answer.
    private func serve(_ request: ControlConnection.Request) async {
        let channel = request.channel
        do {
            let command = try ReportJSON.value(ControlRequest.self, in: request.line)
            if command == .down { return await end(channel) }
            await withTaskGroup { group in
                // A close that failed is a close.
                group.addTask { try? await channel.closeFuture.get() }
                group.addTask {
                    await self.answer(command, on: channel)
                    channel.close(promise: nil)
                }
                await group.next()
                group.cancelAll()
            }
        } catch {
            logger.debug("control request not understood", metadata: ["error": "\(error)"])
            await ControlConnection.refuse(channel, .requestNotUnderstood)
        }
    }

    /// Leaves the connection open: its end tells the client that the agent has ended.
    private func end(_ channel: any Channel) async {
        connections.keepUntilTheEnd(channel)
        await handler.stop()
        await send(ControlReply(result: Done()), on: channel)
    }

    private func answer(_ request: ControlRequest, on channel: any Channel) async {
        do {
            if case .events = request {
                for await event in handler.events() { await send(ControlReply<Done>(event: event), on: channel) }
            } else {
                await send(try await result(of: request, on: channel), on: channel)
            }
        } catch {
            await send(ControlReply<Done>(error: PotluckError(describing: error)), on: channel)
        }
    }

    /// The line that answers a request; before it, `add` tells its progress.
    private func result(of request: ControlRequest, on channel: any Channel) async throws -> ByteBuffer {
        switch request {
        case .albums: try Self.line(await handler.albums())
        case .photos(let query): PhotosText.line(try await handler.photos(query), isBrief: query.isBrief)
        case .tags(let album): try Self.line(await handler.tags(album: album))
        case .cover(let album): try Self.line(await handler.cover(album: album))
        case .clocks(let album, let camera): try Self.line(await handler.clocks(album: album, camera: camera))
        case .peers: try Self.line(await handler.peers())
        case .status(let skipped, let all): try Self.line(await handler.status(skipped: skipped, all: all))
        case .invite: try Self.line(await handler.invite())
        case .add(let album, let files):
            try Self.line(
                await handler.add(album: album, files: files) { progress in
                    await self.send(ControlReply<Done>(progress: progress), on: channel)
                })
        case .edit(let edit): PhotosText.line(try await handler.edit(edit))
        case .setCover(let album, let photo): try Self.line(await handler.setCover(album: album, photo: photo))
        case .setClocks(let edit): try Self.line(await handler.setClocks(edit))
        case .packPlan(let device): try Self.line(await handler.packPlan(for: device))
        case .unpack(let directory):
            try Self.line(
                await handler.unpack(directory: directory) { progress in
                    await self.send(ControlReply<Done>(progress: progress), on: channel)
                })
        case .originals(let album): try Self.line(await handler.originals(album: album))
        case .setOriginals(let album, let policy): try Self.line(await handler.setOriginals(album: album, policy))
        case .fetch(let album, let photos): try Self.line(await handler.fetch(album: album, photos: photos))
        case .transfers(let edit): try Self.line(await handler.transfers(edit))
        case .leaveCheck(let others): try Self.line(await handler.leaveCheck(others: others))
        case .verify(let order):
            try Self.line(
                await handler.verify(order) { progress in
                    await self.send(ControlReply<Done>(verified: progress), on: channel)
                })
        case .trash(let album): try Self.line(await handler.trash(album: album))
        case .hidden(let album): try Self.line(await handler.hidden(album: album))
        case .remove(let order): try Self.line(await handler.remove(order))
        case .emptyTrash(let order): try Self.line(await handler.emptyTrash(order))
        case .decide(let decision): try Self.line(await handler.decide(decision))
        case .events, .down: preconditionFailure("they have no single answer")
        }
    }

    private static func line(_ result: some Codable) throws -> ByteBuffer {
        try ReportJSON.line(ControlReply(result: result))
    }

    private func send(_ reply: ControlReply<some Codable>, on channel: any Channel) async {
        do {
            await send(try ReportJSON.line(reply), on: channel)
        } catch {
            logger.error("control reply not encoded", metadata: ["error": "\(error)"])
        }
    }

    /// Returns when the kernel has the line, so that a slow reader slows its own answer and nothing piles up.
    private func send(_ line: ByteBuffer, on channel: any Channel) async {
        do {
            try await channel.writeAndFlush(line).get()
        } catch {
            // The client has gone: its closed connection cancels the answer.
            logger.trace("control reply not sent", metadata: ["error": "\(error)"])
        }
    }
}

extension PotluckError {
    /// Any error as a sentence.
    fileprivate init(describing error: any Error) {
        switch error {
        case let error as PotluckError: self = error
        case is CancellationError: self.init(.tryAgain, "The agent is stopping; try again when it runs.")
        default: self.init(.failed, "That failed: \(error).")
        }
    }

    static let requestNotUnderstood = PotluckError(
        .usage, "The agent does not understand this request. Stop it and start it again if Potluck has been updated.")
}
