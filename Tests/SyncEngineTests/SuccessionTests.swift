import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// A home that was copied goes on as a device of its own, to which everything belongs that the copied one added.
@Suite struct SuccessionTests {
    /// The former device's word as its key signs it; a test may sign with another key, or something else.
    private static func signing(
        _ number: UInt8, after former: TestSigning, signer: TestSigning? = nil, over nonce: [UInt8]? = nil
    ) -> TestSigning {
        var signing = TestSigning(number)
        signing.formerDevice = BatchSignature.deviceID(publicKey: former.publicKey)
        signing.makeSuccession = { publicKey, drawn in
            let message = Succession.message(publicKey: publicKey, nonce: nonce ?? drawn)
            return Succession(
                formerKey: former.publicKey, signature: (signer ?? former).signature(over: message))
        }
        return signing
    }

    private static func photo(_ number: UInt8) -> EngineInput {
        .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number)))
    }

    /// Anna (0) with one photo, Ben (1) who has it, and what a copy of Anna's home holds.
    private func copiedHome() throws -> TestNetwork {
        var network = TestNetwork()
        try network.add(TestSigning(1))
        try network.add(TestSigning(2))
        network.feed(0, Self.photo(1))
        network.connect(0, 1)
        network.settle()
        return network
    }

    /// The copy and the original run side by side as two devices. A photo of the time before is the copy's own, so the
    /// copy does not add it again; a new one is added by it alone; the original is what it was.
    @Test func copyAndOriginalRunSideBySide() throws {
        var network = try copiedHome()
        try network.add(Self.signing(3, after: TestSigning(1)), journal: network.nodes[0].journal)
        network.connect(2, 1)
        network.feed(2, Self.photo(1))
        network.feed(2, Self.photo(3))
        network.feed(0, Self.photo(2))
        network.settle()
        let (anna, copy) = (network.nodes[0].engine.device, network.nodes[2].engine.device)
        #expect(anna != copy)
        for node in network.nodes {
            let catalog = node.engine.catalog
            let album = try #require(catalog.albums.values.first)
            #expect(album.photos[file(1).blob]?.contributors == [anna])
            #expect(album.photos[file(2).blob]?.contributors == [anna])
            #expect(album.photos[file(3).blob]?.contributors == [copy])
            #expect(catalog.formerDevices(of: copy) == [anna])
            #expect(catalog.formerDevices(of: anna).isEmpty)
            #expect(catalog.isOwn(author: anna, of: copy))
            #expect(!catalog.isOwn(author: copy, of: anna))
            #expect(node.engine.log.vector.heads.values.allSatisfy { $0.count == 1 })
        }
        #expect(network.digests(0) == network.digests(1))
        #expect(network.digests(1) == network.digests(2))
    }

    /// A start from the journal knows the same as the run before.
    @Test func successionIsInTheJournal() throws {
        var network = try copiedHome()
        try network.add(Self.signing(3, after: TestSigning(1)), journal: network.nodes[0].journal)
        network.feed(2, .contribute(token: 1, .deviceName("Copy")))
        network.settle()
        var fold = JournalFold()
        for row in network.nodes[2].journal { try fold.add(row.signed, id: row.id, received: 1) }
        let (anna, copy) = (network.nodes[0].engine.device, network.nodes[2].engine.device)
        #expect(fold.catalog.isOwn(author: anna, of: copy))
        // The word is given once: what follows the first batch has no proof at all.
        network.feed(2, Self.photo(4))
        network.settle()
        let proofs = try network.nodes[2].journal.map { try Batch(decoding: $0.signed.content) }
            .filter { BatchSignature.deviceID(publicKey: $0.proof?.publicKey ?? []) == copy }
        #expect(proofs.count == 1)
    }

    /// Nobody can make another's photos its own: a word that the former key did not give, or gave for another replica or
    /// another key, is refused with its batch.
    @Test(arguments: [
        signing(3, after: TestSigning(1), signer: TestSigning(3)),
        signing(3, after: TestSigning(1), over: [UInt8](repeating: 0, count: 16)),
        signing(3, after: TestSigning(3)),
    ])
    func wrongWordIsRefused(_ liar: TestSigning) throws {
        var network = try copiedHome()
        try network.add(liar, journal: network.nodes[0].journal)
        network.feed(2, Self.photo(3))
        network.settle()
        network.connect(2, 1)
        network.settle()
        let device = network.nodes[2].engine.device
        #expect(network.nodes[1].events.contains(.peerRefused(device, .refusedBatch(.badProof))))
        #expect(network.nodes[1].engine.catalog.formerDevices(of: device).isEmpty)
        #expect(!network.nodes[1].engine.held.contains(file(3).blob))
    }

    /// Copies of copies own what all before them added, in whatever order the batches come; a circle of keys ends.
    @Test func ownershipPassesOn() {
        func device(_ number: UInt8) -> DeviceID { BatchSignature.deviceID(publicKey: TestSigning(number).publicKey) }
        func apply(_ number: UInt8, after former: UInt8, to catalog: inout Catalog) {
            let key = TestSigning(number).publicKey
            let proof = ReplicaProof(
                publicKey: key, nonce: [], membershipCode: [],
                succession: Succession(formerKey: TestSigning(former).publicKey, signature: []))
            let replica = ReplicaID(bytes: [UInt8](repeating: number, count: 16))!
            let batch = Batch(
                replica: replica, firstSequence: 1, previous: nil, clock: .zero, changes: [.deviceNamed("x")],
                proof: proof)
            let id = BatchID(bytes: [UInt8](repeating: number, count: 32))!
            _ = catalog.apply(batch, id: id, author: device(number), received: 1)
        }
        var catalog = Catalog()
        apply(3, after: 2, to: &catalog)
        apply(2, after: 1, to: &catalog)
        #expect(catalog.formerDevices(of: device(3)) == [device(1), device(2)])
        #expect(catalog.formerDevices(of: device(2)) == [device(1)])
        apply(1, after: 3, to: &catalog)
        #expect(catalog.formerDevices(of: device(1)) == [device(2), device(3)])
        #expect(catalog.formerDevices(of: device(3)) == [device(1), device(2)])
    }

    /// Two copies that take new keys at once are two more devices, and both own what was there before.
    @Test func bothSidesMayTakeNewKeys() throws {
        var network = try copiedHome()
        let journal = network.nodes[0].journal
        try network.add(Self.signing(3, after: TestSigning(1)), journal: journal)
        try network.add(Self.signing(4, after: TestSigning(1)), journal: journal)
        network.connect(2, 3)
        network.connect(3, 1)
        for node in [2, 3] {
            network.feed(node, Self.photo(1))
            network.feed(node, Self.photo(UInt8(node + 4)))
        }
        network.settle()
        let album = try #require(network.nodes[1].engine.catalog.albums.values.first)
        #expect(album.liveCount == 3)
        #expect(album.photos[file(1).blob]?.contributors == [network.nodes[0].engine.device])
        #expect(network.digests(1) == network.digests(2))
        #expect(network.digests(2) == network.digests(3))
    }
}

/// What a laptop's long absence, a forgotten journal and wrong clocks may not change.
@Suite struct AbsenceTests {
    private static func photo(_ number: UInt8) -> EngineInput {
        .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number)))
    }

    private static let year: UInt64 = 365 * 24 * 3600 * 1_000_000

    private static func livePhotos(_ engine: Engine) -> Set<BlobID> {
        Set(engine.catalog.albums.values.flatMap { $0.livePhotos.map(\.key) })
    }

    /// A laptop that was away for a year, and comes back with all its photos and its own additions, brings nothing back
    /// that was removed meanwhile, however wrong its clock is, and loses nothing of its own.
    @Test(arguments: [0, 30 * year, 60 * year])
    func absenceBringsNothingBack(clockOfTheAbsent: UInt64) throws {
        let now = 30 * Self.year
        var network = TestNetwork()
        for number in 1...3 { try network.add(TestSigning(UInt8(number))) }
        for node in 0..<3 { network.nodes[node].wall = now - Self.year }
        network.connect(0, 1)
        network.connect(1, 2)
        network.feed(0, Self.photo(1))
        network.feed(0, Self.photo(2))
        network.settle()
        let away = network.nodes[2].journal
        let replica = network.nodes[2].engine.storing.own.id
        let beach = AlbumName.identifier("Beach")
        for node in 0..<2 { network.nodes[node].wall = now }
        network.feed(0, .contribute(token: 9, .photoRemoval(beach, file(1).blob)))
        // The network of the absent laptop is another one: it starts anew from what it had.
        try network.add(TestSigning(3), journal: away, replica: replica)
        network.nodes[3].wall = clockOfTheAbsent
        network.isolate(2)
        network.feed(3, Self.photo(3))
        network.settle()
        network.connect(3, 0)
        network.settle()
        for node in [0, 1, 3] {
            #expect(Self.livePhotos(network.nodes[node].engine) == [file(2).blob, file(3).blob], "laptop \(node)")
            #expect(network.digests(node) == network.digests(0))
        }
    }

    /// A journal that was lost with the blobs kept: the laptop joins again under a new key, holds what it held, and what
    /// was removed stays removed.
    @Test func rejoiningWithOldBlobsFetchesNothing() throws {
        var network = TestNetwork()
        try network.add(TestSigning(1))
        network.feed(0, Self.photo(1))
        network.feed(0, Self.photo(2))
        network.settle()
        network.feed(0, .contribute(token: 9, .photoRemoval(AlbumName.identifier("Beach"), file(2).blob)))
        network.settle()
        try network.add(TestSigning(2), held: [file(1).blob, file(2).blob])
        network.connect(1, 0)
        network.settle()
        #expect(Self.livePhotos(network.nodes[1].engine) == [file(1).blob])
        let requests = network.nodes[1].sent.filter { if case .request = $0 { true } else { false } }
        #expect(requests.isEmpty, "nothing was asked for")
        let copies = network.nodes[0].engine.copies(wall: network.nodes[0].wall)
        #expect(copies.holders(of: file(1).blob) == [network.nodes[1].engine.device])
    }

    /// Blobs that were lost come again from whoever has them, and are known to be wanted before anybody is there.
    @Test func lostBlobsAreWantedAgain() throws {
        var network = TestNetwork()
        try network.add(TestSigning(1))
        try network.add(TestSigning(2))
        network.feed(0, Self.photo(1))
        network.connect(0, 1)
        network.settle()
        let replica = network.nodes[0].engine.storing.own.id
        try network.add(TestSigning(1), journal: network.nodes[0].journal, replica: replica)
        #expect(Array(network.nodes[2].engine.wantedBlobs) == [file(1).blob])
        network.connect(2, 1)
        network.settle()
        #expect(network.nodes[2].engine.held == [file(1).blob])
    }
}

/// Readings of clocks order what is shown, and decide nothing.
@Suite struct WrongClockTests {
    private struct Step {
        var author: UInt8
        var sequence: UInt64
        var change: Change

        var dot: Dot { Dot(replica: replica, sequence: sequence, branch: id.prefix) }
        var replica: ReplicaID { ReplicaID(bytes: [UInt8](repeating: author, count: 16))! }
        var id: BatchID { BatchID(bytes: [author, UInt8(sequence)] + [UInt8](repeating: 7, count: 30))! }

        func batch(clock: UInt64) -> Batch {
            Batch(
                replica: replica, firstSequence: sequence, previous: nil, clock: ClockReading(microseconds: clock),
                changes: [change], proof: nil)
        }
    }

    private static let beach = AlbumName.identifier("Beach")

    private static func add(_ number: UInt8) -> Change {
        .photoAdded(
            PhotoAddition(
                album: beach, blob: file(number).blob, byteCount: 10, pieceListHash: nil, name: "a.jpg",
                mediaType: "image/jpeg", modified: 0))
    }

    /// Adds, a removal, an add of what was removed, an add beside a removal, and renames one after the other and at once.
    private static let history: [Step] = {
        var steps = [
            Step(author: 1, sequence: 1, change: .albumNamed(beach, name: "Beach", replaces: [])),
            Step(author: 1, sequence: 2, change: add(1)), Step(author: 1, sequence: 3, change: add(2)),
            Step(author: 2, sequence: 1, change: add(2)), Step(author: 2, sequence: 2, change: add(3)),
        ]
        steps.append(Step(author: 2, sequence: 3, change: .photoRemoved(beach, file(1).blob, adds: [steps[1].dot])))
        steps.append(Step(author: 3, sequence: 1, change: .photoRemoved(beach, file(2).blob, adds: [steps[2].dot])))
        steps.append(Step(author: 3, sequence: 2, change: .photoRemoved(beach, file(3).blob, adds: [steps[4].dot])))
        steps.append(Step(author: 1, sequence: 4, change: add(3)))
        steps.append(
            Step(author: 2, sequence: 4, change: .albumNamed(beach, name: "Strand", replaces: [steps[0].dot])))
        steps.append(
            Step(author: 3, sequence: 3, change: .albumNamed(beach, name: "Plage", replaces: [steps[0].dot])))
        return steps
    }()

    /// What is live, by whom, and which names stand, with each change's clock somewhere between 1970 and 2100.
    @Test func mergesDoNotDependOnClocks() {
        var random = TestRandom()
        var outcomes: Set<[String]> = []
        for _ in 0..<500 {
            var catalog = Catalog()
            for step in Self.history.shuffled(using: &random) {
                let clock = UInt64.random(in: 0...4_102_444_800_000_000, using: &random)
                let received = UInt64.random(in: 0...4_102_444_800_000_000, using: &random)
                let author = DeviceID(bytes: [UInt8](repeating: step.author, count: 32))!
                _ = catalog.apply(step.batch(clock: clock), id: step.id, author: author, received: received)
            }
            let album = catalog.albums[Self.beach]!
            let photos = album.photos.sorted { $0.key < $1.key }.map { blob, photo in
                "\(blob.hex.prefix(2)) \(photo.contributors.sorted().map { $0.hex.prefix(2) })"
            }
            outcomes.insert(photos + album.name.writes.map(\.value).sorted())
        }
        #expect(outcomes == [["01 []", "02 [\"02\"]", "03 [\"01\"]", "Plage", "Strand"]])
    }
}
