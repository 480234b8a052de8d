import AlbumModel
import SyncEngine
import WireFormat

/// What survives when a laptop's agent dies. A value: a copy is a backup.
struct SimulatedDisk {
    struct Row {
        var id: BatchID
        var replica: ReplicaID
        var signed: SignedBatch
        var received: UInt64
    }

    private(set) var journal: [Row] = []
    /// The replica that the home continues.
    private(set) var ownReplica: ReplicaID?
    /// Replicas that the home no longer continues.
    private var givenUp: Set<ReplicaID> = []
    private var rowOfBatch: [BatchID: Int] = [:]
    /// Blobs that the store says it has.
    private(set) var blobs: Set<BlobID> = []
    /// Those of them whose file changed since it was checked. The store notices when it is to serve them.
    private(set) var rotten: Set<BlobID> = []
    /// Those of them whose bytes are not what the name says, and nobody checked: a bug put them there.
    private(set) var unverified: Set<BlobID> = []
    /// Those of them that a crash may spoil.
    private var unsynced: [BlobID] = []
    /// Pieces that are not synced, so a crash may lose any of them.
    private(set) var staging: [BlobID: StagedBlob] = [:]
    var remembered: [DeviceID: [PeerAddress]] = [:]
    var holdings: [DeviceID: RememberedHoldings] = [:]
    var fetching = FetchPolicy()
    /// Photos that are not to be seen here.
    var hidden: Set<PhotoKey> = []
    /// Removed photos whose bytes are here, and who had them when the removal came.
    var trash: [PhotoKey: [DeviceID]] = [:]
    /// What hosts decided.
    private(set) var rulings: [RulingID: SignedStatement] = [:]
    private(set) var seeds: [RulingID: Seed] = [:]

    // MARK: Journal

    mutating func append(_ batch: AcceptedBatch, received: UInt64) {
        append(Row(id: batch.id, replica: batch.batch.replica, signed: batch.signed, received: received))
    }

    mutating func append(_ row: Row) {
        guard rowOfBatch[row.id] == nil else { return }
        rowOfBatch[row.id] = journal.count
        journal.append(row)
    }

    mutating func goOn(as replica: ReplicaID?) {
        if let replica, !givenUp.contains(replica) { ownReplica = replica }
    }

    mutating func giveUpReplica() {
        if let ownReplica { givenUp.insert(ownReplica) }
        ownReplica = nil
    }

    func gaveUp(_ replica: ReplicaID) -> Bool { givenUp.contains(replica) }

    /// What an agent makes of the journal when it starts.
    func fold(cuts: Cuts = Cuts()) throws(BatchRefusal) -> JournalFold {
        let fold = try fill(JournalFold(cuts: cuts))
        return if let corrected = fold.corrected { try fill(corrected) } else { fold }
    }

    private func fill(_ empty: JournalFold) throws(BatchRefusal) -> JournalFold {
        var fold = empty
        for row in journal { try fold.add(row.signed, id: row.id, received: row.received) }
        return fold
    }

    func batch(_ id: BatchID) -> SignedBatch? { rowOfBatch[id].map { journal[$0].signed } }

    func contains(_ id: BatchID) -> Bool { rowOfBatch[id] != nil }

    /// Whether the journal has a batch by which others know a key.
    func knows(_ publicKey: [UInt8]) -> Bool {
        journal.contains { (try? Batch(decoding: $0.signed.content))?.proof?.publicKey == publicKey }
    }

    /// Under which epochs after the first one replicas began that are here.
    var epochs: Set<EpochPrefix> {
        Set(journal.compactMap { row in (try? Batch(decoding: row.signed.content))?.proof?.epoch })
    }

    /// The journal and what goes with it are as they were when `backup` was taken; the blobs stay.
    mutating func restoreJournal(of backup: SimulatedDisk) {
        let (blobs, rotten, unverified) = (blobs, rotten, unverified)
        self = backup
        (self.blobs, self.rotten, self.unverified) = (blobs, rotten, unverified)
        staging = [:]
    }

    mutating func keep(_ rulings: [SignedStatement], seeds: [RulingID: Seed]) {
        for ruling in rulings { self.rulings[RulingID(content: ruling.content)] = ruling }
        self.seeds.merge(seeds) { $1 }
    }

    // MARK: Blobs

    /// A file that a person dropped becomes a blob. What is received of it meanwhile is another file.
    mutating func takeIn(_ blob: BlobID) {
        blobs.insert(blob)
        rotten.remove(blob)
        unverified.remove(blob)
    }

    /// All pieces came and the file gets its name.
    /// - Returns: false if what was hashed as it came is not the blob.
    mutating func commit(_ blob: BlobID, isVerified: Bool) -> Bool {
        guard let staged = staging.removeValue(forKey: blob) else { return false }
        guard staged.isRight || !isVerified else { return false }
        receive(blob, isRight: staged.isRight)
        if staged.isRotten { rotten.insert(blob) }
        return true
    }

    /// A file that came from others gets its name.
    mutating func receive(_ blob: BlobID, isRight: Bool) {
        takeIn(blob)
        if !isRight { unverified.insert(blob) }
        if PlantedFault.isPlanted(.renamedBeforeSynced) { unsynced = unsynced.suffix(2) + [blob] }
    }

    /// The file's bytes change, and nobody notices yet.
    mutating func rot(_ blob: BlobID) {
        if blobs.contains(blob) { rotten.insert(blob) }
    }

    mutating func lose(_ blob: BlobID) {
        blobs.remove(blob)
        rotten.remove(blob)
        unverified.remove(blob)
    }

    mutating func loseAllBlobs() {
        blobs = []
        rotten = []
        unverified = []
        staging = [:]
    }

    func holdsGood(_ blob: BlobID) -> Bool {
        blobs.contains(blob) && !rotten.contains(blob) && !unverified.contains(blob)
    }

    // MARK: Staging

    /// - Returns: which pieces are there and right; what is not is forgotten.
    mutating func open(_ blob: BlobID, pieceCount: Int, list: PieceList) -> [Bool] {
        var staged = staging[blob] ?? StagedBlob(pieceCount: pieceCount, list: list)
        if staged.pieces.count != pieceCount || staged.list != list {
            staged = StagedBlob(pieceCount: pieceCount, list: list)
        }
        staged.check()
        staging[blob] = staged
        return staged.pieces.map { $0 != .missing }
    }

    mutating func write(_ piece: Int, of blob: BlobID, _ bytes: PieceBytes) {
        staging[blob]?.pieces[piece] = bytes == .right ? .right : .wrong
    }

    mutating func abandon(_ blob: BlobID) { staging[blob] = nil }

    mutating func abandonAll() { staging = [:] }

    mutating func rotStaging(of blob: BlobID, piece: Int) {
        if staging[blob]?.pieces[piece] == .right { staging[blob]!.pieces[piece] = .rotten }
    }

    /// What the store does at start: nothing stays in staging that nobody wants.
    mutating func sweep(wanted: Set<BlobID>) { staging = staging.filter { wanted.contains($0.key) } }

    mutating func crash(using random: inout SeededRandom) {
        unverified.formUnion(unsynced.filter { blobs.contains($0) })
        unsynced = []
        for blob in staging.keys.sorted() {
            staging[blob]!.pieces = staging[blob]!.pieces.map { random.chance(0.7) ? $0 : .missing }
        }
    }
}

/// What the next run of an agent knows of what a device holds.
struct RememberedHoldings {
    var record: HoldingsRecord
    /// When the last statement that it rests on was made, by the laptop that made it.
    var statements: [Int: MonotonicInstant]
}

/// A blob of several pieces that is being received.
struct StagedBlob {
    enum Piece: Hashable {
        case missing
        case right
        /// Written, and not what the blob has there.
        case wrong
        /// Was right, and the disk changed it.
        case rotten
    }

    var pieces: [Piece]
    /// By which pieces are checked.
    let list: PieceList

    init(pieceCount: Int, list: PieceList) {
        pieces = [Piece](repeating: .missing, count: pieceCount)
        self.list = list
    }

    var isRight: Bool { pieces.allSatisfy { $0 == .right || $0 == .rotten } }

    var isRotten: Bool { pieces.contains(.rotten) }

    /// Whether the bytes of a piece fit what they are checked by.
    func accepts(_ bytes: PieceBytes, of content: SimulatedBlob, piece: Int) -> Bool {
        switch bytes {
        case .right:
            pieces.count == Pieces.count(blobByteCount: content.byteCount) && list.listHash == content.list?.listHash
        case .wrong: false
        case .forged(let hash):
            list.listHash == hash && !(list.isChained(of: content.id) && piece == list.hashes.count - 1)
        }
    }

    /// Pieces found in staging are read again.
    mutating func check() { pieces = pieces.map { $0 == .rotten ? .missing : $0 } }
}
