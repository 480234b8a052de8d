import Glibc
import NIOCore
import NIOPosix
import PotluckAPI
import Synchronization

/// Stands between a client and a socket, and breaks connections when it is told to.
final class CuttingProxy: Sendable {
    let path: String
    private let target: String
    private let open = Mutex<[any Channel]>([])

    init(to target: String) {
        self.target = target
        path = target + ".cut"
    }

    /// Breaks all connections that there are.
    func cut() {
        let channels = open.withLock { open in
            defer { open = [] }
            return open
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Serves while the body runs.
    func serve<Result: Sendable>(while body: () async throws -> Result) async throws -> Result {
        let group = MultiThreadedEventLoopGroup.singleton
        let target = target
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { near in
                self.open.withLock { $0.append(near) }
                return ClientBootstrap(group: near.eventLoop)
                    .channelInitializer { far in
                        far.eventLoop.makeCompletedFuture {
                            try far.pipeline.syncOperations.addHandler(Forwarder(to: near))
                        }
                    }
                    .connect(unixDomainSocketPath: target)
                    .flatMapThrowing { far in
                        try near.pipeline.syncOperations.addHandler(Forwarder(to: far))
                    }
            }
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        let result: Result
        do {
            result = try await body()
        } catch {
            try await listener.close()
            throw error
        }
        try await listener.close()
        return result
    }

    private final class Forwarder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel

        init(to other: any Channel) { self.other = other }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            other.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    }
}
