import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What devices say that they hold takes bounded room, and what honest laptops say is what is kept of it.
@Suite struct SummaryBoundTests {
    private let wall: UInt64 = 1_700_000_000_000_000

    private func device(_ number: UInt8) -> DeviceID {
        BatchSignature.deviceID(publicKey: TestSigning(number).publicKey)
    }

    /// The batch by which a device that somebody invented becomes known.
    private func invented(_ number: UInt8) throws -> SignedBatch {
        var network = TestNetwork()
        try network.add(TestSigning(number))
        network.feed(0, .contribute(token: 1, .deviceName("Laptop \(number)")))
        network.settle()
        return try #require(network.nodes[0].journal.first).signed
    }

    /// A summary that names every photo of the first replicas, and as many numbers of no photo as are asked for.
    private func statement(
        _ number: UInt8, naming engine: Engine?, fillerCount: Int = 0, at time: UInt64
    ) -> SignedStatement {
        var presence = Presence()
        for replica in engine?.log.replicas ?? [] {
            let head = engine!.log.heads(of: replica)[0]
            presence.branches.append(.init(replica: replica, head: head, runs: [1...head.sequence]))
        }
        if fillerCount > 0 {
            let runs = (0..<UInt64(fillerCount)).map { 2 * $0 + 1...2 * $0 + 1 }
            let replica = ReplicaID(bytes: [UInt8](repeating: number, count: 16))!
            presence.branches.append(.init(replica: replica, head: Head(sequence: 1, branch: 1), runs: runs))
        }
        let summary = PresenceSummary(
            device: device(number), number: time, presence: presence,
            position: PresencePosition(run: [UInt8](repeating: number, count: 16), counter: time))
        return TestSigning(number).sign(summary.encoded(), .summary)
    }

    private var small: EngineLimits {
        var limits = EngineLimits()
        limits.summaryByteCountMax = 20_000
        limits.holdingsByteCountMax = 200_000
        return limits
    }

    /// Sixty invented devices, each with a photo that is there and a long list of others, and some whose summaries are
    /// longer than one may be. What is kept of them is bounded; an honest laptop's word stays, twenty photos come, and
    /// whoever connects later is told no more than what is kept.
    @Test func inventedDevicesTakeBoundedRoom() throws {
        var network = TestNetwork()
        for number in 1...3 as ClosedRange<UInt8> { try network.add(TestSigning(number), limits: small) }
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.connect(0, 1)
        network.settle()
        let link = try #require(network.nodes[1].links.keys.first)
        let anna = network.nodes[0].engine
        func hear(_ number: UInt8, fillerCount: Int) throws {
            network.receive(.batches(BatchPage(batches: [try invented(number)], page: 0)), at: 1, over: link)
            let statement = statement(number, naming: anna, fillerCount: fillerCount, at: network.nodes[1].wall)
            network.receive(.summaries([statement]), at: 1, over: link)
        }
        try hear(90, fillerCount: 0)
        for number in 100..<160 as Range<UInt8> {
            try hear(number, fillerCount: number % 10 == 0 ? 4000 : 1500)
            #expect(network.nodes[1].engine.queueSizes.excess(over: small) == nil)
        }
        let ben = network.nodes[1].engine
        #expect(ben.holdings.byteCount > 100_000 && ben.holdings.byteCount <= small.holdingsByteCountMax)
        #expect(ben.holdings.summary(of: device(90)) != nil)
        #expect(ben.copies(wall: network.nodes[1].wall).holders(of: file(1).blob).contains(device(90)))
        for number in 10..<30 as Range<UInt8> {
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
        }
        network.settle()
        #expect(network.nodes[1].engine.held.count == 21)
        network.connect(2, 1)
        network.settle()
        network.pass(until: network.now + 120)
        #expect(network.nodes[2].engine.held.count == 21)
        #expect(network.nodes[2].engine.holdings.summary(of: device(90)) != nil)
        #expect(network.nodes[2].engine.queueSizes.excess(over: small) == nil)
        #expect(network.nodes[1].links.count == 2)
    }

    /// A device that names nothing that is known here is no copy of anything: its summary is neither kept nor passed on.
    /// One that added nothing and holds a copy of a photo is what everybody's safety rests on.
    @Test func summariesOfNothingAreNotKept() throws {
        let network = try TestNetwork.pair()
        let anna = network.nodes[0]
        let others = [try invented(100), try invented(101)]
        var peer = try PlayedPeer(log: anna.journal.map(\.signed) + others, held: anna.engine.held)
        peer.connect()
        peer.receive(.summaries([statement(100, naming: nil, fillerCount: 50, at: wall)]))
        peer.receive(.summaries([statement(101, naming: anna.engine, at: wall)]))
        #expect(heardOf(peer.engine) == [device(101)])
        #expect(peer.engine.copies(wall: wall).holders(of: file(1).blob) == [device(101)])
        // Whoever held something says in the same way that it is gone, and an older word does not bring it back.
        peer.receive(.summaries([statement(101, naming: nil, at: wall + 1)]))
        peer.receive(.summaries([statement(101, naming: anna.engine, at: wall)]))
        #expect(peer.engine.copies(wall: wall).holders(of: file(1).blob).isEmpty)
    }

    /// Devices of which something is kept, without the own one.
    private func heardOf(_ engine: Engine) -> [DeviceID] { engine.holdings.devices.filter { $0 != engine.device } }

    /// A summary that came before the batches that it speaks of is asked for again once these are known, and only once.
    @Test func whatCameTooEarlyIsAskedForAgain() throws {
        let network = try TestNetwork.pair()
        let anna = network.nodes[0]
        var peer = try PlayedPeer(log: [try invented(101)])
        peer.connect()
        let early = statement(101, naming: anna.engine, at: wall)
        peer.receive(.summaries([early]))
        #expect(heardOf(peer.engine).isEmpty)
        peer.receive(.batches(BatchPage(batches: anna.journal.map(\.signed), page: 1)))
        for round in 1...2 {
            peer.sent = []
            peer.receive(.catalogDigest(root: [], vectorHash: []))
            let questions = peer.sent.filter { if case .summaryVersions = $0 { true } else { false } }
            let question = Message.summaryVersions(SummaryVersions(numbers: [:], isWhole: true))
            #expect(questions == (round == 1 ? [question] : []))
        }
        peer.receive(.summaries([early]))
        #expect(peer.engine.copies(wall: wall).holders(of: file(1).blob) == [device(101)])
    }

    /// Where there is no room the longest words are given up, never that of a connected device; nobody is asked for them
    /// again, and they do not count when they come.
    @Test func theLongestWordsMakeRoom() {
        var limits = EngineLimits()
        limits.holdingsByteCountMax = 100_000
        var book = HoldingsBook(limits: limits)
        func take(_ number: UInt8, byteCount: Int, at time: UInt64) -> Bool {
            let summary = PresenceSummary(
                device: device(number), number: time, presence: Presence(others: [file(number).blob]))
            let content = [UInt8](repeating: number, count: byteCount)
            return book.take(summary, SignedStatement(content: content, signature: []), wall: wall)
        }
        let names = Set(
            (0..<1000 as Range<UInt64>).map { number in
                BlobID(bytes: BigEndian.bytes(number) + [UInt8](repeating: 0, count: 24))!
            })
        book.replace(
            device(1), Presence(others: names), position: PresencePosition(run: [], counter: 1), wall: wall)
        for number in 10..<20 as Range<UInt8> { _ = take(number, byteCount: 200, at: wall) }
        for number in 20..<30 as Range<UInt8> { _ = take(number, byteCount: 20_000 + Int(number), at: wall) }
        #expect(book.byteCount <= limits.holdingsByteCountMax)
        #expect((10..<20 as Range<UInt8>).allSatisfy { book.claims(device($0), file($0).blob, dots: []) })
        #expect(book.claims(device(1), names.first!, dots: []))
        let gone = (20..<30 as Range<UInt8>).filter { book.summary(of: device($0)) == nil }
        #expect(gone == Array(22..<30))
        #expect(gone.allSatisfy { !book.claims(device($0), file($0).blob, dots: []) })
        #expect(gone.allSatisfy { book.summaryNumbers[device($0).prefix] == wall })
        let isTakenAgain = take(25, byteCount: 100, at: wall)
        #expect(!isTakenAgain)
        let isLaterTaken = take(25, byteCount: 100, at: wall + 1)
        #expect(isLaterTaken && book.claims(device(25), file(25).blob, dots: []))
        // When it has left, a connected device's word is one like others.
        book.left(device(1), wall: wall)
        let isLongTaken = take(40, byteCount: 45_000, at: wall)
        #expect(isLongTaken && !book.claims(device(1), names.first!, dots: []))
    }

    /// Of more devices than there is room for, new ones are passed over, but for those that are there themselves.
    @Test func devicesAreBounded() {
        var limits = EngineLimits()
        limits.summaryDeviceCountMax = 5
        var book = HoldingsBook(limits: limits)
        for number in 1...9 as ClosedRange<UInt8> {
            let summary = PresenceSummary(
                device: device(number), number: wall, presence: Presence(others: [file(number).blob]))
            let content = [UInt8](repeating: 0, count: 100 - Int(number))
            _ = book.take(summary, SignedStatement(content: content, signature: []), wall: wall)
        }
        #expect(book.devices == (1...5 as ClosedRange<UInt8>).map { device($0) }.sorted())
        book.replace(device(9), Presence(), position: PresencePosition(run: [], counter: 1), wall: wall)
        #expect(book.devices.count == 5 && book.devices.contains(device(9)) && !book.devices.contains(device(5)))
    }

    /// A summary that is longer than one may be is dropped, and with it what its device said before: it says less now,
    /// for all that is known.
    @Test func tooLongSummariesAreDropped() throws {
        let network = try TestNetwork.pair()
        let anna = network.nodes[0]
        var peer = try PlayedPeer(
            log: anna.journal.map(\.signed) + [try invented(101)], held: anna.engine.held, limits: small)
        peer.connect()
        peer.receive(.summaries([statement(101, naming: anna.engine, at: wall)]))
        #expect(peer.engine.copies(wall: wall).holders(of: file(1).blob) == [device(101)])
        peer.receive(.summaries([statement(101, naming: anna.engine, fillerCount: 4000, at: wall + 1)]))
        #expect(peer.engine.copies(wall: wall).holders(of: file(1).blob).isEmpty)
        #expect(peer.engine.holdings.summaryNumbers[device(101).prefix] == wall + 1)
        peer.receive(.summaries([statement(101, naming: anna.engine, at: wall + 2)]))
        #expect(peer.engine.copies(wall: wall).holders(of: file(1).blob) == [device(101)])
    }

    // MARK: The own one

    /// What somebody scatters over thousands of runs does not keep out what honest laptops added, and the whole stays short
    /// enough to be taken in by others.
    @Test func theOwnSummaryIsShort() throws {
        var limits = EngineLimits()
        limits.summaryByteCountMax = 1024 + 2000
        var log = BatchLog()
        var presence = OwnPresence()
        var replicas: [ReplicaID] = []
        for number in 1...3 as ClosedRange<UInt64> {
            var replica = TestReplica(number)
            replicas.append(replica.id)
            let batch = replica.add(after: nil, changeCount: 1000)
            log.insert(batch)
            for sequence in 1...1000 as ClosedRange<UInt64> {
                presence.insert(
                    Dot(replica: replica.id, sequence: sequence, branch: batch.id.prefix),
                    BlobID(bytes: BigEndian.bytes(sequence) + [UInt8](repeating: UInt8(number), count: 24))!,
                    added: .zero, isHeld: number != 2 || sequence % 2 == 0)
            }
        }
        let told = presence.whole(log, limits: limits)
        for replica in [replicas[0], replicas[2]] {
            #expect(told.branches.first { $0.replica == replica }?.runs == [1...1000])
        }
        let scattered = try #require(told.branches.first { $0.replica == replicas[1] })
        #expect((100..<500).contains(scattered.runs.count))
        let summary = PresenceSummary(
            device: device(1), number: .max, presence: told,
            position: PresencePosition(run: [UInt8](repeating: 1, count: 16), counter: .max))
        #expect(summary.encoded().count <= limits.summaryByteCountMax)
        #expect(presence.whole(log, limits: EngineLimits()).branches.reduce(0) { $0 + $1.runs.count } == 502)
    }

    /// 100,000 photos of 1,000 devices, of which every second change is held: the worst that an honest laptop may have to
    /// tell is told whole.
    @Test func theWorstHonestPresenceFits() {
        let head = Head(sequence: 200_000, branch: .max)
        let replica = ReplicaID(bytes: [UInt8](repeating: 1, count: 16))!
        let runs = (0..<100_000 as Range<UInt64>).map { 2 * $0 + 1...2 * $0 + 1 }
        let scattered = Presence.Branch(replica: replica, head: head, runs: runs)
        let single = Presence.Branch(replica: replica, head: head, runs: [1...200])
        #expect(scattered.byteCount + 1000 * single.byteCount <= EngineLimits().toldPresenceByteCountMax)
    }

    /// What one connected device says takes bounded memory as well.
    @Test func toldPresenceIsCut() {
        let branches = (1...50 as ClosedRange<UInt64>).map { number in
            Presence.Branch(
                replica: TestReplica(number).id, head: nil, runs: (1...number).map { 2 * $0...2 * $0 })
        }
        let presence = Presence(branches: branches, others: [file(1).blob])
        #expect(presence.cut(to: EngineLimits().presenceByteCountMax) == presence)
        let cut = presence.cut(to: 5000)
        #expect(Holdings(cut).byteCount <= 5000 && Holdings(cut).byteCount > 4000)
        #expect(cut.others == [file(1).blob])
    }

    /// Ben lost all that he had, told so over a connection, and signs so. The word that he signed before must go: it would be
    /// passed on to those who have not heard of the loss.
    @Test func aSummaryOfNothingTakesTheFormerOnesPlace() throws {
        var network = try TestNetwork.pair()
        network.feed(1, .contribute(token: 1, .photo(albumName: "Beach", file(2))))
        network.settle()
        let link = try #require(network.nodes[0].links.keys.first)
        let former = statement(2, naming: network.nodes[0].engine, at: 2_000_000_000)
        network.receive(.summaries([former]), at: 0, over: link)
        #expect(network.nodes[0].engine.holdings.summary(of: device(2))?.statement == former)
        network.receive(.presence(Presence(), counter: 9), at: 0, over: link)
        let latest = statement(2, naming: nil, at: 3_000_000_000)
        network.receive(.summaries([latest]), at: 0, over: link)
        #expect(network.nodes[0].engine.holdings.summary(of: device(2))?.statement == latest)
    }

    /// A guest hears that there is a summary of somebody whose batches have not come: it asks for it when they have, and
    /// does not wait until it compares again.
    @Test func aGuestAsksForSummariesOfThoseWhoseBatchesCame() throws {
        var network = try TestNetwork.pair()
        network.feed(1, .contribute(token: 1, .photo(albumName: "Beach", file(2))))
        network.settle()
        let link = try #require(network.nodes[0].links.keys.first)
        let word = statement(2, naming: network.nodes[0].engine, at: 2_000_000_000)
        network.receive(.summaries([word]), at: 0, over: link)
        network.cut(0, 1)
        try network.add(TestSigning(3))
        network.connect(0, 2)
        network.settle()
        #expect(network.nodes[2].engine.holdings.summary(of: device(2))?.statement == word)
    }

    /// Mentions stay in order and are found, wherever they are put in.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func mentionsStayInOrder(seed: UInt64) {
        var random = TestRandom(state: seed)
        var numbers = (1...2000 as ClosedRange<UInt64>).map { $0 }
        if seed == 2 { numbers.reverse() }
        if seed == 3 { numbers.shuffle(using: &random) }
        var table = MentionTable()
        for number in numbers {
            let mention = BlobMention(
                sequence: number / 2, branch: number % 2, blob: file(1).blob, added: nil, isHeld: true)
            let (isNew, isKnown) = (table.insert(mention), table.insert(mention))
            #expect(isNew && !isKnown)
        }
        #expect(table.all.map { 2 * $0.sequence + $0.branch } == Array(1...2000))
        let replica = ReplicaID(bytes: [UInt8](repeating: 1, count: 16))!
        var place = table.place(of: Dot(replica: replica, sequence: 1000, branch: 0))
        var count = 0
        while let next = place {
            #expect(2 * table[next].sequence + table[next].branch == 2000 - UInt64(count))
            count += 1
            place = table.place(before: next)
        }
        #expect(count == 2000)
        #expect(table.place(of: Dot(replica: replica, sequence: 1001, branch: 0)) == nil)
        #expect(table.names([5000...6000, 7...7]) && !table.names([1001...1001]))
    }
}
