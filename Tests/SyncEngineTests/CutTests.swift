import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What a laptop signed beyond the cut by which it was put out is known and counts for nothing, in whatever order rulings and
/// batches come. Laptop 1 founded the gathering and puts 3 out; 2 is the laggard.
@Suite struct CutTests {
    private let rulings = TestRulings()
    private let seed = Seed(bytes: [UInt8](repeating: 3, count: Seed.byteCount))!
    private let outsider = TestRulings.device(TestSigning(3))

    /// What one laptop has on its disk.
    private struct Home {
        let journal: [(id: BatchID, signed: SignedBatch)]
        let rulings: [SignedStatement]
        let seeds: [RulingID: Seed]

        init(_ node: TestNetwork.Node, _ book: RulingBook) {
            journal = node.journal
            rulings = book.ids.map { book.statement($0)! }
            seeds = book.seeds
        }
    }

    private func network() -> TestNetwork {
        var network = TestNetwork()
        network.founding = rulings.id
        return network
    }

    /// Starts a laptop with what is on its disk.
    private func start(
        _ number: UInt8, _ home: Home, continuing replica: ReplicaID? = nil, in network: inout TestNetwork
    ) throws {
        try network.add(
            TestSigning(number), journal: home.journal, replica: replica, rulings: home.rulings, seeds: home.seeds)
    }

    /// Three laptops that know each other. Photo 1 is the outsider's.
    private func gathering() throws -> TestNetwork {
        var network = network()
        for number: UInt8 in 1...3 {
            try network.add(TestSigning(number), rulings: [rulings.founding], seeds: [rulings.id: rulings.seed])
        }
        network.connect(0, 1)
        network.connect(0, 2)
        for node in 0...2 { network.feed(node, .contribute(token: 1, .deviceName("\(node)"))) }
        network.settle()
        network.feed(2, .contribute(token: 2, .photo(albumName: "Beach", file(1))))
        network.settle()
        return network
    }

    /// The same once 3 is out, and has added photo 2.
    private func gatheringThatPutOut() throws -> TestNetwork {
        var network = try gathering()
        network.feed(0, .newPhrase(token: 5, seed, puttingOut: [outsider]))
        network.settle()
        network.feed(2, .contribute(token: 6, .photo(albumName: "Beach", file(2))))
        network.settle()
        return network
    }

    private func photos(_ engine: Engine) -> Set<BlobID> {
        Set(engine.catalog.albums.values.flatMap { $0.livePhotos.map(\.key) })
    }

    private func leftOut(_ engine: Engine) -> [BlobID] {
        engine.log.leftOut.photos(besides: engine.catalog).map(\.blob)
    }

    /// The laggard has what 3 signed since. Both laptops that stay know the same batches then, and leave out the same.
    @Test func nothingBeyondACutIsInAnAlbum() throws {
        let before = try gatheringThatPutOut()
        var network = network()
        try start(1, Home(before.nodes[0], before.nodes[0].rulings), in: &network)
        try start(2, Home(before.nodes[2], before.nodes[0].rulings), in: &network)
        #expect(photos(network.nodes[1].engine) == [file(1).blob])
        network.connect(0, 1)
        network.settle()
        for node in network.nodes {
            #expect(photos(node.engine) == [file(1).blob])
            #expect(leftOut(node.engine) == [file(2).blob])
            #expect(node.engine.log.leftOut.batchCount == 1 && !node.engine.isFoldStale)
            #expect(node.engine.wantedPhotos.contains(file(1).blob) && !node.engine.wantedPhotos.contains(file(2).blob))
            #expect(!node.events.contains { if case .digestMismatch = $0 { true } else { false } })
        }
        #expect(network.nodes[0].engine.log.vector == network.nodes[1].engine.log.vector)
        #expect(network.digests(0) == network.digests(1))
    }

    /// The batches came before the ruling: the agent begins anew, and leaves out the same.
    @Test func rulingsThatComeLateHaveAllFoldedAnew() throws {
        let before = try gatheringThatPutOut()
        var laggard = network()
        try start(2, Home(before.nodes[2], rulings.book()), in: &laggard)
        #expect(photos(laggard.nodes[0].engine) == [file(1).blob, file(2).blob])
        let book = before.nodes[0].rulings
        laggard.feed(0, .caughtUp(token: 7, [book.statement(book.ids.last!)!], seeds: [:]))
        laggard.settle()
        #expect(laggard.nodes[0].events.contains(.epochsChanged) && laggard.nodes[0].engine.isFoldStale)
        var later = network()
        try start(2, Home(laggard.nodes[0], laggard.nodes[0].rulings), in: &later)
        #expect(photos(later.nodes[0].engine) == [file(1).blob] && leftOut(later.nodes[0].engine) == [file(2).blob])
        #expect(!later.nodes[0].engine.isFoldStale)
    }

    /// At home nobody loses anything by being put out.
    @Test func everythingCountsAtHome() throws {
        let before = try gatheringThatPutOut()
        var network = network()
        try start(3, Home(before.nodes[2], before.nodes[0].rulings), in: &network)
        #expect(photos(network.nodes[0].engine) == [file(1).blob, file(2).blob])
        #expect(network.nodes[0].engine.log.leftOut.batchCount == 0 && !network.nodes[0].engine.isFoldStale)
    }

    /// Whoever is let in again has what it added meanwhile in the albums, and so has whoever was put out by an epoch that is
    /// void by now.
    @Test(arguments: [true, false]) func whatWasLeftOutComesBack(byLetIn: Bool) throws {
        let before = try gatheringThatPutOut()
        var network = network()
        try start(1, Home(before.nodes[2], before.nodes[0].rulings), in: &network)
        #expect(leftOut(network.nodes[0].engine) == [file(2).blob])
        if byLetIn {
            network.feed(0, .letIn(token: 7, [outsider]))
        } else {
            // The recovery code puts the founder out, and takes back what it ruled.
            let (founder, log) = (TestRulings.device(TestRulings.founder), network.nodes[0].engine.log)
            let last = try #require(network.nodes[0].rulings.ids.last)
            let epoch = Ruling.Epoch(
                commitment: seed.commitment,
                out: [Ruling.Out(device: founder, cuts: log.cuts(of: founder, countMax: 9))], voids: [last])
            let undoing = TestRulings.sign(.epoch(epoch), after: [last], by: TestRulings.recovery)
            network.feed(0, .caughtUp(token: 8, [undoing], seeds: [:]))
        }
        network.settle()
        #expect(network.nodes[0].events.contains(.epochsChanged) && network.nodes[0].engine.isFoldStale)
        var later = self.network()
        try start(2, Home(network.nodes[0], network.nodes[0].rulings), in: &later)
        #expect(photos(later.nodes[0].engine) == [file(1).blob, file(2).blob])
        #expect(later.nodes[0].engine.log.leftOut.batchCount == 0)
    }

    /// A branch that begins before the cut and does not lead to its end counts only until that end comes.
    @Test func branchesBelowACutAreLeftOut() throws {
        var known = try gathering()
        let log = known.nodes[2].engine.log
        let replica = try #require(log.replicas.first { log.author(of: $0) == outsider })
        let common = Home(known.nodes[2], rulings.book())
        known.feed(2, .contribute(token: 3, .photo(albumName: "Beach", file(2))))
        known.settle()
        known.feed(0, .newPhrase(token: 5, seed, puttingOut: [outsider]))
        known.settle()
        // A copy of the home signs another batch of the same number.
        var copy = self.network()
        try start(3, common, continuing: replica, in: &copy)
        copy.feed(0, .contribute(token: 4, .photo(albumName: "Beach", file(4))))
        copy.settle()
        let branch = try #require(copy.nodes[0].journal.last)
        let end = try #require(known.nodes[2].engine.log.soleHead(of: replica)).id

        var network = self.network()
        try start(1, Home(copy.nodes[0], known.nodes[0].rulings), in: &network)
        #expect(photos(network.nodes[0].engine) == [file(1).blob, file(4).blob])
        try start(2, Home(known.nodes[0], known.nodes[0].rulings), in: &network)
        network.connect(0, 1)
        network.settle()
        for node in network.nodes { #expect(node.engine.log.contains(end) && node.engine.log.contains(branch.id)) }
        // To the one the branch came first.
        #expect(network.nodes[0].events.contains(.epochsChanged) && network.nodes[0].engine.isFoldStale)
        #expect(!network.nodes[1].engine.isFoldStale && leftOut(network.nodes[1].engine) == [file(4).blob])
        var later = self.network()
        try start(1, Home(network.nodes[0], network.nodes[0].rulings), in: &later)
        #expect(photos(later.nodes[0].engine) == [file(1).blob, file(2).blob])
        #expect(leftOut(later.nodes[0].engine) == [file(4).blob] && !later.nodes[0].engine.isFoldStale)
    }

    /// Somebody who stays took a photo away that is left out: it is not offered any more.
    @Test func whatWasRemovedIsNotLeftOut() throws {
        let before = try gatheringThatPutOut()
        var laggard = network()
        try start(2, Home(before.nodes[2], rulings.book()), in: &laggard)
        let album = try #require(laggard.nodes[0].engine.catalog.albums(of: file(2).blob).first)
        laggard.feed(0, .contribute(token: 8, .photoRemoval(album, file(2).blob)))
        laggard.settle()
        var later = network()
        try start(2, Home(laggard.nodes[0], before.nodes[0].rulings), in: &later)
        #expect(leftOut(later.nodes[0].engine).isEmpty && later.nodes[0].engine.log.leftOut.batchCount == 1)
    }

    // MARK: Logs alone

    /// Batches 0, 1, 2 and 3 follow each other; 4 follows 1, and has the number of 2.
    private static func replica() -> TestReplica {
        var replica = TestReplica(1)
        for previous in [nil, 0, 1, 2, 1] as [Int?] { _ = replica.add(after: previous) }
        return replica
    }

    /// - Parameter ends: by the places of their batches; the numbers are as an epoch may tell them.
    private static func cuts(_ replica: TestReplica, _ ends: [(place: Int, sequence: UInt64)]) -> Cuts {
        let rulings = TestRulings()
        let ends = ends.map { Ruling.Cut.End(sequence: $0.sequence, batch: replica.batches[$0.place].id) }
        let cut = Ruling.Cut(replica: replica.id, ends: ends.sorted())
        let out = Ruling.Out(device: replica.batches[0].author, cuts: [cut])
        let epoch = Ruling.Epoch(commitment: rulings.seed.commitment, out: [out])
        let statement = TestRulings.sign(.epoch(epoch), after: [rulings.id], by: TestRulings.founder)
        var book = rulings.book()
        _ = try? book.insert(statement, using: TestRulings.founder)
        return book.cuts(on: TestRulings.device(TestRulings.founder))
    }

    /// - Returns: the log then, and the places of batches that did not count when they came.
    private func fill(
        _ empty: BatchLog, _ replica: TestReplica, _ order: [Int]
    ) -> (log: BatchLog, left: [Int]) {
        var log = empty
        let left = order.filter { !log.insert(replica.batches[$0]) }
        return (log, left.sorted())
    }

    /// In whatever order batches come, in the end the ancestors of the cut's end count.
    @Test(arguments: [[0, 1, 2, 3, 4], [0, 1, 2, 4, 3], [0, 1, 4, 2, 3]]) func theOrderChangesNothing(order: [Int]) {
        let replica = Self.replica()
        var (log, left) = fill(BatchLog(cuts: Self.cuts(replica, [(2, 3)])), replica, order)
        #expect(log.isMisjudged == (order[2] == 4))
        if let corrected = log.corrected { (log, left) = fill(corrected, replica, order) }
        #expect(left == [3, 4] && !log.isMisjudged)
        #expect(log.leftOut.batchCount == 2 && log.batchCount == 5)
    }

    /// While a cut's end is not there, numbers tell; and of several ends each counts.
    @Test func numbersTellWhereAnEndIsMissing() {
        let replica = Self.replica()
        func left(_ ends: [(place: Int, sequence: UInt64)], _ order: [Int]) -> [Int] {
            fill(BatchLog(cuts: Self.cuts(replica, ends)), replica, order).left
        }
        #expect(left([(2, 3)], [0, 1]) == [])
        #expect(left([(3, 4)], [0, 1, 2, 4]) == [])
        #expect(left([(2, 3)], [0, 1, 4]) == [])
        #expect(left([(1, 2)], [0, 1, 2]) == [2])
        #expect(left([(2, 3), (4, 3)], [0, 1, 2, 3, 4]) == [3])
        #expect(left([(1, 2), (3, 4)], [0, 1, 2, 4]) == [])
    }

    /// An epoch tells a lower number than that of the batch which it names: what was left out by that counts once the batch is
    /// there.
    @Test func numbersThatAreTooLowHarmNobody() throws {
        let replica = Self.replica()
        let order = [0, 1, 2, 3, 4]
        let (log, left) = fill(BatchLog(cuts: Self.cuts(replica, [(3, 1)])), replica, order)
        #expect(log.isMisjudged && left == [1, 2, 4])
        let (corrected, rest) = fill(try #require(log.corrected), replica, order)
        #expect(!corrected.isMisjudged && rest == [4])
    }
}
