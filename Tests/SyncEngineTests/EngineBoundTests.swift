import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Tables that others fill, and what happens when they are full.
@Suite struct EngineBoundTests {
    private func device(_ number: Int) -> DeviceID {
        DeviceID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 1, count: 24))!
    }

    private func blob(_ number: Int) -> BlobID {
        BlobID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 0, count: 24))!
    }

    private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

    private func record(_ number: Int, at time: UInt64 = 1) -> AddressRecord {
        let signed = SignedStatement(content: BigEndian.bytes(UInt64(number)), signature: [])
        let address = PeerAddress(host: "10.0.0.1", port: 1)
        return AddressRecord(device: device(number), number: time, addresses: [address], signed: signed)
    }

    /// Words about parts of more pieces than are kept: the oldest are forgotten, those of each peer for themselves, and the
    /// blob is asked of whoever holds it whole.
    @Test func partsOfAPeerAreBounded() {
        var limits = EngineLimits()
        limits.partPieceCountMax = 1000
        var scheduler = PullScheduler(own: device(9), limits: limits)
        let (link, other) = (LinkID(number: 1), LinkID(number: 2))
        scheduler.linkOpened(link, device: device(1))
        scheduler.linkOpened(other, device: device(2))
        let pieces = [Bool](repeating: true, count: 100)
        for number in 0..<40 {
            let claim = BlobClaim(byteCount: 100 * Pieces.byteCount, pieceListHash: blob(99))
            scheduler.want(blob(number), blobClass: .original, urgency: .zero, claims: [claim])
            scheduler.setPart(link, PartHeld(blob: blob(number), pieces: pieces), now: start)
            if number == 0 { scheduler.setPart(other, PartHeld(blob: blob(0), pieces: pieces), now: start) }
        }
        let told = (0..<40).filter { scheduler.wants[blob($0)]!.parts[link] != nil }
        #expect(told == Array(30..<40))
        #expect(scheduler.wants[blob(0)]!.parts[other] != nil)
        #expect(scheduler.links[link]!.partPieceCount <= limits.partPieceCountMax)
        // Small ones count as well: they are not endless, either.
        for number in 100..<200 {
            scheduler.want(blob(number), blobClass: .original, urgency: .zero, claims: [.init(byteCount: 900_000)])
            scheduler.setPart(link, PartHeld(blob: blob(number), pieces: [true]), now: start)
        }
        #expect((100..<200).count { scheduler.wants[blob($0)]!.parts[link] != nil } < 20)
    }

    /// A long list of pieces is let go while its blob waits for its turn, and asked for again.
    @Test func longListsAreNotKeptForLater() throws {
        let limits = EngineLimits()
        for count in [limits.keptListPieceCountMax, limits.keptListPieceCountMax + 1] {
            var scheduler = PullScheduler(own: device(9), limits: limits)
            let link = LinkID(number: 1)
            scheduler.linkOpened(link, device: device(1))
            let list = PieceList(hashes: (0..<count).map { blob($0) })
            let claim = BlobClaim(byteCount: UInt64(count) * Pieces.byteCount, pieceListHash: list.listHash)
            scheduler.want(blob(7), blobClass: .original, urgency: .zero, claims: [claim])
            scheduler.setHolder(link, of: blob(7), true)
            var random = TestRandom()
            _ = scheduler.assign(now: start, using: &random)
            _ = scheduler.listArrived(blob(7), list, from: link, now: start)
            #expect(scheduler.wants[blob(7)]?.list == list)
            _ = scheduler.pause(blob(7), "full", now: start)
            #expect((scheduler.wants[blob(7)]?.list != nil) == (count <= limits.keptListPieceCountMax))
        }
    }

    /// Invented devices fill the book: whoever connects or is announced has a place all the same, and one that a person
    /// named or that was met keeps its own.
    @Test func inventedDevicesKeepNobodyOut() {
        var random = TestRandom()
        var limits = EngineLimits()
        limits.knownDeviceCountMax = 20
        var book = PeerBook(own: device(1), limits: limits)
        let (met, announced, later) = (device(900), device(901), device(902))
        book.connected(met, key: nil, now: start)
        book.remember(met, PeerAddress(host: "10.0.0.9", port: 1), source: .inbound)
        book.disconnected(met, now: start, using: &random)
        for number in 2..<100 { _ = book.learn(record(number), now: start) }
        #expect(book.count == 20)
        let place = PeerAddress(host: "10.0.0.2", port: 1)
        book.learn(.device(announced.prefix), [place], source: .discovery, now: start)
        book.connected(later, key: nil, now: start)
        #expect(book.count == 20)
        for device in [met, announced, later] { #expect(book.entries[.device(device.prefix)] != nil) }
        // By hearsay alone nobody takes a place.
        _ = book.learn(record(500), now: start)
        #expect(book.entries[.device(device(500).prefix)] == nil)
    }

    /// Records of addresses: a device that brings its own one takes the place of the oldest, another's word does not.
    @Test func ownRecordsHaveAPlace() {
        var gossip = AddressGossip(own: device(1), countMax: 5, limits: MeshLimits())
        for number in 2..<10 { _ = gossip.learn(record(number)) }
        #expect(gossip.number(of: device(6)) == 1 && gossip.number(of: device(7)) == nil)
        let isTaken = gossip.learn(record(8), fromItself: true)
        #expect(isTaken && gossip.number(of: device(8)) == 1)
        #expect(gossip.number(of: device(2)) == nil && gossip.number(of: device(3)) == 1)
    }

    /// Vectors of gatherings with very many replicas are not remembered of many peers.
    @Test func sharedVectorsAreBoundedInSum() {
        var vectors = SharedVectors(countMax: 16, replicaCountMax: 250)
        let heads = (1...100 as ClosedRange<UInt64>).map { (TestReplica($0).id, [Head(sequence: 1, branch: 1)]) }
        let vector = VersionVector(heads: Dictionary(uniqueKeysWithValues: heads))
        for number in 1...5 { vectors.keep(vector, of: device(number)) }
        #expect(vectors.count == 2 && vectors.replicaCount == 200)
        #expect(vectors[device(5)] != nil && vectors[device(3)] == nil)
    }

    /// Whoever asks for the digests again and again is told them once at a time, as it reads.
    @Test func digestsAreToldAsTheyAreRead() throws {
        let network = try TestNetwork.pair()
        let anna = network.nodes[0]
        var peer = try PlayedPeer(log: anna.journal.map(\.signed), held: anna.engine.held)
        peer.connect()
        var digests = Digests()
        let hash = digests.vectorHash(peer.engine.log)
        peer.sent = []
        for _ in 0..<5000 {
            peer.feed(.received(PlayedPeer.link, .catalogDigest(root: [1], vectorHash: hash)))
        }
        #expect(peer.sentByteCount <= EngineLimits().unreadByteCountMax + 1000)
        #expect(peer.closed.isEmpty)
        let count = peer.sent.count
        while peer.answerQuestion() {}
        #expect(peer.sent.count > count)
    }

    /// A vector costs a look at every replica, however short it is: of many that one peer tells at once the first and the
    /// last are compared, and each is answered.
    @Test func vectorsAreComparedNowAndThen() throws {
        var peer = try PlayedPeer()
        for number in 1...50 as ClosedRange<UInt64> {
            var replica = TestReplica(number)
            peer.engine.storing.log.insert(replica.add(after: nil))
        }
        peer.connect()
        peer.sent = []
        let unknown = Head(sequence: 5, branch: 5)
        let replica = TestReplica(99).id
        for _ in 0..<100 { peer.receive(.vector(VersionVector(heads: [replica: [unknown]]))) }
        #expect(peer.sent == [Message](repeating: .vectorReply([:]), count: 99))
        peer.pass(1)
        #expect(peer.sent.count == 100 && peer.sent.last == .vectorReply([replica: []]))
        // And answers that nobody asked for are none.
        peer.receive(.vectorReply([replica: [unknown]]))
        #expect(peer.sent.count == 100 && peer.closed.isEmpty)
    }

    /// What a peer says that it holds is looked up for every want now and then, and what it said last counts.
    @Test func presenceIsLookedUpNowAndThen() throws {
        let network = try TestNetwork.pair()
        var peer = try PlayedPeer(log: network.nodes[0].journal.map(\.signed))
        peer.connect()
        let photo = file(1).blob
        peer.receive(.presence(Presence(), counter: 1))
        #expect(peer.engine.pull.scheduler.wants[photo]?.holders == [])
        for counter in 2...20 as ClosedRange<UInt64> {
            let others: Set<BlobID> = counter % 2 == 0 ? [photo] : []
            peer.receive(.presence(Presence(others: others), counter: counter))
        }
        peer.receive(.presence(Presence(others: [photo]), counter: 21))
        #expect(peer.engine.pull.scheduler.wants[photo]?.holders == [])
        #expect(peer.engine.holdings.claims(peer.device, photo, dots: []))
        peer.pass(0.1)
        #expect(peer.engine.pull.scheduler.wants[photo]?.holders == [PlayedPeer.link])
    }

    /// Whoever announces what does not exist is asked once, until it has answered; then the next announcer is.
    @Test func announcersAreAskedAsTheyAnswer() {
        var heads = AnnouncedHeads(limits: EngineLimits())
        let replica = TestReplica(1).id
        let (link, other) = (LinkID(number: 1), LinkID(number: 2))
        for sequence in 1...10 as ClosedRange<UInt64> {
            heads.note(replica, Head(sequence: sequence, branch: 1), from: link, now: start)
        }
        heads.note(replica, Head(sequence: 1, branch: 1), from: other, now: start)
        let later = start + EngineLimits().treePatience
        let first = heads.due(now: later, log: BatchLog()) { $0 == link }
        #expect(first == [other])
        let second = heads.due(now: later + 1, log: BatchLog()) { _ in true }
        #expect(second.isEmpty && heads.count == 10)
        let third = heads.due(now: later + 2, log: BatchLog()) { _ in false }
        #expect(third == [link])
    }

    /// An announced head beyond the limit is not waited for; a comparison of vectors finds it all the same.
    @Test func announcedHeadsAreBounded() throws {
        var limits = EngineLimits()
        limits.announcedHeadCountMax = 3
        var peer = try PlayedPeer(limits: limits)
        peer.connect()
        let replica = TestReplica(1).id
        let heads = (1...4 as ClosedRange<UInt64>).map { Head(sequence: $0, branch: 1) }
        for (count, head) in zip([1, 2, 3, 3], heads) {
            peer.receive(.announced([replica: [head]]))
            #expect(peer.engine.broadcast.awaitedCount == count)
        }
        #expect(peer.engine.queueSizes.announcedHeads == 3)
        peer.sent = []
        peer.receive(.vector(VersionVector(heads: [replica: [heads[3]]])))
        #expect(peer.sent.contains(.vectorReply([replica: []])) && peer.closed.isEmpty)
    }

    /// A fifth announcer of a head is not remembered: after four were asked in vain nothing is waited for.
    @Test func announcersOfAHeadAreBounded() {
        let limits = EngineLimits()
        var heads = AnnouncedHeads(limits: limits)
        let links = (1...5 as ClosedRange<UInt64>).map { LinkID(number: $0) }
        for link in links { heads.note(TestReplica(1).id, Head(sequence: 1, branch: 1), from: link, now: start) }
        var asked: [LinkID] = []
        for second in 1...4 {
            asked += heads.due(now: start + Double(second), log: BatchLog()) { _ in false }
            #expect(heads.count == 1)
        }
        #expect(asked == Array(links.prefix(limits.announcerCountMax)))
        let last = heads.due(now: start + 5, log: BatchLog()) { _ in false }
        #expect(last.isEmpty && heads.count == 0)
    }

    /// The own changes of presence are kept up to a limit: a peer that misses as many is sent these, and one that misses
    /// one more is sent everything.
    @Test(arguments: [0, 1] as [UInt64])
    func ownChangesOfPresenceAreBounded(knownCounter: UInt64) throws {
        var limits = EngineLimits()
        limits.presenceChangeCountMax = 3
        var peer = try PlayedPeer(limits: limits)
        for number in 1...4 {
            peer.engine.presence.held.insert(blob(number))
            peer.engine.presence.news.blobs = [blob(number)]
            peer.feed(.deadlineReached)
        }
        #expect(peer.engine.presence.own.counter == 4 && peer.engine.presence.own.keptChangeCount == 3)
        peer.connect(knowing: PresencePosition(run: peer.engine.local.run, counter: knownCounter))
        let told = peer.sent.filter { message in
            switch message {
            case .presence, .presenceChanged: true
            default: false
            }
        }
        let kept = PresenceChange(held: (2...4).map { blob($0) }, lost: [], counter: 4)
        #expect(told == [knownCounter == 1 ? .presenceChanged(kept) : .presence(Presence(), counter: 4)])
    }

    /// Changes of presence that do not fit into one message are told in parts, each with the count after what it says: who is
    /// cut off between them asks for the rest.
    @Test func longChangesOfPresenceAreToldInParts() throws {
        let (part, count) = (WireLimits.heldCountMax, WireLimits.heldCountMax + 500)
        var peer = try PlayedPeer()
        let blobs = (1...count).map { blob($0) }
        peer.engine.presence.held.formUnion(blobs)
        peer.engine.presence.news.blobs = Set(blobs)
        peer.feed(.deadlineReached)
        peer.connect(knowing: PresencePosition(run: peer.engine.local.run, counter: 0))
        let told = peer.sent.compactMap { if case .presenceChanged(let change) = $0 { change } else { nil } }
        let parts = [
            PresenceChange(held: Array(blobs.prefix(part)), lost: [], counter: UInt64(part)),
            PresenceChange(held: Array(blobs.dropFirst(part)), lost: [], counter: UInt64(count)),
        ]
        #expect(told == parts)
    }

    /// Of blobs that a device lost one by one as many as the limit are remembered. With one more nothing counts of what it
    /// told whole, and it is asked for everything on the next connection, in this run and in the next.
    @Test(arguments: [3, 4])
    func lossesAreBounded(lostCount: Int) throws {
        var limits = EngineLimits()
        limits.lostCountMax = 3
        let network = try TestNetwork.pair()
        let anna = network.nodes[0].engine
        let photo = file(1).blob
        let dots = anna.catalog.namingDots(of: photo)
        let replica = try #require(dots.first?.replica)
        let whole = Presence(branches: [.init(replica: replica, head: anna.log.heads(of: replica)[0], runs: [1...9])])
        var peer = try PlayedPeer(log: network.nodes[0].journal.map(\.signed), limits: limits)
        func isClaimed() -> Bool { peer.engine.holdings.claims(peer.device, photo, dots: dots) }
        func isPositionKept() -> Bool { peer.engine.holdingsRecord(of: peer.device)?.position != nil }
        peer.connect()
        peer.receive(.presence(whole, counter: 1))
        #expect(isClaimed() && isPositionKept())
        let isRemembered = lostCount <= limits.lostCountMax
        for number in 1...lostCount {
            peer.receive(.presenceChanged(PresenceChange(held: [], lost: [blob(number)], counter: UInt64(1 + number))))
            let lost = peer.engine.holdings.entries[peer.device]?.holdings.lost
            #expect(lost?.count == (number <= limits.lostCountMax ? number : 0))
        }
        #expect(isClaimed() == isRemembered && isPositionKept() == isRemembered)
        peer.feed(.disconnected(PlayedPeer.link))
        peer.sent = []
        peer.connect()
        guard case .hello(let hello) = peer.sent.first else {
            Issue.record("no hello")
            return
        }
        #expect((hello.known != nil) == isRemembered)
        peer.receive(.presence(whole, counter: 9))
        #expect(isClaimed() && isPositionKept())
    }

    /// Of blobs that a device named one by one as many as the limit are remembered for the next run. With one more it is
    /// asked for everything then.
    @Test(arguments: [0, 1])
    func namesThatAreRememberedAreBounded(moreCount: Int) throws {
        let countMax = WireLimits.presenceBlobCountMax
        let run = [UInt8](repeating: 7, count: 16)
        var book = HoldingsBook()
        book.replace(
            device(1), Presence(others: Set((0..<countMax).map { blob($0) })),
            position: PresencePosition(run: run, counter: 1), wall: 5)
        let more = PresenceChange(held: (0..<moreCount).map { blob(countMax + $0) }, lost: [], counter: 2)
        let isTaken = book.change(device(1), more, run: run, wall: 6) { _ in true }
        let record = try #require(book.record(of: device(1), wall: 7))
        #expect(isTaken && record.presence.others.count == countMax)
        var next = HoldingsBook()
        next.remember(device(1), record)
        #expect(next.base(of: device(1))?.position.counter == (moreCount == 0 ? 2 : nil))
    }
}
