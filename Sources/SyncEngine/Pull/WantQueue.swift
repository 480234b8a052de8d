import AlbumModel
import HeapModule
import WireFormat

/// Wants that wait for room in the working set, the most urgent first. Every operation takes the logarithm of their number.
struct WantQueue: Sendable {
    /// May name blobs that have left: they are passed over when they come to be the first.
    private var heap = Heap<WantPriority>()
    private var members: Set<BlobID> = []

    var isEmpty: Bool { members.isEmpty }

    var count: Int { members.count }

    mutating func insert(_ priority: WantPriority) {
        guard members.insert(priority.blob).inserted else { return }
        heap.insert(priority)
        tidy()
    }

    /// The same for many at once, in linear time.
    mutating func insert(contentsOf priorities: some Sequence<WantPriority>) {
        heap.insert(contentsOf: priorities.filter { members.insert($0.blob).inserted })
        tidy()
    }

    mutating func remove(_ blob: BlobID) { members.remove(blob) }

    /// The most urgent.
    mutating func first() -> WantPriority? {
        while let first = heap.min {
            if members.contains(first.blob) { return first }
            heap.removeMin()
        }
        return nil
    }

    /// Keeps the heap in proportion to what waits.
    private mutating func tidy() {
        guard heap.count > 2 * members.count + 64 else { return }
        var seen: Set<BlobID> = []
        heap = Heap(heap.unordered.filter { members.contains($0.blob) && seen.insert($0.blob).inserted })
    }
}

/// Thumbnails before originals, the newest first, within one age the small before the huge.
struct WantPriority: Hashable, Comparable, Sendable {
    var blobClass: BlobClass
    /// Tenths of a second since 1970: the greater, the newer.
    var age: UInt64
    var byteCount: UInt64
    var blob: BlobID

    /// Whether two wants are of one class and age, so that rarity decides between their pieces.
    func isPeer(of other: WantPriority) -> Bool { blobClass == other.blobClass && age == other.age }

    /// Less is more urgent.
    static func < (left: WantPriority, right: WantPriority) -> Bool {
        (left.blobClass, right.age, left.byteCount, left.blob)
            < (right.blobClass, left.age, right.byteCount, right.blob)
    }
}
