import AlbumModel
import Glibc
import NIOCore
import NIOPosix
import SyncEngine
import Synchronization
import Testing

@testable import PeerTransport

@Suite(.serialized, .timeLimit(.minutes(1)))
struct DialTests {
    /// Addresses that refuse, that never answer and that say nothing do not keep the right one from winning.
    @Test func deadAddressesDoNotHinder() async throws {
        let (silent, listener) = try await DeadEnd.silent()
        try await Site.run { site in
            try await Site.run { dialler in
                let addresses = [
                    try await DeadEnd.refusing(), silent,
                    // TEST-NET-1 (RFC 5737): either nobody answers or there is no way there.
                    PeerAddress(host: "192.0.2.1", port: 9), PeerAddress(host: "fe80::1%1", port: 9),
                    PeerAddress(host: "no such address", port: 9), site.address,
                ]
                let connection = try await dialler.transport.dial(addresses, expecting: nil)
                #expect(connection.device == site.identity.deviceID)
            }
        }
        try await listener.close()
    }

    /// Another member at an address that is out of date is not taken for the one that was meant.
    @Test func wrongDeviceIsPassedOver() async throws {
        try await Site.run { site in
            try await Site.run { other in
                try await Site.run { dialler in
                    let expected = DeviceExpectation.prefix(Array(site.identity.deviceID.bytes.prefix(8)))
                    await #expect(throws: DialError.wrongDevice(found: other.identity.deviceID)) {
                        _ = try await dialler.transport.dial([other.address], expecting: expected)
                    }
                    let connection = try await dialler.transport.dial(
                        [other.address, site.address], expecting: expected)
                    #expect(connection.device == site.identity.deviceID)
                }
            }
        }
    }

    /// Of two devices that dial each other the one with the greater ID waits, and giving it up ends its dial.
    @Test func theGreaterIDIsCourteous() async throws {
        var limits = TransportLimits()
        (limits.dialCourtesy, limits.dialTimeout, limits.admissionTimeout) = (
            .seconds(3600), .seconds(3600), .seconds(3600)
        )
        let identities = [DeviceIdentity(), DeviceIdentity()].sorted { $0.deviceID < $1.deviceID }
        try await Site.run(identity: identities[0], limits: limits) { smaller in
            try await Site.run(identity: identities[1], limits: limits) { greater in
                let waiting = Task {
                    try await greater.transport.dial([smaller.address], expecting: .device(smaller.identity.deviceID))
                }
                let connection = try await smaller.transport.dial(
                    [greater.address], expecting: .device(greater.identity.deviceID))
                #expect(connection.device == greater.identity.deviceID)
                waiting.cancel()
                await #expect(throws: DialError.self) { _ = try await waiting.value }
            }
        }
    }

    /// While one address leads somewhere the others are left alone, also where the dial waits out of courtesy.
    @Test func whoeverAnswersIsNotDialledTwice() async throws {
        let isReached = Atomic(false)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                isReached.store(true, ordering: .relaxed)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let other = PeerAddress(host: "127.0.0.1", port: UInt16(listener.localAddress!.port!))
        var limits = TransportLimits()
        // The first address is reached long before it is the second one's turn, and the dial goes on long after that.
        (limits.dialStagger, limits.dialCourtesy, limits.dialRestraint) = (.seconds(1), .seconds(2), .seconds(3600))
        (limits.dialTimeout, limits.admissionTimeout) = (.seconds(3600), .seconds(3600))
        let identities = [DeviceIdentity(), DeviceIdentity()].sorted { $0.deviceID < $1.deviceID }
        try await Site.run(identity: identities[0], limits: limits) { smaller in
            try await Site.run(identity: identities[1], limits: limits) { greater in
                let connection = try await greater.transport.dial(
                    [smaller.address, other], expecting: .device(smaller.identity.deviceID))
                #expect(connection.device == smaller.identity.deviceID)
            }
        }
        let wasReached = isReached.load(ordering: .relaxed)
        #expect(!wasReached)
        try await listener.close()
    }

    /// A connection over which nothing was said is reset, which takes one packet, not closed, which takes three.
    @Test func connectionNotNeededIsReset() async throws {
        let (observations, observation) = AsyncStream.makeStream(of: EndObserver.Observation.self)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EndObserver(observation))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = PeerAddress(host: "127.0.0.1", port: UInt16(listener.localAddress!.port!))
        var limits = TransportLimits()
        (limits.dialCourtesy, limits.dialTimeout) = (.seconds(3600), .seconds(3600))
        try await Site.run(limits: limits) { site in
            // No ID is smaller: the dial waits before TLS, out of courtesy.
            let dial = Task { try await site.transport.dial([address], expecting: .prefix([])) }
            var observations = observations.makeAsyncIterator()
            #expect(await observations.next() == .connected)
            dial.cancel()
            #expect(await observations.next() == .reset)
            await #expect(throws: DialError.self) { try await dial.value }
        }
        try await listener.close()
    }

    /// An address that turns out to be this device's own is recognised, with and without an expectation.
    @Test func ownAddressIsRecognised() async throws {
        try await Site.run { site in
            for expected in [nil, DeviceExpectation.device(DeviceIdentity().deviceID)] {
                await #expect(throws: DialError.isSelf) {
                    _ = try await site.transport.dial([site.address], expecting: expected)
                }
            }
        }
    }

    /// Another run with this device's key is told from this one: both sides learn of it, and refuse.
    @Test func copyIsTold() async throws {
        let (calls, call) = AsyncStream.makeStream(of: String.self)
        let identity = DeviceIdentity()
        try await Site.run(identity: identity, report: { if $0 == .copied { call.yield("acceptor") } }) { original in
            try await Site.run(identity: identity, report: { if $0 == .copied { call.yield("dialler") } }) { copy in
                await #expect(throws: DialError.isSelf) {
                    _ = try await copy.transport.dial([original.address], expecting: nil)
                }
                var told: Set<String> = []
                for await side in calls where told.insert(side).inserted && told.count == 2 { break }
                #expect(told == ["acceptor", "dialler"])
            }
        }
    }

    /// Where nobody listens the dial fails at once and says why.
    @Test func refusedConnectionIsTold() async throws {
        try await Site.run { site in
            let address = try await DeadEnd.refusing()
            await #expect(throws: DialError.unreachable(reason: "\(address): Connection refused")) {
                _ = try await site.transport.dial([address], expecting: nil)
            }
            await #expect(throws: DialError.unreachable(reason: "no address of it is known")) {
                _ = try await site.transport.dial([], expecting: nil)
            }
        }
    }

    /// Where somebody accepts and says nothing the dial ends in its time; a cancelled one ends before.
    @Test func silentAddressTimesOut() async throws {
        let (silent, listener) = try await DeadEnd.silent()
        var limits = TransportLimits()
        limits.dialTimeout = .milliseconds(300)
        try await Site.run(limits: limits) { site in
            await #expect(throws: DialError.timedOut) {
                _ = try await site.transport.dial([silent], expecting: nil)
            }
        }
        limits.dialTimeout = .seconds(3_600)
        limits.admissionTimeout = .seconds(3_600)
        try await Site.run(limits: limits) { site in
            let dial = Task { try await site.transport.dial([silent], expecting: nil) }
            dial.cancel()
            await #expect(throws: DialError.self) { try await dial.value }
        }
        try await listener.close()
    }

    /// Many at once: the cap on those not admitted yet does not trip over a handful of devices that start together.
    @Test func manyDialsAtOnceSucceed() async throws {
        try await Site.run { site in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<4 {
                    tasks.addTask {
                        try await Site.run { dialler in
                            _ = try await dialler.transport.dial([site.address], expecting: nil)
                        }
                    }
                }
                try await tasks.waitForAll()
            }
        }
    }

    /// One listener takes IPv4 and IPv6, and an IPv4 peer is seen by its IPv4 address.
    @Test func listenerTakesBothFamilies() async throws {
        try await Site.run { site in
            let port = try await site.transport.listen(port: 0)
            try await Site.run { dialler in
                let first = try await dialler.transport.dial(
                    [PeerAddress(host: "127.0.0.1", port: port)], expecting: nil)
                #expect(await site.nextInbound()?.remoteAddress == first.localAddress)
                let loopback = PeerAddress(host: "::1", port: port)
                // A machine without an IPv6 loopback shows the first half alone.
                guard await DeadEnd.answers(loopback) else { return }
                let second = try await dialler.transport.dial([loopback], expecting: nil)
                #expect(await site.nextInbound()?.remoteAddress == second.localAddress)
            }
        }
    }

    /// A port that is taken is told as such.
    @Test func takenPortIsTold() async throws {
        try await Site.run { site in
            await #expect(throws: ListenError.portTaken(site.port)) {
                _ = try await site.transport.listen(host: "127.0.0.1", port: site.port)
            }
            await #expect(throws: ListenError.badAddress("192.0.2.1")) {
                _ = try await site.transport.listen(host: "192.0.2.1", port: 0)
            }
            await #expect(throws: ListenError.badAddress("nonsense")) {
                _ = try await site.transport.listen(host: "nonsense", port: 0)
            }
        }
    }
}

/// Tells how the connection of a channel goes.
private final class EndObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    enum Observation: Sendable {
        case connected
        case reset
        case closed
    }

    private let observation: AsyncStream<Observation>.Continuation

    init(_ observation: AsyncStream<Observation>.Continuation) { self.observation = observation }

    func channelActive(context: ChannelHandlerContext) { observation.yield(.connected) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if (error as? IOError)?.errnoCode == ECONNRESET { observation.yield(.reset) }
    }

    func channelInactive(context: ChannelHandlerContext) { observation.yield(.closed) }
}
