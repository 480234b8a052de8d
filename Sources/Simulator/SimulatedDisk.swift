import AlbumModel
import Crypto
import SyncEngine

/// A photo's content, of which only the size and the hashes matter.
struct SimulatedBlob: Hashable, Sendable {
    let id: BlobID
    let byteCount: UInt64
    let list: PieceList?

    /// Equal numbers and sizes are equal bytes.
    init(content: UInt64, byteCount: UInt64) {
        let name = BigEndian.bytes(content) + BigEndian.bytes(byteCount)
        id = BlobID(digest: SHA256.hash(data: Array("blob".utf8) + name))
        self.byteCount = byteCount
        let count = Pieces.count(blobByteCount: byteCount)
        list =
            count == 1
            ? nil
            : PieceList(
                hashes: (0..<count).map { BlobID(digest: SHA256.hash(data: name + BigEndian.bytes(UInt64($0)))) })
    }
}

/// What survives when a simulated device crashes.
struct SimulatedDisk {
    struct Row {
        var id: BatchID
        var signed: SignedBatch
        var received: UInt64
    }

    private(set) var journal: [Row] = []
    private(set) var ownReplica: ReplicaID?
    private var rowOfBatch: [BatchID: Int] = [:]
    /// Durable blobs.
    private(set) var blobs: Set<BlobID> = []
    /// Pieces in staging. They are not synced, so a crash may lose any of them.
    private(set) var staging: [BlobID: [Bool]] = [:]
    var remembered: [DeviceID: [PeerAddress]] = [:]

    mutating func append(_ batches: [AcceptedBatch], ownReplica: ReplicaID?, received: UInt64) {
        self.ownReplica = ownReplica ?? self.ownReplica
        for batch in batches where rowOfBatch[batch.id] == nil {
            rowOfBatch[batch.id] = journal.count
            journal.append(Row(id: batch.id, signed: batch.signed, received: received))
        }
    }

    func batch(_ id: BatchID) -> SignedBatch? { rowOfBatch[id].map { journal[$0].signed } }

    mutating func hold(_ blob: BlobID) {
        blobs.insert(blob)
        staging[blob] = nil
    }

    mutating func open(_ blob: BlobID, pieceCount: Int) -> [Bool] {
        let pieces = staging[blob] ?? [Bool](repeating: false, count: pieceCount)
        staging[blob] = pieces
        return pieces
    }

    mutating func write(_ piece: Int, of blob: BlobID) { staging[blob]?[piece] = true }

    mutating func abandon(_ blob: BlobID) { staging[blob] = nil }

    /// What the store does at start: nothing stays in staging that nobody wants.
    mutating func sweep(wanted: Set<BlobID>) { staging = staging.filter { wanted.contains($0.key) } }

    mutating func crash(using random: inout SeededRandom) {
        for blob in staging.keys.sorted() {
            staging[blob] = staging[blob]!.map { $0 && random.chance(0.7) }
        }
    }
}
