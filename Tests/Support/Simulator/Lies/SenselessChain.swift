import AlbumModel
import SyncEngine
import WireFormat

/// A replica that follows all rules of form and makes no sense: it withdraws one photo's adds from another, replaces what
/// is no name, puts photos in each other's places, adds what nobody has, and reads its clock anyhow.
///
/// Of what others said it takes nothing back: any member could do that.
struct SenselessChain {
    private static let batchCountMax = 8

    private(set) var batches: [SignedBatch] = []
    private var replica: ReplicaID?
    private var nextSequence: UInt64 = 1
    private var previous: BatchID?

    mutating func write(
        _ photos: [PhotoKey: Photo], wall: UInt64, _ signing: any BatchSigning, _ random: inout SeededRandom
    ) {
        guard batches.count < Self.batchCountMax else { return }
        var proof: ReplicaProof?
        if replica == nil {
            let nonce = random.bytes(16)
            proof = signing.replicaProof(nonce: nonce)
            replica = BatchSignature.replicaID(publicKey: signing.publicKey, nonce: nonce)
        }
        let decade: UInt64 = 10 * 365 * 86_400 * 1_000_000
        let clock = [1, wall, wall + decade, 1 << 62].randomElement(using: &random)!
        let batch = Batch(
            replica: replica!, firstSequence: nextSequence, previous: previous,
            clock: ClockReading(microseconds: clock), changes: changes(photos, &random), proof: proof)
        let content = batch.encoded()
        let id = BatchSignature.batchID(content)
        batches.append(
            SignedBatch(content: content, signature: signing.signature(over: BatchSignature.message(id))))
        (nextSequence, previous) = (batch.lastSequence + 1, id)
    }

    private func changes(_ photos: [PhotoKey: Photo], _ random: inout SeededRandom) -> [Change] {
        let unknown = SimulatedBlob(content: random.next(), byteCount: 3_000_000)
        let album = AlbumName.identifier("Nowhere")
        let addition = PhotoAddition(
            album: album, blob: unknown.id, byteCount: unknown.byteCount, pieceListHash: unknown.list?.listHash,
            name: "../..", mediaType: "", modified: .min)
        var changes: [Change] = [
            .photoAdded(addition), .photoFavoured(album, unknown.id), .deviceNamed("Nobody \(random.next() % 9)"),
            .coverChosen(album, nil, replaces: []),
        ]
        if random.chance(0.5) {
            // What a batch withdraws of its own it names without a branch.
            let own = Dot(replica: replica!, sequence: nextSequence, branch: 0)
            changes.append(.photoRemoved(album, unknown.id, adds: [own]))
        }
        let keys = photos.keys.sorted()
        guard keys.count >= 2 else { return changes }
        let one = keys.randomElement(using: &random)!
        let other = keys.filter { $0 != one }.randomElement(using: &random)!
        let otherDots = (photos[other]?.adds ?? []).map(\.dot)
        let later = Dot(replica: replica!, sequence: nextSequence + 100, branch: 0)
        changes += [
            .photoRemoved(one.album, one.blob, adds: otherDots + [later]),
            .albumNamed(one.album, name: "Nonsense", replaces: otherDots),
            .coverChosen(one.album, unknown.id, replaces: otherDots),
            .photoUntagged(one.album, one.blob, "Swim", adds: otherDots),
            .photoUnfavoured(one.album, one.blob, adds: otherDots),
            .photoReplaced(one, by: other), .photoReplaced(other, by: one),
        ]
        return changes
    }
}

extension Laptop {
    /// A liar's pages bring its senseless replica as well.
    mutating func addSenselessBatches(
        to message: Message, wall: UInt64, _ random: inout SeededRandom
    ) -> Message {
        guard case .batches(var page) = message, random.chance(0.5) else { return message }
        let photos = look { engine in
            engine.catalog.albums.values.reduce(into: [PhotoKey: Photo]()) { photos, album in
                for (blob, photo) in album.photos { photos[PhotoKey(album: album.id, blob: blob)] = photo }
            }
        }
        senseless.write(photos ?? [:], wall: wall, signing, &random)
        page.batches = senseless.batches + page.batches
        return .batches(page)
    }
}
