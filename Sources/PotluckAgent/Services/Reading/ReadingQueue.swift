import AlbumModel
import SyncEngine

/// Photos that are to be read for dates, cameras and thumbnails, each once, some at a time, the newest first.
///
/// Own photos are read at once, but not in a rush (``ReadingPace``). Those of others are left to their contributors
/// for ten minutes, and then to one holder after the other, so that fifty laptops do not write fifty times what one has
/// found.
struct ReadingQueue {
    /// How long facts may take to arrive before a holder, and then each next one, reads the photo itself.
    static let patience = 600.0

    private struct Item: Comparable {
        var order: ClockReading
        var key: PhotoKey

        static func < (left: Item, right: Item) -> Bool { (left.order, left.key) < (right.order, right.key) }
    }

    private let concurrency: Int
    /// The newest last.
    private var ready: [Item] = []
    private var isReady: Set<PhotoKey> = []
    private var running: Set<PhotoKey> = []
    /// Photos that are left to others, and since when.
    private var left: [PhotoKey: MonotonicInstant] = [:]
    private var pace = ReadingPace()
    private var isDelayPlanned = false

    init(concurrency: Int) {
        self.concurrency = concurrency
    }

    /// How many wait for their turn or are being read.
    var count: Int { ready.count + running.count }

    /// A photo that this laptop contributed just now.
    mutating func add(_ key: PhotoKey, order: ClockReading, cameAt now: MonotonicInstant) {
        let count = ready.count
        add(key, order: order)
        if ready.count > count { pace.noteSharing(now: now) }
    }

    /// Somebody fetches a piece of a photo from here.
    mutating func noteServing(now: MonotonicInstant) { pace.noteSharing(now: now) }

    /// A photo that is to be read.
    mutating func add(_ key: PhotoKey, order: ClockReading) {
        left[key] = nil
        guard !running.contains(key), isReady.insert(key).inserted else { return }
        let item = Item(order: order, key: key)
        ready.insert(item, at: place(of: item))
    }

    private func place(of item: Item) -> Int {
        // Mostly the newest comes last.
        guard let last = ready.last, item < last else { return ready.count }
        var low = 0
        var high = ready.count
        while low < high {
            let middle = (low + high) / 2
            if ready[middle] < item { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A photo that somebody else contributed, or one that could not be read now.
    mutating func leave(_ key: PhotoKey, now: MonotonicInstant) {
        guard !isReady.contains(key), !running.contains(key), left[key] == nil else { return }
        left[key] = now
    }

    /// The photo has facts now, or is no longer here.
    mutating func remove(_ key: PhotoKey) {
        left[key] = nil
        if isReady.remove(key) != nil { ready.removeAll { $0.key == key } }
    }

    /// The photo that is to be read now; `nil` where none is, or none yet: ``delay(now:)``.
    mutating func next(now: MonotonicInstant) -> PhotoKey? {
        guard running.count < concurrency, pace.delay(now: now) == 0, let item = ready.popLast() else { return nil }
        isReady.remove(item.key)
        running.insert(item.key)
        return item.key
    }

    /// After how many seconds the next photo is to be asked for; `nil` where nothing waits for a time, or it is known.
    mutating func delay(now: MonotonicInstant) -> Double? {
        let delay = pace.delay(now: now)
        guard delay > 0, !ready.isEmpty, !isDelayPlanned else { return nil }
        isDelayPlanned = true
        return delay
    }

    /// The time has come.
    mutating func endDelay() { isDelayPlanned = false }

    mutating func finish(_ key: PhotoKey) { running.remove(key) }

    /// Photos that were left to others for too long, ordered.
    ///
    /// - Parameter rank: how many holders come before this laptop.
    func overdue(now: MonotonicInstant, rank: (PhotoKey) -> Int) -> [PhotoKey] {
        let late = left.filter { now.seconds(since: $0.value) >= Self.patience }
        return late.filter { now.seconds(since: $0.value) >= Self.patience * Double(1 + rank($0.key)) }.keys.sorted()
    }
}
