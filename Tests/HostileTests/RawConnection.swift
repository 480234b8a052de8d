import Crypto
import NIOCore
import NIOPosix
import NIOSSL
import PeerTransport
import Synchronization
import TestSupport

/// What a client shows of itself in TLS.
struct Credentials: Sendable {
    let identity: DeviceIdentity
    fileprivate let context: NIOSSLContext

    init(_ identity: DeviceIdentity = DeviceIdentity()) throws {
        self.identity = identity
        let key = try P256.Signing.PrivateKey(rawRepresentation: identity.rawPrivateKey)
        var settings = TLSConfiguration.makeClientConfiguration()
        settings.trustRoots = .certificates([])
        settings.certificateVerification = .noHostnameVerification
        settings.minimumTLSVersion = .tlsv13
        settings.applicationProtocols = ["potluck/1"]
        let certificate = try NIOSSLCertificate(bytes: identity.makeCertificate(), format: .der)
        settings.certificateChain = [.certificate(certificate)]
        settings.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))
        context = try NIOSSLContext(configuration: settings)
    }
}

/// A connection to an agent over which any bytes can be sent.
final class RawConnection: Sendable {
    struct Frame: Sendable {
        var kind: UInt8
        var payload: [UInt8]
    }

    /// Whole frames, as they come. For one consumer at a time.
    let frames: AsyncStream<Frame>
    private let channel: any Channel
    private let seen: Seen

    private init(channel: any Channel, frames: AsyncStream<Frame>, seen: Seen) {
        self.channel = channel
        self.frames = frames
        self.seen = seen
    }

    /// - Parameters:
    ///   - source: the address that the agent sees.
    ///   - credentials: `nil` for TCP alone.
    static func open(
        to laptop: Laptop, from source: String = "127.0.0.1", as credentials: Credentials?
    ) async throws -> RawConnection {
        let (frames, continuation) = AsyncStream.makeStream(of: Frame.self)
        let seen = Seen()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(5))
            .channelOption(.socketOption(.so_rcvbuf), value: 128 << 10)
            .bind(to: SocketAddress(ipAddress: source, port: 0))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let credentials { try pipeline.addHandler(tlsHandler(credentials, seen)) }
                    try pipeline.addHandler(FrameCollector(continuation, seen))
                }
            }
            .connect(to: SocketAddress(ipAddress: laptop.host, port: Int(laptop.port))).get()
        return RawConnection(channel: channel, frames: frames, seen: seen)
    }

    private static func tlsHandler(_ credentials: Credentials, _ seen: Seen) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: credentials.context, serverHostname: nil) { certificates, promise in
            seen.agentKey.withLock { $0 = try? certificates.first?.extractPublicKey().toSPKIBytes() }
            promise.succeed(.certificateVerified)
        }
    }

    // MARK: Admission

    /// Proves that it knows the phrase, or with other secrets that it does not.
    ///
    /// - Throws: where the agent does not want this connection.
    func admit(_ credentials: Credentials, _ secrets: GatheringSecrets = Reunion.secrets) async throws {
        try await orClose(after: .seconds(20)) { try await proveMembership(credentials, secrets) }
    }

    private func proveMembership(_ credentials: Credentials, _ secrets: GatheringSecrets) async throws {
        let nonce = try await nextFrame().payload
        guard let agentKey = seen.agentKey.withLock({ $0 }) else { throw TestFailure("the agent showed no key") }
        let ownNonce = randomBytes(32)
        let covered =
            Array("potluck admit 1".utf8) + Array("dialler".utf8) + credentials.identity.publicKeyDER + agentKey
            + ownNonce + nonce
        let proof = HMAC<SHA256>.authenticationCode(for: covered, using: SymmetricKey(data: secrets.admission))
        send(Self.frame(0, ownNonce + Array(proof)))
        _ = try await nextFrame()
    }

    private func nextFrame() async throws -> Frame {
        for await frame in frames { return frame }
        throw TestFailure("the agent has closed the connection")
    }

    // MARK: Bytes

    var isOpen: Bool { channel.isActive }
    /// Bytes of frames that came, without TLS.
    var receivedByteCount: Int { seen.byteCount.load(ordering: .relaxed) }

    /// Does not wait; what cannot be sent is lost, which the agent may have meant.
    func send(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    /// Waits until the kernel has taken all of it; an agent that does not read for a minute is left.
    func write(_ bytes: [UInt8]) async throws {
        try await orClose(after: .seconds(60)) { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }
    }

    func close() { channel.close(promise: nil) }

    /// Closes where `body` takes too long, so that what it waits for fails.
    func orClose<Value>(after limit: Duration, _ body: () async throws -> Value) async rethrows -> Value {
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { [channel] in channel.close(promise: nil) }
        defer { timer.cancel() }
        return try await body()
    }

    /// Waits until the agent has closed.
    func expectClosed(_ whose: String) async throws {
        try await eventually("the connection of \(whose) is closed") { .when(!isOpen, "it is open") }
    }

    /// Reads on by itself, or only what ``readMore()`` asks for.
    func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
    }

    /// Takes about one TLS record, 16 KiB at most.
    func readMore() { channel.read() }

    /// A frame of this kind, however wrong.
    static func frame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [kind, UInt8(truncatingIfNeeded: payload.count >> 16), UInt8(truncatingIfNeeded: payload.count >> 8)]
            + [UInt8(truncatingIfNeeded: payload.count)] + payload
    }

    /// The frames of one message.
    static func frames(ofMessage bytes: [UInt8]) -> [UInt8] {
        let partByteCountMax = TransportLimits.frameByteCountMax - 4
        var frames: [UInt8] = []
        frames.reserveCapacity(bytes.count + bytes.count / 8192 + 8)
        var start = 0
        repeat {
            let end = min(start + partByteCountMax, bytes.count)
            frames += frame(end == bytes.count ? 2 : 1, Array(bytes[start..<end]))
            start = end
        } while start < bytes.count
        return frames
    }

    // MARK: Handlers

    /// What the event loop leaves for others.
    private final class Seen: Sendable {
        let agentKey = Mutex<[UInt8]?>(nil)
        let byteCount = Atomic(0)
    }

    private final class FrameCollector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let continuation: AsyncStream<Frame>.Continuation
        private let seen: Seen
        private var received = ByteBuffer()

        init(_ continuation: AsyncStream<Frame>.Continuation, _ seen: Seen) {
            self.continuation = continuation
            self.seen = seen
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var buffer = Self.unwrapInboundIn(data)
            seen.byteCount.add(buffer.readableBytes, ordering: .relaxed)
            received.writeBuffer(&buffer)
            while let head = received.getInteger(at: received.readerIndex, as: UInt32.self) {
                let byteCount = Int(head & 0xFF_FFFF)
                guard received.readableBytes >= 4 + byteCount else { break }
                received.moveReaderIndex(forwardBy: 4)
                continuation.yield(Frame(kind: UInt8(head >> 24), payload: received.readBytes(length: byteCount)!))
            }
            received.discardReadBytes()
        }

        func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

/// Bytes that nobody knows before.
func randomBytes(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
}
