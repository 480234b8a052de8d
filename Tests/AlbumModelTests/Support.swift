import AlbumModel

/// A few devices' batches, made by hand.
struct Author {
    let replica: ReplicaID
    let device: DeviceID
    private var next: UInt64 = 1
    private var clock: UInt64

    init(_ number: UInt8, clock: UInt64 = 1000) {
        replica = ReplicaID(bytes: [UInt8](repeating: number, count: 16))!
        device = DeviceID(bytes: [UInt8](repeating: number, count: 32))!
        self.clock = clock
    }

    mutating func batch(_ changes: [Change], clock: UInt64? = nil) -> (batch: Batch, id: BatchID, device: DeviceID) {
        self.clock = clock ?? self.clock + 1
        let batch = Batch(
            replica: replica, firstSequence: next, previous: nil, clock: ClockReading(microseconds: self.clock),
            changes: changes, proof: nil)
        next += UInt64(changes.count)
        var bytes = [UInt8](repeating: replica.bytes[0], count: 32)
        bytes[7] = UInt8(next & 255)
        return (batch, BatchID(bytes: bytes)!, device)
    }
}

typealias Made = (batch: Batch, id: BatchID, device: DeviceID)

func fold(_ batches: [Made]) -> Catalog {
    var catalog = Catalog()
    for made in batches { _ = catalog.apply(made.batch, id: made.id, author: made.device, received: 5_000_000) }
    return catalog
}

func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

func addition(_ album: AlbumID, _ number: UInt8, name: String = "a.jpg") -> Change {
    .photoAdded(
        PhotoAddition(
            album: album, blob: blob(number), byteCount: 100, pieceListHash: nil, name: name, mediaType: "image/jpeg",
            modified: 0))
}

func dot(_ made: Made, _ offset: UInt64 = 0) -> Dot {
    Dot(replica: made.batch.replica, sequence: made.batch.firstSequence + offset, branch: made.id.prefix)
}

func photoKey(_ album: AlbumID, _ number: UInt8) -> PhotoKey { PhotoKey(album: album, blob: blob(number)) }

func permutations(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { item in permutations(items.filter { $0 != item }).map { [item] + $0 } }
}

/// Numbers that follow from a seed.
struct TestRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
