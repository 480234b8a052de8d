import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

private let album = AlbumName.identifier("Beach")
private let blob = file(1).blob

/// One laptop's replica, whose batches the test makes.
private struct TestChain {
    let signing: TestSigning
    private(set) var batches: [(id: BatchID, batch: Batch, signed: SignedBatch)] = []

    init(_ number: UInt8) { signing = TestSigning(number) }

    var device: DeviceID { BatchSignature.deviceID(publicKey: signing.publicKey) }

    @discardableResult
    mutating func add(_ changes: [Change]) -> SignedBatch {
        let nonce = [UInt8](repeating: 3, count: 16)
        let proof = signing.replicaProof(nonce: nonce)
        let batch = Batch(
            replica: BatchSignature.replicaID(publicKey: signing.publicKey, nonce: nonce),
            firstSequence: (batches.last?.batch.lastSequence ?? 0) + 1, previous: batches.last?.id,
            clock: ClockReading(microseconds: UInt64(1000 + batches.count)), changes: changes,
            proof: batches.isEmpty ? proof : nil)
        let content = batch.encoded()
        let id = BatchSignature.batchID(content)
        let signed = SignedBatch(content: content, signature: signing.signature(over: BatchSignature.message(id)))
        batches.append((id, batch, signed))
        return signed
    }

    func apply(to catalog: inout Catalog, from first: Int = 0) {
        for row in batches[first...] { catalog.apply(row.batch, id: row.id, author: device, received: 5_000_000) }
    }
}

private func addition(byteCount: Int) -> Change {
    .photoAdded(
        PhotoAddition(
            album: album, blob: blob, byteCount: UInt64(byteCount), pieceListHash: nil, name: "a.jpg",
            mediaType: "image/jpeg", modified: 0))
}

/// What a person says of a photo about which others said very much takes several changes, and is done in the end; and of
/// what they said of its size nothing is forgotten.
@Suite struct ManyWordsTests {
    /// - Returns: how many batches it took.
    private func say(_ contributions: [Contribution], _ own: inout TestChain, _ catalog: inout Catalog) -> Int {
        var waiting = contributions.enumerated().map {
            StoreIntake.Waiting(token: UInt64($0.offset), contribution: $0.element)
        }
        for count in 0..<20 {
            guard !waiting.isEmpty else { return count }
            // Gone before the catalog changes.
            let changes = {
                var draft = BatchDraft(catalog: catalog, device: own.device)
                draft.take(waiting)
                waiting = draft.rest
                return draft.changes
            }()
            #expect(changes.allSatisfy { CatalogLimits.isValid($0) })
            own.add(changes)
            #expect(own.batches.last!.signed.content.count <= CatalogLimits.batchByteCountMax)
            own.apply(to: &catalog, from: own.batches.count - 1)
        }
        Issue.record("it never ends")
        return 0
    }

    private func catalog(_ changes: [Change], by other: inout TestChain) -> Catalog {
        var catalog = Catalog()
        other.add([.albumNamed(album, name: "Beach", replaces: [])])
        for start in stride(from: 0, to: changes.count, by: 400) {
            other.add(Array(changes[start..<min(start + 400, changes.count)]))
        }
        other.apply(to: &catalog)
        return catalog
    }

    /// A photo that was added 2,500 times leaves its album with one removal, and what waits behind comes after.
    @Test func aRemovalTakesEveryAdd() throws {
        var (other, own) = (TestChain(1), TestChain(2))
        var catalog = catalog((1...2500).map { _ in addition(byteCount: 5) }, by: &other)
        let batchCount = say([.photoRemoval(album, blob), .deviceName("Anna")], &own, &catalog)
        #expect(batchCount == 3)
        #expect(!catalog.isLive(PhotoKey(album: album, blob: blob)))
        #expect(catalog.deviceName(own.device) == "Anna")
    }

    /// Taking back what is one's own leaves what others added, however much it is.
    @Test func aWithdrawalTakesOwnAdds() throws {
        var (other, own) = (TestChain(1), TestChain(2))
        var catalog = catalog((1...1500).map { _ in addition(byteCount: 5) }, by: &other)
        #expect(say([.photoInAlbum(album, file(1)), .deviceName("Anna")], &own, &catalog) == 1)
        var photo = try #require(catalog.photo(PhotoKey(album: album, blob: blob)))
        #expect(photo.adds.count == 1501 && !photo.adds(by: own.device, max: 1).isEmpty)
        #expect(say([.photoInAlbum(album, file(1)), .photoWithdrawal(album, blob)], &own, &catalog) == 1)
        photo = try #require(catalog.photo(PhotoKey(album: album, blob: blob)))
        #expect(photo.adds.count == 1500 && photo.contributors == [other.device])
    }

    /// A caption and a tag replace and take away all that others gave at once.
    @Test func wordsReplaceAll() throws {
        var (other, own) = (TestChain(1), TestChain(2))
        let words = (1...1500).flatMap { number -> [Change] in
            [.photoCaptioned(album, blob, "\(number)", replaces: []), .photoTagged(album, blob, "Swim")]
        }
        var catalog = catalog([addition(byteCount: 5)] + words, by: &other)
        #expect(say([.caption(album, blob, "Sea"), .untag(album, blob, "swim")], &own, &catalog) <= 4)
        let photo = try #require(catalog.photo(PhotoKey(album: album, blob: blob)))
        #expect(photo.caption.writes.map(\.value) == ["Sea"])
        #expect(photo.tags.isEmpty)
    }

    /// Of many adds a few stand for all where something is asked often; the want knows what each says of the size, as they
    /// come and after a start, since only one may be right.
    @Test func everyClaimIsKept() throws {
        var other = TestChain(5)
        other.add([.albumNamed(album, name: "Beach", replaces: [])])
        for start in stride(from: 1, to: 300, by: 100) {
            other.add((start..<start + 100).map { addition(byteCount: $0) })
        }
        var peer = try PlayedPeer()
        for row in other.batches { peer.feed(.carried(token: 1, BatchPage(batches: [row.signed], page: 1))) }
        let later = try PlayedPeer(log: other.batches.map(\.signed))
        for engine in [peer.engine, later.engine] {
            let mentions = engine.catalog.mentions(of: blob)
            #expect((1...CatalogLimits.sampleAddCountMax).contains(mentions.dots.count))
            #expect(engine.catalog.mentions(of: blob, max: .max).dots.count == 300)
            let claims = engine.pull.scheduler.wants[blob]?.claims.all ?? []
            #expect(claims.count == 300 && Set(claims.map(\.byteCount)) == Set(1...300))
        }
    }

    /// A want learns what is new, of few claims and of many, and each once.
    @Test func claimsAreLearnedOnce() {
        func claim(_ byteCount: UInt64) -> BlobClaim { BlobClaim(byteCount: byteCount, pieceListHash: nil) }
        var want = Want(blob: blob, blobClass: .original, urgency: .zero, claims: [claim(1)])
        let many = Array(1...40 as ClosedRange<UInt64>)
        let news = [[1], many, many, [7, 41]].map { want.claims.learn($0.map(claim)) }
        #expect(news == [false, true, false, true])
        #expect(want.claims.all.map(\.byteCount) == Array(1...41))
    }
}
