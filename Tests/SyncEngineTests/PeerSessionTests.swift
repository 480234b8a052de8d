import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// One connection's conversation.
@Suite struct PeerSessionTests {
    private let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    private let hello = Hello(
        versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 9, foldLevel: 1)

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
        other.versions = 3...4
        #expect(session.received(.hello(other), log: BatchLog(), own: nil, now: start) == [.close(.otherVersion(4))])
    }

    /// A session whose vectors were compared.
    private func comparedSession() -> PeerSession {
        var session = session()
        for message in [Message.hello(hello), .vectorReply([:])] {
            _ = session.received(message, log: BatchLog(), own: nil, now: start)
        }
        return session
    }

    /// A batch that was only announced is not followed by the next one before the peer said that it lacks neither: the
    /// peer would take that for a mistake.
    @Test func graftedLinksPushOnceThePeerHasAnswered() {
        var replica = TestReplica(7)
        let batch = replica.add(after: nil)
        var session = comparedSession()
        #expect(session.graft(log: BatchLog()) == [.send(.graft), .send(.vector(VersionVector()))])
        #expect(session.push([batch], replicas: [replica.id], log: BatchLog()).isEmpty)
        let directives = session.received(.vectorReply([:]), log: BatchLog(), own: nil, now: start)
        #expect(directives == [.exchanged(VersionVector(), isPeers: false)])
        let pushed = session.push([batch], replicas: [replica.id], log: BatchLog())
        #expect(pushed == [.sendPage([batch.id], page: 1)])
    }

    /// A replica went apart, and its other branch grows before the peer has sent its sample: what comes then has all that it
    /// follows before it.
    @Test func branchesThatThePeerLacksAreNotPushedInPart() {
        var replica = TestReplica(7)
        var log = BatchLog()
        log.insert(replica.add(after: nil))
        let ours = replica.add(after: 0)
        log.insert(ours)
        let theirs = replica.add(after: 0)
        var session = comparedSession()
        _ = session.graft(log: log)
        let unknown = Message.vector(VersionVector(heads: [replica.id: [theirs.end]]))
        let told = session.received(unknown, log: log, own: nil, now: start)
        #expect(!told.contains { if case .sendPage = $0 { true } else { false } })
        let next = replica.add(after: 1)
        log.insert(next)
        #expect(session.push([next], replicas: [replica.id], log: log).isEmpty)
        let sample = Message.chainSample(replica.id, points: [theirs.end, replica.batches[0].end])
        let sent = session.received(sample, log: log, own: nil, now: start)
        #expect(sent.contains(.sendPage([ours.id, next.id], page: 1)))
    }

    /// The peer was ahead, and from elsewhere comes a branch that it lacks. Once all is here that it said it has, it is sent
    /// the branch, though the last batch came from the peer itself.
    @Test func branchesAreSentOnceThePeersOwnIsKnown() {
        var replica = TestReplica(7)
        var log = BatchLog()
        log.insert(replica.add(after: nil))
        let theirs = replica.add(after: 0)
        let branch = replica.add(after: 0)
        var session = comparedSession()
        _ = session.graft(log: log)
        let ahead = Message.vector(VersionVector(heads: [replica.id: [theirs.end]]))
        _ = session.received(ahead, log: log, own: nil, now: start)
        log.insert(branch)
        #expect(session.push([branch], replicas: [replica.id], log: log).isEmpty)
        #expect(session.isUnsettled([replica.id]))
        log.insert(theirs)
        #expect(session.push([], replicas: [replica.id], log: log) == [.sendPage([branch.id], page: 1)])
        #expect(!session.isUnsettled([replica.id]))
    }

    /// A dead peer is noticed within ten seconds, a quiet one is asked first.
    @Test func silenceIsNoticed() throws {
        var session = session()
        _ = session.received(.hello(hello), log: BatchLog(), own: nil, now: start)
        var pings = 0
        var now = start
        while true {
            now = try #require(session.deadlines.min())
            #expect(now.seconds(since: start) <= 10)
            let directives = session.deadlineReached(now: now)
            if directives == [.close(.silent)] { break }
            #expect(directives.count == 1)
            pings += 1
        }
        #expect(pings == 3)
        #expect(session.deadlines.isEmpty)
    }

    @Test func pongsKeepItOpen() throws {
        var session = session()
        _ = session.received(.hello(hello), log: BatchLog(), own: nil, now: start)
        for round in 1...20 {
            let now = try #require(session.deadlines.min())
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
