import Glibc
import NIOCore

/// The socket options of both ends.
enum SocketSettings {
    /// The kernel reports a dead peer of an idle connection after 10 + 3 × 5 s.
    private static let keepAlive: [(Int32, Int)] = [(TCP_KEEPIDLE, 10), (TCP_KEEPINTVL, 5), (TCP_KEEPCNT, 3)]

    static func options(_ limits: TransportLimits) -> [(ChannelOptions.Types.SocketOption, Int)] {
        func tcp(_ name: Int32) -> ChannelOptions.Types.SocketOption {
            ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: name))
        }
        return [
            (tcp(TCP_NODELAY), 1),
            (tcp(TCP_NOTSENT_LOWAT), limits.unsentByteCount),
            (ChannelOptions.Types.SocketOption(level: .socket, name: .so_keepalive), 1),
        ] + keepAlive.map { (tcp($0), $1) }
    }

    static func receiveAllocator(_ limits: TransportLimits) -> AdaptiveRecvByteBufferAllocator {
        // Small until the peer sends much: a connection that is not admitted costs little.
        AdaptiveRecvByteBufferAllocator(
            minimum: 4 << 10, initial: 16 << 10, maximum: limits.receiveByteCountMax)
    }
}
