import AlbumModel
import NIOCore
import TestSupport
import Testing

@testable import PeerTransport

/// An admitted peer is a member, and costs little until it has said what it wants.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct GreetingTests {
    private func admitted(
        to site: Site, as identity: DeviceIdentity = DeviceIdentity(), from host: String? = nil
    ) async throws -> RawPeer {
        let raw = try await RawPeer.connect(to: site, .certificate(identity), from: host)
        try await raw.admit(identity: identity, secrets: .test(1))
        return raw
    }

    /// Who is admitted and says nothing whole is closed in time, however many bytes trickle in.
    @Test func silenceAfterAdmissionEndsInTime() async throws {
        var limits = TransportLimits()
        limits.greetingTimeout = .milliseconds(300)
        try await Site.run(limits: limits) { site in
            let raw = try await admitted(to: site)
            let connection = try #require(await site.nextInbound())
            for _ in 0..<100 { raw.send(frame(.messagePart, [1])) }
            try await raw.untilClosed()
            await connection.untilEnd()
            #expect(connection.closeReason == "no message in time")
        }
    }

    /// A greeting is in time with its last byte, and no deadline follows.
    @Test func greetedConnectionStays() async throws {
        var limits = TransportLimits()
        // The greeting itself has to come within it, on a busy machine too.
        limits.greetingTimeout = .seconds(3)
        try await Site.run(limits: limits) { site in
            let raw = try await admitted(to: site)
            let connection = try #require(await site.nextInbound())
            raw.send(frame(.messageEnd, [1]))
            #expect(try await connection.nextMessage() == [1])
            let silent = try await admitted(to: site)
            try await silent.untilClosed()
            raw.send(frame(.messageEnd, [2]))
            #expect(try await connection.nextMessage() == [2])
        }
    }

    /// A first message that grows long ends the connection with its 4,097th byte, not with its four millionth.
    @Test func greetingIsShort() async throws {
        try await Site.run { site in
            let raw = try await admitted(to: site)
            let connection = try #require(await site.nextInbound())
            raw.send(frame(.messagePart, pattern(4_096)))
            raw.send(frame(.messagePart, [1]))
            try await raw.untilClosed()
            await connection.untilEnd()
            #expect(connection.closeReason == "message too long")
        }
    }

    /// Of many devices that are admitted and say nothing few are kept, and a member that greets among them stays.
    @Test func crowdOfUngreetedIsBounded() async throws {
        var limits = TransportLimits()
        limits.ungreetedCountMax = 4
        try await Site.run(limits: limits) { site in
            let member = try await admitted(to: site)
            let connection = try #require(await site.nextInbound())
            member.send(frame(.messageEnd, [1]))
            #expect(try await connection.nextMessage() == [1])
            var crowd: [RawPeer] = []
            for _ in 0..<12 { crowd.append(try await admitted(to: site)) }
            try await eventually { crowd.count { !$0.channel.isActive } == 8 }
            #expect(site.transport.core.inboundCounts.admitted == 5)
            #expect(member.channel.isActive)
        }
    }

    /// A device that connects again and again has two connections: the last, and one before it.
    @Test func deviceThatConnectsAgainReplacesItself() async throws {
        try await Site.run { site in
            let identity = DeviceIdentity()
            var peers: [RawPeer] = []
            for _ in 0..<6 { peers.append(try await admitted(to: site, as: identity)) }
            try await eventually { peers.count { !$0.channel.isActive } == 4 }
            #expect(peers[5].channel.isActive)
            #expect(site.transport.core.inboundCounts.admitted == 2)
        }
    }

    /// Admitted connections that nobody takes wait up to a limit, and one more is closed. Once they are taken there is room
    /// again.
    @Test func untakenConnectionsAreBounded() async throws {
        var limits = TransportLimits()
        limits.untakenConnectionCountMax = 3
        try await Site.run(limits: limits) { site in
            let devices = (0..<4).map { _ in DeviceIdentity() }
            var peers: [RawPeer] = []
            for device in devices { peers.append(try await admitted(to: site, as: device)) }
            try await peers[3].untilClosed()
            #expect(peers.map(\.channel.isActive) == [true, true, true, false])
            try await eventually { site.transport.core.inboundCounts.admitted == 3 }
            var taken: [DeviceID?] = []
            for _ in 0..<3 { taken.append(await site.nextInbound()?.device) }
            #expect(taken == devices.prefix(3).map(\.deviceID))
            let late = DeviceIdentity()
            let peer = try await admitted(to: site, as: late)
            #expect(await site.nextInbound()?.device == late.deviceID)
            #expect(peer.channel.isActive)
        }
    }

    /// So many devices are remembered as admitted in this run. One more is let in as well, and its proofs go on waiting
    /// where others from its address were wrong.
    @Test func devicesOfOneRunAreBounded() async throws {
        var limits = TransportLimits()
        limits.knownDeviceCountMax = 2
        try await Site.run(limits: limits) { site in
            let devices = (0..<3).map { _ in DeviceIdentity() }
            for device in devices {
                let peer = try await admitted(to: site, as: device)
                #expect(await site.nextInbound()?.device == device.deviceID)
                #expect(peer.channel.isActive)
            }
            let core = site.transport.core
            let address = try SocketAddress(ipAddress: "10.0.0.9", port: 1)
            core.noteWrongProof(address: address, .notAMember)
            let delays = devices.map { core.proofDelay(device: $0.deviceID, address: address) }
            #expect(delays == [.zero, .zero, TimeAmount(limits.wrongProofDelay)])
        }
    }
}
