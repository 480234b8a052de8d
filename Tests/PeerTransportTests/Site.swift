import AlbumModel
import Logging
import NIOCore
import NIOPosix
import SyncEngine
import Synchronization
import TestSupport
import Testing

@testable import PeerTransport

/// One device with its transport, listening on 127.0.0.1.
struct Site: Sendable {
    let identity: DeviceIdentity
    let transport: PeerTransport
    let port: UInt16

    var address: PeerAddress { PeerAddress(host: "127.0.0.1", port: port) }

    /// Starts a device, hands it to `body` and stops it whatever happens.
    @discardableResult
    static func run<Result>(
        gathering: UInt8 = 1, standing: AdmissionStanding? = nil, identity: DeviceIdentity = DeviceIdentity(),
        report: @escaping @Sendable (TransportReport) -> Void = { _ in }, limits: TransportLimits = TransportLimits(),
        _ body: (Site) async throws -> Result
    ) async throws -> Result {
        let transport = try PeerTransport(
            identity: identity, standing: standing ?? .test(gathering), knownDevices: { _ in false }, report: report,
            limits: limits, random: SplitMix(state: 1), eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            blockingPool: .singleton,
            logger: .quiet)
        do {
            let port = try await transport.listen(host: "127.0.0.1", port: 0)
            let result = try await body(Site(identity: identity, transport: transport, port: port))
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    /// Two devices of one gathering and both ends of a connection between them, the dialled one and the accepted one,
    /// which have greeted each other.
    @discardableResult
    static func connected<Result>(
        limits: TransportLimits = TransportLimits(), _ body: (PeerConnection, PeerConnection) async throws -> Result
    ) async throws -> Result {
        try await run(limits: limits) { acceptor in
            try await run(limits: limits) { dialler in
                let dialled = try await dialler.transport.dial([acceptor.address], expecting: nil)
                let accepted = try #require(await acceptor.nextInbound())
                // Whoever asks for the second message has judged the first, which is the greeting.
                for greeting in [1, 2] as [UInt8] {
                    dialled.send([greeting])
                    accepted.send([greeting])
                    try #require(try await accepted.nextMessage() == [greeting])
                    try #require(try await dialled.nextMessage() == [greeting])
                }
                return try await body(dialled, accepted)
            }
        }
    }

    func nextInbound() async -> PeerConnection? {
        var connections = transport.inbound.makeAsyncIterator()
        return await connections.next()
    }
}

extension GatheringSecrets {
    /// Secrets without the work of deriving them; one gathering a number.
    static func test(_ gathering: UInt8) -> GatheringSecrets {
        GatheringSecrets(bytes: [UInt8](repeating: gathering, count: 72))!
    }
}

extension AdmissionStanding {
    /// Of a gathering whose founding nobody knows.
    static func test(_ gathering: UInt8) -> AdmissionStanding {
        AdmissionStanding(
            keyring: Keyring(newest: .init(ruling: nil, secrets: .test(gathering))),
            roll: Roll(rulings: [:], proofs: [:], lineage: Lineage()))
    }
}

extension Logger {
    static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension PeerConnection {
    func nextEvent() async -> PeerEvent? {
        var events = events.makeAsyncIterator()
        return await events.next(isolation: nil)
    }

    func nextMessage() async throws -> [UInt8] {
        guard case .message(let bytes) = await nextEvent() else { throw Unexpected() }
        return bytes
    }

    func nextPiece() async throws -> (number: UInt32, bytes: [UInt8]) {
        guard case .piece(let number, let buffer) = await nextEvent() else { throw Unexpected() }
        return (number, buffer.withUnsafeBytes { Array($0) })
    }

    /// Takes and drops what comes until the connection has ended.
    func untilEnd() async {
        for await _ in events {}
    }
}

struct Unexpected: Error {}

/// Asks for a state that nothing announces until it is there; gives up after 30 s.
func eventually(_ condition: () async -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while await !condition() {
        guard ContinuousClock.now < deadline else { throw Unexpected() }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Bytes that differ from place to place, so that a shifted or repeated part is noticed.
func pattern(_ byteCount: Int, seed: UInt8 = 0) -> [UInt8] {
    // Word by word: tests are built without optimisation.
    let words = (0..<(byteCount + 7) / 8).map { (UInt64($0) + UInt64(seed) << 32) &* 0x9e37_79b9_7f4a_7c15 }
    return words.withUnsafeBytes { Array($0.prefix(byteCount)) }
}

/// An answer's bytes from memory.
final class MemorySource: PieceSource {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws -> Int {
        let part = bytes.dropFirst(Int(offset)).prefix(target.count)
        target.copyBytes(from: part)
        return part.count
    }
}

/// Port numbers at which nobody answers properly.
enum DeadEnd {
    /// Where connections are refused.
    static func refusing() async throws -> PeerAddress {
        let channel = try await listener()
        let port = UInt16(channel.localAddress!.port!)
        try await channel.close()
        return PeerAddress(host: "127.0.0.1", port: port)
    }

    /// Where connections are accepted and nothing is ever said; close the channel afterwards.
    static func silent() async throws -> (PeerAddress, any Channel) {
        let channel = try await listener()
        return (PeerAddress(host: "127.0.0.1", port: UInt16(channel.localAddress!.port!)), channel)
    }

    /// Whether a TCP connection to this address comes about.
    static func answers(_ address: PeerAddress) async -> Bool {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let channel = try? await bootstrap.connect(host: address.host, port: Int(address.port)).get()
        channel?.close(promise: nil)
        return channel != nil
    }

    private static func listener() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
    }
}
