import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// One connection's conversation.
@Suite struct PeerSessionTests {
    private let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    private let hello = Hello(versions: 1...1, run: [UInt8](repeating: 1, count: 16), port: 9, foldLevel: 1)

    private func session() -> PeerSession {
        PeerSession(
            device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!, dialled: true, limits: EngineLimits(),
            now: start)
    }

    @Test func greetsThenSendsItsVector() {
        var session = session()
        let directives = session.received(.hello(hello), log: BatchLog(), own: nil, now: start)
        #expect(directives == [.greeted(hello), .send(.vector(VersionVector()))])
    }

    @Test(arguments: [
        Message.ping(1), .pieceListRequest(BlobID(bytes: [UInt8](repeating: 1, count: 32))!), .vector(VersionVector()),
    ])
    func nothingComesBeforeHello(message: Message) {
        var session = session()
        #expect(session.received(message, log: BatchLog(), own: nil, now: start) == [.close(.unexpectedMessage)])
        #expect(session.received(.hello(hello), log: BatchLog(), own: nil, now: start).isEmpty)
    }

    @Test func otherVersionsAreToldApart() {
        var session = session()
        var other = hello
        other.versions = 2...3
        #expect(session.received(.hello(other), log: BatchLog(), own: nil, now: start) == [.close(.otherVersion(3))])
    }

    /// A session whose vectors were compared, over a link that is lazy.
    private func lazySession() -> PeerSession {
        var session = session()
        for message in [Message.hello(hello), .vectorReply([:]), .prune] {
            _ = session.received(message, log: BatchLog(), own: nil, now: start)
        }
        return session
    }

    /// A batch that was only announced is not followed by the next one before the peer said that it lacks neither: the
    /// peer would take that for a mistake.
    @Test func graftedLinksPushOnceThePeerHasAnswered() {
        let batch = BatchLog.Reference(id: BatchID(bytes: [UInt8](repeating: 7, count: 32))!, byteCount: 100)
        var session = lazySession()
        #expect(session.graft(log: BatchLog()) == [.send(.graft), .send(.vector(VersionVector()))])
        #expect(session.isEager)
        #expect(session.push([batch], log: BatchLog()).isEmpty)
        let directives = session.received(.vectorReply([:]), log: BatchLog(), own: nil, now: start)
        #expect(directives == [.exchanged(VersionVector())])
        #expect(session.push([batch], log: BatchLog()) == [.sendPage([batch.id], page: 1)])
    }

    /// The other side pushes only once the vector has come that follows a graft.
    @Test func graftsTakeEffectWithTheVector() {
        var session = lazySession()
        #expect(session.received(.graft, log: BatchLog(), own: nil, now: start).isEmpty)
        #expect(!session.isEager)
        _ = session.received(.vector(VersionVector()), log: BatchLog(), own: nil, now: start)
        #expect(session.isEager)
        _ = session.received(.graft, log: BatchLog(), own: nil, now: start)
        _ = session.received(.prune, log: BatchLog(), own: nil, now: start)
        _ = session.received(.vector(VersionVector()), log: BatchLog(), own: nil, now: start)
        #expect(!session.isEager)
    }

    /// A dead peer is noticed within ten seconds, a quiet one is asked first.
    @Test func silenceIsNoticed() throws {
        var session = session()
        _ = session.received(.hello(hello), log: BatchLog(), own: nil, now: start)
        var pings = 0
        var now = start
        while true {
            now = try #require(session.nextDeadline)
            #expect(now.seconds(since: start) <= 10)
            let directives = session.deadlineReached(now: now)
            if directives == [.close(.silent)] { break }
            #expect(directives.count == 1)
            pings += 1
        }
        #expect(pings == 3)
        #expect(session.nextDeadline == nil)
    }

    @Test func pongsKeepItOpen() throws {
        var session = session()
        _ = session.received(.hello(hello), log: BatchLog(), own: nil, now: start)
        for round in 1...20 {
            let now = try #require(session.nextDeadline)
            #expect(session.deadlineReached(now: now) == [.send(.ping(UInt64(round)))])
            _ = session.received(.pong(UInt64(round)), log: BatchLog(), own: nil, now: now)
        }
    }

    @Test func unaskedAcknowledgementIsRefused() {
        var session = session()
        _ = session.received(.hello(hello), log: BatchLog(), own: nil, now: start)
        let directives = session.received(.acknowledged(page: 5), log: BatchLog(), own: nil, now: start)
        #expect(directives == [.close(.unexpectedMessage)])
    }
}
