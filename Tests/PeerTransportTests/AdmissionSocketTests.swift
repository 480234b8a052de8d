import NIOCore
import SyncEngine
import TestSupport
import Testing

@testable import PeerTransport

/// What the listener does with those who may not come in.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct AdmissionSocketTests {
    /// Short, so that silence is over soon.
    private var impatient: TransportLimits {
        var limits = TransportLimits()
        limits.admissionTimeout = .milliseconds(500)
        return limits
    }

    /// Somebody with another phrase is refused, and told so; a member gets in after as before.
    @Test func otherPhraseIsRefused() async throws {
        try await Site.run { site in
            try await Site.run(gathering: 2) { stranger in
                await #expect(throws: DialError.notAMember) {
                    _ = try await stranger.transport.dial([site.address], expecting: nil)
                }
            }
            try await expectOpen(site)
        }
    }

    /// Wrong proofs delay the next from that address, and lock nobody out.
    @Test func wrongProofsDelayTheNext() async throws {
        var limits = TransportLimits()
        limits.wrongProofDelay = .milliseconds(100)
        try await Site.run(limits: limits) { site in
            try await Site.run(gathering: 2) { stranger in
                for _ in 0..<2 {
                    await #expect(throws: DialError.notAMember) {
                        _ = try await stranger.transport.dial([site.address], expecting: nil)
                    }
                }
            }
            let begun = ContinuousClock.now
            try await expectOpen(site)
            #expect(ContinuousClock.now - begun >= .milliseconds(200))
        }
    }

    /// Without a certificate TLS does not come up.
    @Test func noCertificateIsRefused() async throws {
        try await Site.run { site in
            let raw = try await RawPeer.connect(to: site, .withoutCertificate)
            #expect(await raw.read(1) == [])
            try await raw.untilClosed()
            try await expectOpen(site)
        }
    }

    /// Who says nothing is closed in time: before TLS, and after it.
    @Test func silenceEndsInTime() async throws {
        try await Site.run(limits: impatient) { site in
            try await RawPeer.connect(to: site, .plainTCP).untilClosed()
            try await strangerPastTLS(site).untilClosed()
            try await expectOpen(site)
        }
    }

    /// Bytes that trickle in do not buy time.
    @Test func tricklingEndsInTime() async throws {
        try await Site.run(limits: impatient) { site in
            let raw = try await strangerPastTLS(site)
            // A legal header of 64 bytes, then one byte at a time as fast as the loop turns, never all of them.
            raw.send([0, 0, 0, 64])
            for _ in 0..<63 { raw.send([0]) }
            try await raw.untilClosed()
        }
    }

    enum WrongFrame: CaseIterable {
        case tooLong, otherKind, unknownKind, twoAtOnce, flood

        var bytes: [UInt8] {
            switch self {
            case .tooLong: frame(.admission, pattern(4_093))
            case .otherKind: frame(.messageEnd, [1])
            case .unknownKind: [0xff, 0xff, 0xff, 0xff]
            case .twoAtOnce: frame(.admission, pattern(64)) + frame(.messageEnd, [1])
            case .flood: frame(.admission, []) + pattern(300_000)
            }
        }
    }

    /// A first frame that is too long, of another kind, or followed by a second one is the last.
    @Test(.slow, arguments: WrongFrame.allCases)
    func wrongFirstFrameIsRefused(_ wrong: WrongFrame) async throws {
        try await Site.run { site in
            let raw = try await RawPeer.connect(to: site, .certificate(DeviceIdentity()))
            #expect(await raw.read(36).count == 36)
            raw.send(wrong.bytes)
            try await raw.untilClosed()
            try await expectOpen(site)
        }
    }

    /// Noise instead of TLS does not disturb the listener.
    @Test(.slow, arguments: 0..<10)
    func noiseInsteadOfTLSIsRefused(_ seed: Int) async throws {
        try await Site.run(limits: impatient) { site in
            var generator = SplitMix(state: UInt64(seed))
            let raw = try await RawPeer.connect(to: site, .plainTCP)
            raw.send((0..<2_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
            try await raw.untilClosed()
            try await expectOpen(site)
        }
    }

    /// One address has four places; the fifth is turned away at once, and a place that is given up can be had again.
    @Test func crowdFromOneAddressIsTurnedAway() async throws {
        var limits = TransportLimits()
        limits.admissionPatience = .seconds(3_600)
        try await Site.run(limits: limits) { site in
            var crowd: [RawPeer] = []
            for _ in 0..<4 { crowd.append(try await RawPeer.connect(to: site, .certificate(DeviceIdentity()))) }
            // Each has been heard, so each has its place.
            for raw in crowd { #expect(await raw.read(36).count == 36) }
            try await RawPeer.connect(to: site, .plainTCP).untilClosed()
            #expect(crowd.allSatisfy { $0.channel.isActive })
            for raw in crowd {
                raw.channel.close(promise: nil)
                try await raw.untilClosed()
            }
            try await expectOpen(site)
        }
    }

    /// A crowd that connects while the transport stops is closed as well, and the listener is gone.
    @Test func shutdownClosesACrowd() async throws {
        let address = try await Site.run { site in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask {
                        // Those who come too late are refused by the kernel.
                        guard let raw = try? await RawPeer.connect(to: site, .certificate(DeviceIdentity())) else {
                            return
                        }
                        try await raw.untilClosed()
                    }
                }
                await site.transport.shutdown()
                try await tasks.waitForAll()
            }
            return site.address
        }
        try await Site.run { member in
            await #expect(throws: DialError.self) {
                _ = try await member.transport.dial([address], expecting: nil)
            }
        }
    }

    /// The listener still lets a member in. On a busy machine a short deadline may pass first, and places come back a
    /// little after their connections ended, so it is tried until it works or the suite's time is over.
    private func expectOpen(_ site: Site) async throws {
        try await Site.run { member in
            let connection = try await dialPatiently(from: member, to: site)
            connection.send([1])
            #expect(try await site.nextInbound()?.nextMessage() == [1])
        }
    }

    /// One whom the listener has told its nonce. On a busy machine the short deadline may pass before TLS is up, so it
    /// is tried until it works or the suite's time is over.
    private func strangerPastTLS(_ site: Site) async throws -> RawPeer {
        while true {
            let raw = try await RawPeer.connect(to: site, .certificate(DeviceIdentity()))
            if await raw.read(36).count == 36 { return raw }
            try Task.checkCancellation()
        }
    }

    private func dialPatiently(from member: Site, to site: Site) async throws -> PeerConnection {
        while true {
            do {
                return try await member.transport.dial([site.address], expecting: .device(site.identity.deviceID))
            } catch {
                // Anything else is what the test is about.
                guard error.rank <= DialError.unreachable(reason: "").rank else { throw error }
                try Task.checkCancellation()
            }
        }
    }
}
