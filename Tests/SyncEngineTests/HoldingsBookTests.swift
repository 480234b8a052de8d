import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Which of two statements of a device counts, whatever anybody's clock says.
@Suite struct HoldingsBookTests {
    private let ben = DeviceID(bytes: [UInt8](repeating: 2, count: 32))!
    private let replica = ReplicaID(bytes: [UInt8](repeating: 3, count: 16))!
    private let day: UInt64 = 24 * 3600 * 1_000_000
    private let wall: UInt64 = 1_700_000_000_000_000

    private func run(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }
    private func blob(_ number: UInt8) -> BlobID { file(number).blob }

    private func summary(
        _ blobs: Set<BlobID>, number: UInt64, run: UInt8? = nil, counter: UInt64 = 0
    ) -> PresenceSummary {
        PresenceSummary(
            device: ben, number: number, presence: Presence(others: blobs),
            position: run.map { PresencePosition(run: self.run($0), counter: counter) })
    }

    private func take(_ book: inout HoldingsBook, _ summary: PresenceSummary) {
        _ = book.take(summary, SignedStatement(content: summary.encoded(), signature: []), wall: wall)
    }

    private func claims(_ book: HoldingsBook, _ number: UInt8) -> Bool { book.claims(ben, blob(number), dots: []) }

    /// Ben's clock is an hour behind. He told over a connection that he has a photo, lost it after he left, and signed
    /// that; somebody passes it on.
    @Test(arguments: [1 as UInt8, 2])
    func aLossCountsWhateverTheClockSays(nextRun: UInt8) {
        var book = HoldingsBook()
        book.replace(
            ben, Presence(others: [blob(1)]), position: PresencePosition(run: run(1), counter: 4),
            summaryNumber: wall - day, wall: wall)
        book.left(ben, wall: wall)
        #expect(claims(book, 1))
        take(&book, summary([], number: wall - day / 24, run: nextRun, counter: nextRun == 1 ? 5 : 1))
        #expect(!claims(book, 1))
    }

    /// A summary of before a connection comes late, by way of others: what was said over the connection is newer.
    @Test func anOlderSummaryDoesNotCount() {
        var book = HoldingsBook()
        book.replace(
            ben, Presence(), position: PresencePosition(run: run(2), counter: 0), summaryNumber: wall - 10, wall: wall)
        book.left(ben, wall: wall)
        take(&book, summary([blob(1)], number: wall - 10, run: 1, counter: 9))
        #expect(!claims(book, 1))
        // In one run the counter tells, and the number says nothing.
        take(&book, summary([blob(1)], number: wall + day, run: 2, counter: 1))
        #expect(claims(book, 1))
    }

    /// A clock that was set back since a hello, in the same run or before the next: what is signed then is numbered as later
    /// than what the hello stands for. Else whoever heard the hello took a signed loss for an old word.
    @Test(arguments: [false, true])
    func aClockThatWasSetBackNumbersOnward(isRestarted: Bool) throws {
        var network = try TestNetwork.pair()
        let told = network.nodes[0].sent.compactMap { message -> UInt64? in
            if case .hello(let hello) = message { hello.summaryNumber } else { nil }
        }.max()
        var place = 0
        if isRestarted {
            network.cut(0, 1)
            let engine = network.nodes[0].engine
            // As an agent that is stopped keeps it.
            let kept = engine.holdings.devices.map { ($0, engine.holdingsRecord(of: $0)!) }
            try network.add(
                TestSigning(1), journal: network.nodes[0].journal, records: Dictionary(uniqueKeysWithValues: kept))
            place = 2
            network.connect(2, 1)
        }
        network.nodes[place].wall -= 500_000_000
        network.feed(place, .contribute(token: 2, .photo(albumName: "Beach", file(2))))
        network.settle()
        network.pass(until: network.now + 11)
        let engine = network.nodes[place].engine
        let number = try #require(engine.holdings.summary(of: engine.device)?.number)
        #expect(try number > #require(told))
    }

    /// Numbers near the end of all numbers, as only a home that somebody prepared has them, stay there.
    @Test(arguments: [.max, .max - 1, .max - 500] as [UInt64]) func numbersEnd(last: UInt64) {
        for wall in [0, last] as [UInt64] {
            var numbers = SummaryNumbers(reserved: last)
            let next = numbers.next(after: last, wall: wall)
            #expect(next >= last)
            _ = numbers.reserve(next, wall: wall)
            numbers.written(.max)
            #expect(numbers.reserved >= last && numbers.told(newest: last, wall: wall) >= last)
        }
    }

    /// A disk that takes nothing: what is signed meanwhile would be numbered anew by the next run, whose clock may be behind,
    /// so nothing is signed; and a hello stands for no more than what is written.
    @Test func aNumberIsWrittenBeforeItIsUsed() throws {
        var network = try TestNetwork.pair()
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(2))))
        network.settle()
        network.pass(until: network.now + 11)
        let device = network.nodes[0].engine.device
        func number() throws -> UInt64 { try #require(network.nodes[0].engine.holdings.summary(of: device)).number }
        let before = try number()
        network.feed(0, .contribute(token: 3, .photo(albumName: "Beach", file(3))))
        network.settle()
        network.nodes[0].isDiskFull = true
        network.nodes[0].wall += 2 * SummaryNumbers.leadMax
        network.pass(until: network.now + 60)
        #expect(try number() == before)
        let written = try #require(network.nodes[0].records[device]).summaryFloor
        network.connect(0, 1)
        let told = network.nodes[0].sent.compactMap { message -> UInt64? in
            if case .hello(let hello) = message { hello.summaryNumber } else { nil }
        }
        #expect(try #require(told.max()) <= written)
        network.nodes[0].isDiskFull = false
        let record = try #require(network.nodes[0].engine.holdingsRecord(of: device))
        network.feed(0, .holdingsRemembered(record.summaryFloor))
        network.settle()
        #expect(try number() > written)
    }

    /// While a device is connected no summary of another run replaces what it says.
    @Test func aConnectionIsNewerThanSummaries() {
        var book = HoldingsBook()
        book.replace(ben, Presence(), position: PresencePosition(run: run(2), counter: 0), wall: wall)
        take(&book, summary([blob(1)], number: wall + 5, run: 1, counter: 9))
        #expect(!claims(book, 1))
    }

    /// The protocol's first version does not number what it says, and its summary of an earlier run comes from somebody
    /// while it is connected: once it has left nobody knows which of the two is later. Of a number up to which the
    /// summaries are older it is known.
    @Test(arguments: [false, true])
    func whatIsNotNumberedGivesNoCopies(isNumberKnown: Bool) {
        var book = HoldingsBook()
        book.replace(
            ben, Presence(others: [blob(2)]), position: PresencePosition(run: run(2), counter: 0), wall: wall)
        take(&book, summary([blob(1)], number: wall + 5, run: 1, counter: 9))
        book.left(ben, summaryNumber: isNumberKnown ? wall + 5 : 0, isNumberTold: false, wall: wall)
        #expect(!claims(book, 1))
        #expect(claims(book, 2) == isNumberKnown)
    }

    /// A connection stalled, and a summary of the same run came by way of others, signed later than what then comes over
    /// the connection: an earlier word does not take the place of a later one.
    @Test(arguments: [3 as UInt64, 4])
    func aSummaryOvertakesChanges(counter: UInt64) {
        var book = HoldingsBook()
        book.replace(ben, Presence(), position: PresencePosition(run: run(1), counter: 2), wall: wall)
        take(&book, summary([blob(2)], number: wall + 5, run: 1, counter: 4))
        _ = book.change(
            ben, PresenceChange(held: [blob(1)], lost: [blob(2)], counter: counter), run: run(1), wall: wall
        ) { _ in true }
        #expect(!claims(book, 1) && claims(book, 2))
        #expect(book.position(of: ben)?.counter == 4)
        _ = book.change(
            ben, PresenceChange(held: [blob(1)], lost: [], counter: 5), run: run(1), wall: wall
        ) { _ in true }
        #expect(claims(book, 1) && claims(book, 2))
    }

    /// The same where it overtakes the first word of a connection.
    @Test func aSummaryOvertakesPresence() {
        var book = HoldingsBook()
        take(&book, summary([blob(2)], number: wall + 5, run: 1, counter: 4))
        book.replace(
            ben, Presence(others: [blob(1)]), position: PresencePosition(run: run(1), counter: 3), wall: wall)
        #expect(!claims(book, 1) && claims(book, 2))
        #expect(book.counts(ben, wall: wall + 100 * day), "It is connected.")
    }

    /// Two agents with one key, as copies of a home have for a while: changes that one tells say nothing of what the other
    /// told.
    @Test func changesBelongToTheirRun() {
        var book = HoldingsBook()
        book.replace(
            ben, Presence(others: [blob(1)]), position: PresencePosition(run: run(1), counter: 4), wall: wall)
        _ = book.change(
            ben, PresenceChange(held: [blob(2)], lost: [], counter: 9), run: run(2), wall: wall
        ) { _ in true }
        #expect(claims(book, 1) && !claims(book, 2))
        #expect(book.entries[ben]?.position?.counter == 4)
    }

    /// Seven days count, also where the device's last word was a summary; what seems to come from tomorrow does not.
    @Test func wordsAge() {
        var book = HoldingsBook()
        take(&book, summary([blob(1)], number: wall, run: 1))
        #expect(book.counts(ben, wall: wall + 6 * day))
        #expect(!book.counts(ben, wall: wall + 7 * day))
        // The clock here was a year ahead when Ben spoke, and was put right.
        var wrong = HoldingsBook()
        wrong.replace(
            ben, Presence(others: [blob(1)]), position: PresencePosition(run: run(1), counter: 4),
            wall: wall + 365 * day)
        #expect(wrong.counts(ben, wall: wall))
        wrong.left(ben, wall: wall + 365 * day)
        #expect(!wrong.counts(ben, wall: wall))
    }

    /// "Not here" makes a copy doubtful until its device brings it or names it anew; it goes on being worth a question.
    @Test func aDenialIsNoLoss() {
        let log = BatchLog()
        var book = HoldingsBook()
        book.replace(
            ben, Presence(others: [blob(1)]), position: PresencePosition(run: run(1), counter: 4), wall: wall)
        func proves() -> Bool { book.entries[ben]!.holdings.proves(blob(1), dots: [], log: log) }
        book.deny(ben, blob(1))
        #expect(!proves() && claims(book, 1))
        book.retractDenial(ben, blob(1))
        #expect(proves())
        book.deny(ben, blob(1))
        _ = book.change(
            ben, PresenceChange(held: [blob(1)], lost: [], counter: 5), run: run(1), wall: wall
        ) { _ in true }
        #expect(proves())
    }

    /// An earlier version's runs say of no branch how far they go: who tells so is asked, and is no proof.
    @Test func runsWithoutHeadsProveNothing() throws {
        let network = try TestNetwork.pair()
        let engine = network.nodes[0].engine
        let dots = engine.catalog.namingDots(of: blob(1))
        let replica = try #require(dots.first?.replica)
        let holdings = Holdings(Presence(branches: [.init(replica: replica, head: nil, runs: [1...9])]))
        #expect(holdings.claims(blob(1), dots: dots))
        #expect(!holdings.proves(blob(1), dots: dots, log: engine.log))
        let head = try #require(engine.log.heads(of: replica).first)
        let told = Holdings(Presence(branches: [.init(replica: replica, head: head, runs: [1...9])]))
        #expect(told.proves(blob(1), dots: dots, log: engine.log))
        // Of a head that is not known here nobody can say what lies before it.
        let unknown = Head(sequence: head.sequence, branch: head.branch &+ 1)
        let strange = Holdings(Presence(branches: [.init(replica: replica, head: unknown, runs: [1...9])]))
        #expect(strange.claims(blob(1), dots: dots))
        #expect(!strange.proves(blob(1), dots: dots, log: engine.log))
    }

    /// More changes than one message holds: each message says how far it goes, so whoever is cut off after the first is
    /// told the rest on the next connection.
    @Test func changesAreCountedMessageByMessage() throws {
        var network = try TestNetwork.connected()
        let anna = network.nodes[0].engine.device
        let before = try #require(network.nodes[1].engine.holdings.entries[anna]?.position)
        network.cut(0, 1)
        let blobs = (0..<1500).map { number in
            BlobID(bytes: [UInt8](repeating: UInt8(number % 256), count: 31) + [UInt8(number / 256)])!
        }
        for (number, blob) in blobs.enumerated() {
            var photo = file(1)
            photo.blob = blob
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Beach", photo)))
        }
        network.settle()
        // A peer that knows as much as before is told in parts, and hears only the first.
        network.nodes[0].sent = []
        network.connect(0, 1)
        network.settle()
        let parts = network.nodes[0].sent.compactMap { message -> PresenceChange? in
            if case .presenceChanged(let change) = message { change } else { nil }
        }.filter { !$0.held.isEmpty }
        #expect(parts.count >= 2)
        var counter = before.counter
        for part in parts {
            counter += UInt64(part.held.count)
            #expect(part.counter == counter)
        }
        var book = HoldingsBook()
        book.replace(anna, Presence(), position: before, wall: wall)
        _ = book.change(anna, parts[0], run: before.run, wall: wall) { _ in true }
        let position = try #require(book.entries[anna]?.position)
        let rest = try #require(network.nodes[0].engine.presence.own.changes(since: position.counter))
        #expect(Set(parts[0].held).union(rest) == Set(blobs))
    }
}
