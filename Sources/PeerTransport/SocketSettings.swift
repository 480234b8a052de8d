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

    /// Has the answers to what comes carry its acknowledgement. Linux acknowledges the first packets of a connection one
    /// by one, which would be most of those of a short conversation; it goes on so wherever an answer takes long.
    ///
    /// On the channel's event loop, once it is connected.
    static func acknowledgeWithAnswers(_ channel: any Channel) {
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_QUICKACK))
        // A kernel that refuses sends some more packets.
        try? channel.syncOptions?.setOption(option, value: 0)
    }

    /// What is in the socket is not sent any more once it is closed. On the channel's event loop.
    static func forgetUnsent(_ channel: any Channel) {
        // A kernel that refuses sends it again and again for a while.
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }

    static func receiveAllocator(_ limits: TransportLimits) -> AdaptiveRecvByteBufferAllocator {
        // Small until the peer sends much: a connection that is not admitted costs little.
        AdaptiveRecvByteBufferAllocator(
            minimum: 4 << 10, initial: 16 << 10, maximum: limits.receiveByteCountMax)
    }
}
