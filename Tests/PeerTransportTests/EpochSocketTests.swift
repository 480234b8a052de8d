import AlbumModel
import Synchronization
import TestSupport
import Testing

@testable import PeerTransport

/// Two transports of a gathering whose phrase was changed.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct EpochSocketTests {
    private let gathering = EpochGathering()

    /// One that was away is caught up with over a connection of its own; both ends know that.
    @Test func laggardsAreCaughtUpWith() async throws {
        try await Site.run(standing: gathering.upToDate, identity: gathering.founder) { host in
            try await Site.run(standing: gathering.behind, identity: gathering.member) { laggard in
                let dialled = try await laggard.transport.dial([host.address], expecting: nil)
                let accepted = try #require(await host.nextInbound())
                for end in [dialled, accepted] {
                    #expect(end.purpose == .catchUp && end.epoch == gathering.ruling(0))
                }
                // A page of rulings, which a greeting may not be.
                dialled.send(pattern(1 << 20))
                #expect(try await accepted.nextMessage() == pattern(1 << 20))
                accepted.send(pattern(3 << 20))
                await dialled.untilEnd()
            }
        }
    }

    /// A phrase that was changed admits nobody who was not in, which counts as a wrong proof; so does whoever is out.
    @Test func oldPhrasesAdmitNobody() async throws {
        var limits = TransportLimits()
        limits.wrongProofDelay = .milliseconds(100)
        let told = Mutex<[TransportReport]>([])
        let report: @Sendable (TransportReport) -> Void = { report in told.withLock { $0.append(report) } }
        try await Site.run(
            standing: gathering.upToDate, identity: gathering.founder, report: report, limits: limits
        ) { host in
            let identity = DeviceIdentity()
            try await Site.run(standing: gathering.newcomer(0), identity: identity) { stranger in
                await #expect(throws: DialError.toldChanged) {
                    _ = try await stranger.transport.dial([host.address], expecting: nil)
                }
                await #expect(throws: DialError.outsider) {
                    _ = try await host.transport.dial([stranger.address], expecting: nil)
                }
                // What it found out itself is no news, and no proof.
                #expect(told.withLock { $0 } == [.outsider(identity.deviceID)])
            }
            try await Site.run(standing: gathering.behind, identity: gathering.outsider) { outsider in
                await #expect(throws: DialError.toldOut) {
                    _ = try await outsider.transport.dial([host.address], expecting: nil)
                }
            }
            #expect(told.withLock { $0.last } == .outsider(gathering.outsider.deviceID))
            // Whoever knows no phrase of the gathering is nobody's news.
            try await Site.run(standing: .test(99)) { unknown in
                await #expect(throws: DialError.self) {
                    _ = try await unknown.transport.dial([host.address], expecting: nil)
                }
            }
            #expect(told.withLock { $0.count } == 2)
            let begun = ContinuousClock.now
            try await Site.run(standing: gathering.newcomer(1)) { newcomer in
                let connection = try await newcomer.transport.dial([host.address], expecting: nil)
                #expect(connection.purpose == .catchUp && connection.epoch == nil)
            }
            #expect(ContinuousClock.now - begun >= .milliseconds(200))
        }
    }

    /// A changed phrase reaches a running transport: whoever was linked by the old one is turned away by the new roll.
    @Test func standingsAreReplaced() async throws {
        try await Site.run(standing: gathering.behind, identity: gathering.founder) { host in
            try await Site.run(standing: gathering.newcomer(0)) { newcomer in
                let connection = try await newcomer.transport.dial([host.address], expecting: nil)
                #expect(connection.purpose == .catchUp && connection.epoch == nil)
                host.transport.update(gathering.upToDate)
                await #expect(throws: DialError.toldChanged) {
                    _ = try await newcomer.transport.dial([host.address], expecting: nil)
                }
            }
        }
    }

    /// Laptops of earlier versions are linked in the first epoch, whichever dials, and never after it: the version of one that
    /// was linked is told, a stranger's not.
    @Test func earlierVersionsStayInTheFirstEpoch() async throws {
        var limits = TransportLimits()
        limits.versions = [.earlier]
        let earlier = limits
        let told = Mutex<[TransportReport]>([])
        let report: @Sendable (TransportReport) -> Void = { report in told.withLock { $0.append(report) } }
        try await Site.run(standing: .test(10), identity: gathering.member, limits: earlier) { old in
            try await Site.run(standing: gathering.behind, identity: gathering.founder, report: report) { host in
                let accepted = try await old.transport.dial([host.address], expecting: nil)
                let dialled = try await host.transport.dial([old.address], expecting: nil)
                for end in [dialled, accepted] { #expect(end.purpose == .link && end.epoch == nil) }
                host.transport.update(gathering.upToDate)
                try await Site.run(standing: .test(10), limits: earlier) { stranger in
                    await #expect(throws: DialError.self) {
                        _ = try await stranger.transport.dial([host.address], expecting: nil)
                    }
                }
                #expect(told.withLock { $0 }.isEmpty)
                await #expect(throws: DialError.self) {
                    _ = try await old.transport.dial([host.address], expecting: nil)
                }
                await #expect(throws: DialError.earlierVersion(gathering.member.deviceID)) {
                    _ = try await host.transport.dial([old.address], expecting: nil)
                }
                try await eventually { told.withLock { Set($0) } == [.earlierVersion(gathering.member.deviceID)] }
            }
        }
    }
}
