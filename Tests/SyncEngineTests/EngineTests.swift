import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Engines over perfect cables: what one adds, the others come to hold.
@Suite struct EngineTests {
    private func network(_ count: Int) throws -> TestNetwork {
        var network = TestNetwork()
        for number in 0..<count { try network.add(TestSigning(UInt8(number + 1))) }
        return network
    }

    /// A photo added before and one added after connecting both reach the other side, bytes included.
    @Test func photosReachTheOtherSide() throws {
        var network = try network(2)
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        network.connect(0, 1)
        network.settle()
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(2))))
        network.settle()
        #expect(network.nodes[1].engine.held == [file(1).blob, file(2).blob])
        #expect(network.digests(0) == network.digests(1))
        #expect(
            network.nodes[0].engine.copies(wall: network.nodes[0].wall).holders(of: file(1).blob) == [
                network.nodes[1].engine.device
            ])
    }

    /// After a message about what came to be held the receiver knows as much as the sender counts: a reconnect is then
    /// told nothing twice.
    @Test func presenceIsCountedBeforeItIsTold() throws {
        var network = try network(2)
        network.connect(0, 1)
        network.settle()
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        let sender = network.nodes[0].engine
        let position = try #require(network.nodes[1].engine.holdings.entries[sender.device]?.position)
        #expect(position.counter == sender.presence.own.counter)
        #expect(sender.presence.own.counter > 0)
    }

    /// What a middle laptop learns it passes on: a chain of three is enough.
    @Test func batchesAndBlobsArePassedOn() throws {
        var network = try network(3)
        network.connect(0, 1)
        network.connect(1, 2)
        network.settle()
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        #expect(network.nodes[2].engine.held == [file(1).blob])
    }

    /// Both dial at once: one connection stays, and both sides keep the same one.
    @Test func simultaneousOpensAreSettled() throws {
        var network = try network(2)
        network.connect(0, 1)
        network.connect(1, 0)
        network.settle()
        #expect(network.nodes[0].links.count == 1)
        #expect(network.nodes[1].links.count == 1)
        #expect(network.nodes[0].engine.connectedDevices.count == 1)
    }

    /// A home that was copied and run twice forks its replica: both branches are kept everywhere, nothing is shadowed,
    /// and whoever learns of it goes on as a new replica.
    @Test func forkedReplicaLosesNothing() throws {
        var network = try network(1)
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        let backup = network.nodes[0].journal
        let replica = network.nodes[0].engine.storing.own.id
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(2))))
        network.feed(0, .contribute(token: 3, .photo(albumName: "Beach", file(3))))
        network.settle()
        try network.add(TestSigning(2))
        network.connect(0, 1)
        network.settle()
        // The same device, restored from the backup, edits on before it meets anybody.
        try network.add(TestSigning(1), journal: backup, replica: replica)
        network.feed(2, .contribute(token: 4, .photo(albumName: "Beach", file(4))))
        network.settle()
        network.connect(2, 1)
        network.settle()
        let blobs = [1, 2, 3, 4].map { file($0).blob }
        for node in [1, 2] {
            let album = try #require(network.nodes[node].engine.catalog.albums.values.first)
            #expect(Set(album.livePhotos.map(\.key)) == Set(blobs))
        }
        #expect(network.digests(1) == network.digests(2))
        #expect(network.nodes[2].events.contains(.replicaRenewed))
        network.feed(2, .contribute(token: 5, .photo(albumName: "Beach", file(5))))
        network.settle()
        #expect(network.nodes[1].engine.held.contains(file(5).blob))
        // The forked replica has its two branches and not a third.
        let forked = network.nodes[1].engine.log.vector.heads.values.filter { $0.count > 1 }
        #expect(forked.map(\.count) == [2])
    }

    /// The same in the other order: the restored copy edited nothing yet, and learns of its own later changes.
    @Test func restoredReplicaIsNotContinued() throws {
        var network = try network(1)
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        let backup = network.nodes[0].journal
        let replica = network.nodes[0].engine.storing.own.id
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(2))))
        network.settle()
        try network.add(TestSigning(2))
        network.connect(0, 1)
        network.settle()
        try network.add(TestSigning(1), journal: backup, replica: replica)
        network.connect(2, 1)
        network.settle()
        network.feed(2, .contribute(token: 3, .photo(albumName: "Beach", file(3))))
        network.settle()
        #expect(network.nodes[1].engine.log.vector.heads.values.allSatisfy { $0.count == 1 })
        #expect(network.digests(1) == network.digests(2))
    }

    /// A laptop with another phrase cannot put changes into the gathering.
    @Test func strangersBatchesAreRefused() throws {
        var network = TestNetwork()
        try network.add(TestSigning(1))
        var stranger = TestSigning(2)
        stranger.gathering = [9]
        try network.add(stranger)
        network.feed(1, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        network.connect(0, 1)
        network.settle()
        #expect(network.nodes[0].engine.catalog.albums.isEmpty)
        #expect(
            network.nodes[0].events.contains(.peerRefused(network.nodes[1].engine.device, .refusedBatch(.badProof))))
    }

    /// A change that carries somebody else's signature is refused.
    @Test func forgedSignatureIsRefused() throws {
        var network = try network(2)
        network.feed(1, .contribute(token: 1, .photo(albumName: "Beach", file(1))))
        network.settle()
        var journal = network.nodes[1].journal
        journal[0].signed.signature = [0]
        try network.add(TestSigning(2), journal: journal)
        network.connect(0, 2)
        network.settle()
        #expect(network.nodes[0].engine.catalog.albums.isEmpty)
        #expect(
            network.nodes[0].events.contains(.peerRefused(network.nodes[1].engine.device, .refusedBatch(.badSignature)))
        )
    }

    /// A disk that refuses the journal loses nothing: the photo is added when it works again.
    @Test func contributionsSurviveAFailedWrite() throws {
        var engine = try network(1).nodes[0].engine
        var random = TestRandom()
        let start = MonotonicInstant(nanoseconds: 1)
        _ = engine.handle(.contribute(token: 7, .deviceName("Anna")), now: start, wall: 1, using: &random)
        _ = engine.handle(.storeFailed("full"), now: start, wall: 1, using: &random)
        let later = try #require(engine.nextDeadline)
        let retried = engine.handle(.deadlineReached, now: later, wall: 2, using: &random)
        #expect(retried.contains { if case .store = $0 { true } else { false } })
        let done = engine.handle(.stored, now: later, wall: 2, using: &random)
        #expect(done.contains(.notify(.contributed(token: 7, album: nil))))
    }

    /// A photo whose pieces were right and whose whole was not is not held, and nobody is told that it is.
    @Test func rejectedWholesAreNotHeld() throws {
        let network = try TestNetwork.pair()
        let (anna, photo) = (network.nodes[0].engine, file(1).blob)
        let replica = try #require(anna.catalog.namingDots(of: photo).first?.replica)
        var peer = try PlayedPeer(log: network.nodes[0].journal.map(\.signed))
        peer.connect()
        let head = anna.log.heads(of: replica)[0]
        peer.receive(.presence(Presence(branches: [.init(replica: replica, head: head, runs: [1...9])]), counter: 1))
        let number = try #require(peer.engine.pull.scheduler.requests.first { $0.value.blob == photo }).key
        peer.feed(.pieceStored(PlayedPeer.link, number: number, .stored))
        peer.feed(.commitRejected(photo))
        peer.sent = []
        peer.pass(1)
        #expect(!peer.engine.held.contains(photo))
        #expect(!peer.sent.contains { if case .presenceChanged = $0 { true } else { false } })
    }

    /// A laptop that has asked another one for a photo of one piece, and the request's number.
    private func peerThatAsks(for photo: BlobID) throws -> (peer: PlayedPeer, number: UInt32) {
        let network = try TestNetwork.pair()
        var peer = try PlayedPeer(log: network.nodes[0].journal.map(\.signed))
        peer.connect()
        peer.receive(.presence(Presence(branches: [], others: [photo]), counter: 1))
        return (peer, try #require(peer.engine.pull.scheduler.requests.first { $0.value.blob == photo }).key)
    }

    /// A photo that the store made durable with its only piece is held, also where the request was taken back while it was
    /// written.
    @Test(arguments: [false, true])
    func committedWholesAreHeld(isCancelled: Bool) throws {
        let photo = file(1).blob
        let asking = try peerThatAsks(for: photo)
        var peer = asking.peer
        if isCancelled { peer.feed(.pullTerms(PullTerms(isPaused: true))) }
        #expect(peer.engine.pull.scheduler.requests.isEmpty == isCancelled)
        peer.feed(.pieceStored(PlayedPeer.link, number: asking.number, .committed(photo)))
        #expect(peer.engine.held.contains(photo) && peer.engine.missingReason(photo) == nil)
    }

    /// A piece that has come and waits for this disk is not taken back, however long that stands: else more would be asked
    /// for, and wait in memory as well.
    @Test(arguments: [false, true])
    func whatWaitsForTheDiskIsNotTakenBack(isWriting: Bool) throws {
        let photo = file(1).blob
        let asking = try peerThatAsks(for: photo)
        var peer = asking.peer
        for _ in 0..<30 {
            if isWriting { peer.feed(.writing(PlayedPeer.link)) }
            peer.pass(1)
        }
        #expect((peer.engine.pull.scheduler.requests[asking.number] != nil) == isWriting)
    }
}

/// What a peer says that it holds.
@Suite struct HoldingsTests {
    private func blob(_ number: Int) -> BlobID {
        BlobID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 0, count: 24))!
    }

    /// The word about a blob may come before the batch that adds it, for many photos at once, and is kept.
    @Test func wordBeforeBatchIsKept() {
        var holdings = Holdings()
        var known: Set<BlobID> = []
        for number in 0..<20_000 {
            holdings.gain(blob(number), limits: EngineLimits()) { known.contains($0) }
            if number >= 1000 { known.insert(blob(number - 1000)) }
        }
        #expect((0..<20_000).allSatisfy { holdings.claims(blob($0), dots: []) })
    }

    /// What nobody ever adds does not pile up.
    @Test func inventedBlobsAreForgotten() {
        var holdings = Holdings()
        for number in 0..<20_000 { holdings.gain(blob(number), limits: EngineLimits()) { _ in false } }
        let kept = (0..<20_000).count { holdings.claims(blob($0), dots: []) }
        let most = EngineLimits().unknownHeldCountMax
        #expect((most...2 * most).contains(kept))
    }

    /// A photo whose file goes while its contribution waits for the disk is not held when that is stored.
    @Test func whatIsLostBeforeItIsStoredIsNotHeld() throws {
        var network = try TestNetwork.pair()
        network.feed(0, .contribute(token: 2, .photo(albumName: "Beach", file(2))))
        network.feed(0, .blobLost(file(2).blob))
        network.settle()
        #expect(!network.nodes[0].engine.held.contains(file(2).blob))
        #expect(network.nodes[0].engine.catalog.contains(file(2).blob))
        // It is dropped again.
        network.feed(0, .contribute(token: 3, .photo(albumName: "Beach", file(2))))
        network.settle()
        #expect(network.nodes[0].engine.held.contains(file(2).blob))
    }
}
