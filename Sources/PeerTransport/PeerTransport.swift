public import AlbumModel
public import Logging
public import NIOCore
public import NIOPosix
public import SyncEngine
import Glibc
import Synchronization

/// Connects this device with the other members of its gathering: TLS 1.3 over TCP, admission, frames.
///
/// Usable from any thread; nothing blocks. ``shutdown()`` must be called before the event loops stop.
public final class PeerTransport: Sendable {
    /// Connections that others dialled, admitted only. For one consumer; while more than
    /// ``TransportLimits/untakenConnectionCountMax`` wait, further ones are closed. Ends with ``shutdown()``.
    public let inbound: AsyncStream<PeerConnection>

    let core: TransportCore
    private let group: any EventLoopGroup
    private let continuation: AsyncStream<PeerConnection>.Continuation
    private let listeners = Mutex<[any Channel]>([])

    /// - Parameters:
    ///   - knownDevices: whether a device was admitted before, so that its proofs do not wait when others from its
    ///     address were wrong; called on an event loop, must not block.
    ///   - knownAddresses: where devices that were admitted before were reached: connections from there do not share
    ///     their places with strangers'.
    ///   - standing: by which whoever comes is judged, until ``update(_:)``.
    ///   - report: called, on an event loop; must not block.
    ///   - random: picks who makes room for whom.
    ///   - blockingPool: reads what is served; started, and stopped after ``shutdown()``.
    /// - Throws: when TLS cannot be set up, which no valid identity causes.
    public init(
        identity: DeviceIdentity, standing: AdmissionStanding,
        knownDevices: @escaping @Sendable (DeviceID) -> Bool, knownAddresses: [PeerAddress] = [],
        report: @escaping @Sendable (TransportReport) -> Void = { _ in }, limits: TransportLimits = TransportLimits(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        eventLoopGroup: any EventLoopGroup, blockingPool: NIOThreadPool, logger: Logger
    ) throws {
        core = try TransportCore(
            identity: identity, standing: standing, knownDevices: knownDevices, knownAddresses: knownAddresses,
            report: report, limits: limits, random: random, blockingPool: blockingPool, logger: logger)
        group = eventLoopGroup
        (inbound, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(limits.untakenConnectionCountMax))
    }

    /// Judges whoever comes from now on by this; connections that are there stay.
    public func update(_ standing: AdmissionStanding) { core.standing = standing }

    // MARK: - Listening

    /// Accepts connections at a numeric address, or at all of this laptop's IPv4 and IPv6 addresses if `host` is empty.
    ///
    /// - Returns: the port; one that was free if `port` is 0.
    public func listen(host: String = "", port: UInt16) async throws(ListenError) -> UInt16 {
        guard host.isEmpty else { return try await listen(at: host, port: port) }
        do {
            // One socket for both families; NIO clears IPV6_V6ONLY.
            return try await listen(at: "::", port: port)
        } catch .badAddress {
            // A kernel without IPv6.
            return try await listen(at: "0.0.0.0", port: port)
        }
    }

    private func listen(at host: String, port: UInt16) async throws(ListenError) -> UInt16 {
        let channel: any Channel
        do {
            let address = try SocketAddress(ipAddress: host, port: Int(port))
            channel = try await makeListener().bind(to: address).get()
        } catch let error as IOError {
            switch error.errnoCode {
            case EADDRINUSE: throw .portTaken(port)
            case EADDRNOTAVAIL, EAFNOSUPPORT: throw .badAddress(host)
            default: throw .failed(String(cString: strerror(error.errnoCode)))
            }
        } catch is SocketAddressError {
            throw .badAddress(host)
        } catch {
            throw .failed("\(error)")
        }
        listeners.withLock { $0.append(channel) }
        return UInt16(channel.localAddress?.port ?? Int(port))
    }

    private func makeListener() -> ServerBootstrap {
        let (core, continuation) = (core, continuation)
        var bootstrap = ServerBootstrap(group: group)
            // A crowd that comes at one moment is looked at; the kernel would have a member try again after a second.
            .serverChannelOption(ChannelOptions.backlog, value: 1_024)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Without descriptors accepting fails at once: wait a second instead of trying again and again.
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(ChannelOptions.maxMessagesPerRead, value: 1)
            .childChannelOption(ChannelOptions.recvAllocator, value: SocketSettings.receiveAllocator(core.limits))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try Self.accept(channel, core: core, continuation) }
            }
        for (option, value) in SocketSettings.options(core.limits) {
            bootstrap = bootstrap.childChannelOption(option, value: value)
        }
        return bootstrap
    }

    /// On the accepted channel's event loop. An error closes the channel.
    private static func accept(
        _ channel: any Channel, core: TransportCore, _ continuation: AsyncStream<PeerConnection>.Continuation
    ) throws {
        guard let place = core.takePlace(channel) else { throw TooManyUnadmitted() }
        try core.adopt(channel)
        core.admit(channel, role: .acceptor, place: place, isExpected: { _ in nil }).whenComplete { result in
            switch result {
            case .success(let connection):
                if case .enqueued = continuation.yield(connection) { return }
                connection.close("nobody takes new connections")
            case .failure(let error):
                let summary = (error as? AdmissionFailure)?.summary ?? "closed"
                core.logger.debug("connection not admitted", metadata: ["reason": "\(summary)"])
            }
        }
    }

    private struct TooManyUnadmitted: Error {}

    // MARK: - Dialling

    /// Connects to a device at any of its addresses, in order of preference: they are tried side by side, each a little
    /// after the one before, and the first that admits wins. Takes ``TransportLimits/dialTimeout`` at most; cancelling
    /// the task ends it at once with ``DialError/timedOut``.
    ///
    /// Addresses beyond the first ``TransportLimits/dialAddressCountMax`` different ones are ignored.
    public func dial(
        _ addresses: [PeerAddress], expecting expectation: DeviceExpectation?
    ) async throws(DialError) -> PeerConnection {
        var seen: Set<PeerAddress> = []
        let different = addresses.filter { seen.insert($0).inserted }
        let race = DialRace(
            core: core, group: group, addresses: Array(different.prefix(core.limits.dialAddressCountMax)),
            expectation: expectation)
        return try await race.run()
    }

    /// Bounds what all connections together send of photos and thumbnails, in bytes a second, from now on; `nil` for no
    /// limit, as at the start. Not 0. Messages are not bounded.
    public func limitUploads(_ byteRate: UInt64?) { core.uploads.set(byteRate) }

    /// What all connections carried until now.
    public var traffic: Traffic { core.traffic.traffic }

    // MARK: - The end

    /// Stops listening, closes all connections and ends ``inbound``. Takes ``TransportLimits/closeTimeout`` and a little
    /// at most.
    public func shutdown() async {
        for listener in listeners.withLock({ listeners in
            defer { listeners.removeAll() }
            return listeners
        }) {
            // It fails only if the listener is closed already.
            try? await listener.close()
        }
        await core.shutdown()
        continuation.finish()
    }
}

/// What a transport finds out about others that no connection comes of.
public enum TransportReport: Hashable, Sendable {
    /// Another agent has this device's key: its home is a copy of this one's, or the reverse.
    case copied
    /// A member runs a version that knows the first phrase alone, which holds no longer.
    case earlierVersion(DeviceID)
    /// A device that knows a phrase of the gathering was turned away: it was put out, or came by a phrase that holds no longer.
    case outsider(DeviceID)
}
