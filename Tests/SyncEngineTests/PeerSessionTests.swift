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

/// When devices are dialled.
@Suite struct PeerBookTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let address = PeerAddress(host: "10.0.0.2", port: 4711)
    private func device(_ number: UInt8) -> DeviceID { DeviceID(bytes: [UInt8](repeating: number, count: 32))! }

    /// The smaller ID dials at once, the greater lets it, for a moment.
    @Test func greaterIDIsCourteous() {
        var small = PeerBook(own: device(1), limits: EngineLimits())
        small.learn(.device(device(2).prefix), [address], source: .discovery, now: start)
        #expect(small.due(now: start).map(\.addresses) == [[address]])
        var great = PeerBook(own: device(3), limits: EngineLimits())
        great.learn(.device(device(2).prefix), [address], source: .discovery, now: start)
        #expect(great.due(now: start).isEmpty)
        #expect(great.due(now: start + EngineLimits().dialCourtesy).count == 1)
    }

    /// Pauses grow to half a minute, and a new announcement ends them.
    @Test func pausesGrowUntilNews() throws {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        let key = PeerKey.device(device(2).prefix)
        book.learn(key, [address], source: .inbound, now: start)
        var now = start
        var pauses: [Double] = []
        for _ in 0..<10 {
            #expect(book.due(now: now).count == 1)
            book.failed(key, isStranger: false, now: now, using: &random)
            let next = try #require(book.nextDeadline)
            pauses.append(next.seconds(since: now))
            now = next
        }
        #expect(try #require(pauses.first) < 1)
        #expect((20...36).contains(try #require(pauses.last)))
        _ = book.due(now: now)
        book.failed(key, isStranger: false, now: now, using: &random)
        book.learn(key, [PeerAddress(host: "10.0.0.3", port: 1)], source: .discovery, now: now)
        #expect(book.due(now: now).count == 1)
    }

    /// Connections that end as soon as they are made are not made again and again.
    @Test func shortConnectionsAreFollowedByPauses() throws {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        let key = PeerKey.device(device(2).prefix)
        book.learn(key, [address], source: .inbound, now: start)
        var now = start
        for _ in 0..<8 {
            #expect(book.due(now: now).count == 1)
            book.connected(device(2), key: key, now: now)
            book.disconnected(device(2), now: now, using: &random)
            now = try #require(book.nextDeadline)
        }
        #expect(now.seconds(since: start) > 25)
        // One that lasted is followed by a dial at once.
        _ = book.due(now: now)
        book.connected(device(2), key: key, now: now)
        book.disconnected(device(2), now: now + 60, using: &random)
        #expect(try #require(book.nextDeadline).seconds(since: now) < 61)
    }

    @Test func ownAnnouncementIsIgnored() {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        book.learn(.device(device(1).prefix), [address], source: .discovery, now: start)
        #expect(book.due(now: start).isEmpty)
    }

    /// An address that a person gave becomes one of the device that answered there.
    @Test func fixedAddressFindsItsDevice() {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        book.learn(.fixed(address), [address], source: .fixed, now: start)
        #expect(book.due(now: start).first?.expecting == nil)
        book.connected(device(2), key: .fixed(address), now: start)
        #expect(book.address(of: device(2))?.0 == address)
        #expect(book.due(now: start + 100).isEmpty)
    }
}
