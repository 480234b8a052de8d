import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What a peer is owed leaves as fast as it reads, however much it is, and never ends its connection.
@Suite struct PacingTests {
    private let limits = EngineLimits()
    private let devices = (0..<40).map { number in
        DeviceID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 1, count: 24))!
    }

    /// Keeps a summary of a device whose bytes name it and a version.
    private func keep(_ device: DeviceID, version: UInt8, byteCount: Int, in peer: inout PlayedPeer) {
        let summary = PresenceSummary(
            device: device, number: peer.wall + UInt64(version), presence: Presence(others: [file(1).blob]))
        let content = device.bytes + [UInt8](repeating: version, count: byteCount)
        let statement = SignedStatement(content: content, signature: [])
        let isTaken = peer.engine.presence.holdings.take(summary, statement, wall: peer.wall)
        #expect(isTaken)
    }

    /// The devices whose summaries were told, and their versions, in the order of telling.
    private func told(_ peer: PlayedPeer) -> [(device: DeviceID, version: UInt8)] {
        peer.sent.flatMap { message -> [SignedStatement] in
            if case .summaries(let statements) = message { statements } else { [] }
        }.map { (DeviceID(bytes: $0.content.prefix(32))!, $0.content.last!) }
    }

    /// 4 MB of summaries for somebody who reads nothing for minutes, and then slowly: little leaves before it is read, all
    /// of it in the end, and the connection stays.
    @Test func whoReadsSlowlyIsToldEverything() throws {
        var peer = try PlayedPeer()
        for device in devices { keep(device, version: 1, byteCount: 100_000, in: &peer) }
        peer.connect()
        peer.receive(.summaryVersions(SummaryVersions(numbers: [:], isWhole: true)))
        for _ in 0..<60 { peer.pass(2.5) }
        #expect(peer.sentByteCount <= limits.unreadByteCountMax + 2 * WireLimits.pageByteCountMax)
        #expect(peer.engine.queueSizes.reconciliation.unreadByteCount > 0)
        for _ in 0..<200 where told(peer).count < devices.count {
            _ = peer.answerQuestion()
            peer.pass(0.5)
            #expect(peer.engine.queueSizes.excess(over: limits) == nil)
        }
        #expect(Set(told(peer).map(\.device)) == Set(devices))
        #expect(told(peer).count == devices.count)
        #expect(peer.closed.isEmpty)
    }

    /// Whoever reads at once is told no more summaries in a second than leave room for photos, after the first megabytes.
    @Test func summariesLeaveRoomForPhotos() throws {
        var limits = EngineLimits()
        limits.summaryTellingByteRate = 100_000
        limits.summaryBurstSeconds = 5
        var peer = try PlayedPeer(limits: limits)
        for device in devices { keep(device, version: 1, byteCount: 50_000, in: &peer) }
        peer.connect()
        peer.receive(.summaryVersions(SummaryVersions(numbers: [:], isWhole: true)))
        while peer.answerQuestion() {}
        // One message more than was saved up.
        #expect((500_000...500_000 + 2 * WireLimits.pageByteCountMax).contains(peer.sentByteCount))
        for _ in 0..<30 where told(peer).count < devices.count {
            let before = peer.sentByteCount
            peer.now = try #require(peer.engine.nextDeadline)
            peer.pass(0)
            while peer.answerQuestion() {}
            #expect(peer.sentByteCount - before <= 2 * WireLimits.pageByteCountMax)
        }
        #expect(told(peer).count == devices.count)
        #expect(peer.now.seconds(since: MonotonicInstant(nanoseconds: 100_000_000_000)) >= 10)
    }

    /// What waits is told as it is when it leaves: once, however often it changed. Short ones go first.
    @Test func theNewestTakesTheWaitingOnesPlace() throws {
        var peer = try PlayedPeer()
        for device in devices.dropFirst() { keep(device, version: 1, byteCount: 100_000, in: &peer) }
        keep(devices[0], version: 1, byteCount: 150_000, in: &peer)
        peer.connect()
        peer.receive(.summaryVersions(SummaryVersions(numbers: [:], isWhole: true)))
        for version: UInt8 in 2...9 {
            keep(devices[0], version: version, byteCount: 150_000, in: &peer)
            peer.engine.presence.peers[PlayedPeer.link]!.summaries.add(devices[0], base: nil)
        }
        for _ in 0..<200 where told(peer).count < devices.count {
            _ = peer.answerQuestion()
            peer.pass(0.5)
        }
        let versions = told(peer).filter { $0.device == devices[0] }.map(\.version)
        #expect(versions == [9])
        #expect(told(peer).last?.device == devices[0])
    }

    /// Many changes of presence that somebody did not read yet become one word about everything.
    @Test func manyChangesBecomeOne() throws {
        var peer = try PlayedPeer()
        for device in devices { keep(device, version: 1, byteCount: 100_000, in: &peer) }
        peer.connect()
        peer.receive(.summaryVersions(SummaryVersions(numbers: [:], isWhole: true)))
        peer.sent = []
        for round in 0..<10 as Range<UInt64> {
            let blobs = (0..<500 as Range<UInt64>).map { number in
                BlobID(bytes: BigEndian.bytes(500 * round + number) + [UInt8](repeating: 0, count: 24))!
            }
            peer.engine.presence.news.blobs = Set(blobs)
            peer.pass(1)
        }
        #expect(!peer.sent.contains { if case .presenceChanged = $0 { true } else { false } })
        for _ in 0..<4 { _ = peer.answerQuestion() }
        let words = peer.sent.filter { message in
            switch message {
            case .presence, .presenceChanged: true
            default: false
            }
        }
        #expect(words == [.presence(Presence(), counter: 5000)])
    }

    /// More announcements than are kept for somebody who does not read become one comparison.
    @Test func tooManyAnnouncementsBecomeAComparison() throws {
        var peer = try PlayedPeer()
        peer.connect()
        let replica = ReplicaID(bytes: [UInt8](repeating: 1, count: 16))!
        let heads = (1...UInt64(limits.announcedHeadCountMax)).map { Head(sequence: $0, branch: 1) }
        let link = PlayedPeer.link
        #expect(peer.engine.broadcast.owe([replica: Set(heads)], over: link).isEmpty)
        #expect(peer.engine.broadcast.owedCount(link) == heads.count)
        let outcome = peer.engine.broadcast.owe([replica: [Head(sequence: 0, branch: 2)]], over: link)
        #expect(peer.engine.broadcast.owedCount(link) == 0)
        peer.engine.perform(outcome, now: peer.now)
        peer.sent = []
        peer.pass(0.1)
        #expect(peer.sent == [.vector(VersionVector())])
    }

    /// Parts of more blobs than are kept: those that are not pulled any longer make room.
    @Test func partsToBeToldAreBounded() {
        var peer = PullPeer(device: devices[0], now: MonotonicInstant(nanoseconds: 0))
        let blobs = (0..<UInt64(limits.toldPartCountMax) + 100).map { number in
            BlobID(bytes: BigEndian.bytes(number) + [UInt8](repeating: 0, count: 24))!
        }
        for blob in blobs { peer.owePart(blob, limits: limits) { _ in true } }
        #expect(peer.parts.count == limits.toldPartCountMax)
        peer.owePart(blobs.last!, limits: limits) { $0 == blobs[0] }
        #expect(peer.parts == [blobs[0], blobs.last!])
    }

    /// A peer that takes long for what it was told and says nothing meanwhile is not silent, as long as the network takes
    /// bytes for it. One that has nothing to read is.
    @Test(arguments: [true, false])
    func whoReadsIsNotSilent(isOwed: Bool) {
        let start = MonotonicInstant(nanoseconds: 5_000_000_000)
        var session = PeerSession(
            device: devices[0], dialled: false, limits: limits, now: start)
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 9, foldLevel: 1)
        _ = session.received(.hello(hello), log: BatchLog(), own: nil, now: start)
        if isOwed { #expect(session.noteTold(limits.markedByteCount, now: start) != nil) }
        session.took(now: start + 8)
        let outcome = session.deadlineReached(now: start + 9)
        #expect(outcome.contains(.close(.silent)) != isOwed)
        #expect(session.deadlineReached(now: start + 17) == (isOwed ? [.close(.silent)] : []))
    }
}
