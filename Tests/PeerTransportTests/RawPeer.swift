import AlbumModel
import Crypto
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import PeerTransport

/// A dialler of an earlier version that follows only the rules that a test wants it to follow.
final class RawPeer: Sendable {
    enum Security: Sendable {
        case plainTCP
        case withoutCertificate
        case certificate(DeviceIdentity)
    }

    let channel: any Channel
    private let chunks: AsyncStream<ByteBuffer>
    private let acceptorKey: AcceptorKey

    private init(channel: any Channel, chunks: AsyncStream<ByteBuffer>, acceptorKey: AcceptorKey) {
        self.channel = channel
        self.chunks = chunks
        self.acceptorKey = acceptorKey
    }

    /// - Parameter host: the own address; the kernel's choice if it is `nil`.
    static func connect(to site: Site, _ security: Security, from host: String? = nil) async throws -> RawPeer {
        let (chunks, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        let key = AcceptorKey()
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let host { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: host, port: 0)) }
        let channel =
            try await bootstrap
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls = try tlsHandler(security, key) {
                        try channel.pipeline.syncOperations.addHandler(tls)
                    }
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: Int(site.port)).get()
        return RawPeer(channel: channel, chunks: chunks, acceptorKey: key)
    }

    private static func tlsHandler(_ security: Security, _ acceptorKey: AcceptorKey) throws -> NIOSSLHandler? {
        var settings = TLSConfiguration.makeClientConfiguration()
        settings.trustRoots = .certificates([])
        settings.certificateVerification = .noHostnameVerification
        settings.applicationProtocols = [ProtocolVersion.earlier.rawValue]
        switch security {
        case .plainTCP: return nil
        case .withoutCertificate: break
        case .certificate(let identity):
            let certificate = try NIOSSLCertificate(bytes: identity.makeCertificate(), format: .der)
            settings.certificateChain = [.certificate(certificate)]
            settings.privateKey = .privateKey(
                try NIOSSLPrivateKey(bytes: Array(identity.key.derRepresentation), format: .der))
        }
        return try NIOSSLClientHandler(context: NIOSSLContext(configuration: settings), serverHostname: nil) {
            certificates, promise in
            acceptorKey.value.withLock { $0 = try? certificates.first?.extractPublicKey().toSPKIBytes() }
            promise.succeed(.certificateVerified)
        }
    }

    func send(_ bytes: [UInt8]) {
        // The other end may have closed by now, which is what the tests are about.
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// The next `byteCount` bytes, or fewer at the end.
    func read(_ byteCount: Int) async -> [UInt8] {
        var bytes: [UInt8] = []
        for await chunk in chunks {
            bytes += chunk.readableBytesView
            if bytes.count >= byteCount { break }
        }
        return bytes
    }

    /// Goes through admission by the rules.
    func admit(identity: DeviceIdentity, secrets: GatheringSecrets) async throws {
        let nonce = await read(FrameHeader.byteCount + 32).dropFirst(FrameHeader.byteCount)
        guard let key = acceptorKey.value.withLock({ $0 }) else { throw Unexpected() }
        var machine = EarlierAdmission(
            role: .dialler, secrets: secrets, ownKey: identity.publicKeyDER, peerKey: key, nonce: pattern(32))
        _ = machine.start()
        guard case .send(let proof) = machine.receive(Array(nonce)).first else { throw Unexpected() }
        send(frame(.admission, proof))
        let answer = await read(FrameHeader.byteCount + 32).dropFirst(FrameHeader.byteCount)
        guard machine.receive(Array(answer)) == [.admit(.link, provenUnder: nil)] else { throw Unexpected() }
    }

    /// Waits until the other end has closed.
    func untilClosed() async throws {
        try await channel.closeFuture.get()
    }

    private final class AcceptorKey: Sendable {
        let value = Mutex<[UInt8]?>(nil)
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let continuation: AsyncStream<ByteBuffer>.Continuation

        init(_ continuation: AsyncStream<ByteBuffer>.Continuation) {
            self.continuation = continuation
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            continuation.yield(Self.unwrapInboundIn(data))
        }

        func channelInactive(context: ChannelHandlerContext) {
            continuation.finish()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

/// A frame of this kind, however wrong.
func frame(_ kind: FrameKind, _ payload: [UInt8]) -> [UInt8] {
    BigEndian.bytes(UInt32(kind.rawValue) << 24 | UInt32(payload.count)) + payload
}
