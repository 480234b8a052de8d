import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What becomes of pages and contributions, without links and disks.
@Suite struct StoringTests {
    private static let link = LinkID(number: 7)

    /// The part of one device, whose disk answers when the test feeds it.
    private struct Side {
        var storing: Storing
        var now = MonotonicInstant(nanoseconds: 5_000_000_000)
        private var random: TestRandom

        init(_ number: UInt8, journal: [AcceptedBatch] = [], replica: ReplicaID? = nil) throws {
            var fold = JournalFold()
            for batch in journal { try fold.add(batch.signed, id: batch.id, received: 1) }
            storing = Storing(
                of: LocalDevice(signing: TestSigning(number), run: [number], port: 1), journal: fold,
                replica: replica, limits: EngineLimits())
            random = TestRandom(state: UInt64(number))
        }

        mutating func feed(_ input: Storing.Input) -> [Storing.Directive] {
            storing.handle(input, now: now, wall: 1_000_000_000, using: &random)
        }

        mutating func add(_ numbers: ClosedRange<UInt8>, album: String = "Beach") {
            for number in numbers {
                _ = feed(.contribute(token: UInt64(number), .photo(albumName: album, file(number))))
            }
        }

        /// Begins a transaction; the disk has not answered yet.
        mutating func begin() -> [Storing.Directive] { storing.mayBegin ? feed(.begin) : [] }

        /// Adds photos, and makes them durable.
        ///
        /// - Returns: the batches.
        mutating func store(_ numbers: ClosedRange<UInt8>) -> [AcceptedBatch] {
            add(numbers)
            var batches: [AcceptedBatch] = []
            while storing.mayBegin {
                batches += StoringTests.stored(begin())
                _ = feed(.stored)
            }
            return batches
        }
    }

    /// What the disk is asked to make durable.
    private static func stored(_ directives: [Storing.Directive]) -> [AcceptedBatch] {
        directives.flatMap { directive -> [AcceptedBatch] in
            if case .store(let batches, _) = directive { batches } else { [] }
        }
    }

    /// Directives in words, without what is stored and folded in them.
    private static func names(_ directives: [Storing.Directive]) -> [String] {
        directives.map { directive in
            switch directive {
            case .store(let batches, let replica): "store \(batches.count)\(replica == nil ? "" : ", own replica")"
            case .close(_, .refusedBatch(let refusal)): "close: \(refusal)"
            case .close(_, let reason): "close: \(reason)"
            case .broughtNothing: "brought nothing"
            case .replicaRenewed: "replica renewed"
            case .named: "named"
            case .succeeded: "succeeded"
            case .renamed: "renamed"
            case .successionsChanged: "successions changed"
            case .misjudged: "misjudged"
            case .catalogChanged: "catalog changed"
            case .pageStored(_, let page): "page \(page) stored"
            case .list: "list"
            case .spread(let batches, let sources): "spread \(batches.count), \(sources.count) from links"
            case .held: "held"
            case .lacking: "lacking"
            case .carried(let token, let outcome):
                "carried \(token): \(outcome.newCount) new, \(outcome.knownCount) known, \(outcome.refusals.count) refused"
            case .contributed(let token, let album): "contributed \(token)\(album == nil ? "" : " to an album")"
            case .failed(let reason): "failed: \(reason)"
            }
        }
    }

    private func page(_ batches: [AcceptedBatch], _ number: UInt64 = 1) -> BatchPage {
        BatchPage(batches: batches.map(\.signed), page: number)
    }

    /// Until the disk has answered, a batch of this device is not known, a page is not acknowledged, and neither is passed
    /// on; then all of it follows in one go, what is known first.
    @Test func nothingCountsBeforeItIsDurable() throws {
        var ben = try Side(2)
        let theirs = ben.store(1...1)
        var anna = try Side(1)
        anna.add(2...2)
        _ = anna.feed(.received(Self.link, page(theirs, 4)))
        #expect(Self.names(anna.begin()) == ["store 2, own replica"])
        #expect(anna.storing.log.batchCount == 0 && anna.storing.catalog.albums.isEmpty)
        #expect(!anna.storing.mayBegin && anna.storing.waitingPageCount == 1)
        #expect(
            Self.names(anna.feed(.stored)) == [
                "named", "named", "renamed", "renamed", "catalog changed", "page 4 stored", "spread 2, 1 from links",
                "held", "contributed 2 to an album",
            ])
        #expect(anna.storing.log.batchCount == 2 && anna.storing.catalog.albums.values.map(\.liveCount) == [2])
        #expect(anna.feed(.stored).isEmpty && anna.storing.waitingPageCount == 0)
    }

    /// What the disk refused waits until the pause is over, and is stored then, with what came meanwhile behind it.
    @Test func whatFailedIsStoredLater() throws {
        var ben = try Side(2)
        let theirs = ben.store(1...1)
        var anna = try Side(1)
        anna.add(2...2)
        _ = anna.feed(.received(Self.link, page(theirs)))
        let first = Self.stored(anna.begin())
        #expect(first.count == 2)
        #expect(Self.names(anna.feed(.failed("disk full"))) == ["failed: disk full"])
        // The replica that it would have begun never came to be.
        #expect(anna.storing.own.id == nil && anna.storing.log.batchCount == 0)
        anna.add(3...3)
        #expect(!anna.storing.mayBegin)
        let due = try #require(anna.storing.nextDeadline)
        anna.now = due
        _ = anna.feed(.deadlineReached)
        #expect(anna.storing.nextDeadline == nil)
        let second = Self.stored(anna.begin())
        #expect(second.first?.id == theirs[0].id && second.last?.batch.proof != nil)
        #expect(second.last?.batch.changes.count == 3)
        let done = Self.names(anna.feed(.stored))
        #expect(done.suffix(2) == ["contributed 2 to an album", "contributed 3 to an album"])
        #expect(anna.storing.log.batchCount == 2)
    }

    /// A contribution is judged by what is known when its transaction begins: after a failure by more than before. The
    /// album has got its name from another device meanwhile.
    @Test func failedContributionsAreDraftedAnew() throws {
        var ben = try Side(2)
        let theirs = ben.store(1...1)
        var anna = try Side(1)
        anna.add(2...2)
        #expect(Self.stored(anna.begin()).map(\.batch.changes.count) == [2])
        _ = anna.feed(.received(Self.link, page(theirs)))
        _ = anna.feed(.failed("disk full"))
        anna.now = try #require(anna.storing.nextDeadline)
        _ = anna.feed(.deadlineReached)
        // The page shares the transaction and is not known when the batch is drafted: the batch names the album again.
        #expect(Self.stored(anna.begin()).map(\.batch.changes.count) == [2, 2])
        _ = anna.feed(.stored)
        anna.add(3...3)
        #expect(Self.stored(anna.begin()).map(\.batch.changes.count) == [1])
    }

    /// Pages that bring nothing new need no transaction: they are acknowledged at once, and their links were too slow.
    @Test func knownPagesNeedNoTransaction() throws {
        var ben = try Side(2)
        let theirs = ben.store(1...1)
        var anna = try Side(1, journal: theirs)
        _ = anna.feed(.received(Self.link, page(theirs, 9)))
        #expect(Self.names(anna.begin()) == ["brought nothing", "page 9 stored", "spread 0, 0 from links"])
        // An empty page answers a vector, and is no sign of a faster link.
        _ = anna.feed(.received(Self.link, page([], 10)))
        #expect(Self.names(anna.begin()) == ["page 10 stored", "spread 0, 0 from links"])
        #expect(!anna.storing.mayBegin)
    }

    /// A peer's wrong batch ends its link, and what came before it in the page is stored. Of a page that a person carried
    /// here all the others are, and the person is told.
    @Test func wrongBatchesAreRefused() throws {
        var ben = try Side(2)
        let theirs = (1...3 as ClosedRange<UInt8>).flatMap { ben.store($0...$0) }
        var signed = theirs.map(\.signed)
        signed[1].signature[0] ^= 1
        let wrong = BatchPage(batches: signed, page: 1)

        var anna = try Side(1)
        _ = anna.feed(.received(Self.link, wrong))
        let fromLink = anna.begin()
        #expect(Self.names(fromLink) == ["close: badSignature", "store 1"])
        #expect(Self.stored(fromLink).map(\.id) == [theirs[0].id])
        _ = anna.feed(.stored)
        #expect(anna.storing.log.batchCount == 1)

        _ = anna.feed(.carried(token: 5, wrong))
        // The third follows the second, which is not there.
        #expect(
            Self.names(anna.begin()) == ["spread 0, 0 from links", "carried 5: 0 new, 1 known, 2 refused"])
        _ = anna.feed(.carried(token: 6, page(theirs)))
        #expect(Self.names(anna.begin()) == ["store 2"])
        #expect(Self.names(anna.feed(.stored)).last == "carried 6: 2 new, 1 known, 0 refused")
    }

    /// A blob that is lost while its contribution waits is not held once that is durable, unless it was taken in again.
    @Test(arguments: [false, true]) func lostBlobsAreNotHeld(isTakenInAgain: Bool) throws {
        var anna = try Side(1)
        anna.add(1...1)
        _ = anna.begin()
        _ = anna.feed(.lost(file(1).blob))
        if isTakenInAgain { anna.add(1...1) }
        let names = Self.names(anna.feed(.stored))
        #expect(names.contains("lacking") == !isTakenInAgain && names.contains("held") == isTakenInAgain)
        // The loss concerns nothing that is contributed later.
        anna.add(2...2)
        _ = anna.begin()
        #expect(Self.names(anna.feed(.stored)).contains("held"))
    }

    /// A home that was copied writes on from the same batch. Once it sees the other's, by a page or by a vector, it begins
    /// another replica, and does not once more.
    @Test(arguments: [false, true]) func divergedReplicasAreGivenUp(byPage: Bool) throws {
        var anna = try Side(1)
        let journal = anna.store(1...1)
        let replica = try #require(anna.storing.own.id)
        var copy = try Side(1, journal: journal, replica: replica)
        let other = copy.store(2...2)
        _ = anna.store(3...3)
        if byPage {
            _ = anna.feed(.received(Self.link, page(other)))
            #expect(Self.names(anna.begin()) == ["replica renewed", "store 1"])
            _ = anna.feed(.stored)
        } else {
            #expect(Self.names(anna.feed(.replicaDiverged(replica))) == ["replica renewed"])
        }
        #expect(anna.feed(.replicaDiverged(replica)).isEmpty && anna.storing.own.id == nil)
        let next = anna.store(4...4)
        #expect(next.map(\.batch.firstSequence) == [1] && next.map(\.batch.replica) != [replica])
    }

    /// What does not fit into one batch waits for the next transaction, in its order.
    @Test func restOfAFullBatchIsStoredNext() throws {
        var anna = try Side(1)
        let album = anna.storing.catalog.albumID(named: "Beach")
        anna.add(1...1)
        // The name waits: it replaces the one that the first contribution gives.
        for (token, name) in zip(10...12 as ClosedRange<UInt64>, ["A", "B", "C"]) {
            _ = anna.feed(.contribute(token: token, .albumName(album, name)))
        }
        var tokens: [[UInt64]] = []
        while anna.storing.mayBegin {
            _ = anna.begin()
            tokens.append(
                anna.feed(.stored).compactMap { if case .contributed(let token, _) = $0 { token } else { nil } })
        }
        #expect(tokens == [[1, 10], [11], [12]])
        #expect(anna.storing.catalog.albums[album]?.name.shown?.value == "C")
    }
}
