import AlbumModel

/// Photos that are to become files, each once, some at a time.
struct PlacementQueue {
    /// Each waits for two commits of the journal and a sync of its directory, and shares them with those that wait as well:
    /// so many have a dozen or more in each.
    static let concurrency = 48

    private var order: [PhotoKey] = []
    private var start = 0
    private var known: Set<PhotoKey> = []
    /// Those that are being placed; true for one that was asked for again meanwhile.
    private var running: [PhotoKey: Bool] = [:]
    private var failed: [PhotoKey] = []
    private var isRetryPlanned = false
    /// Photos that the folder does not take, each with the reason; one for each such photo that is here.
    private(set) var refused: [PhotoKey: String] = [:]

    /// Photos that are here and not yet in the folder.
    var pending: Set<PhotoKey> { known.union(failed) }

    /// One that is just being placed is tried once more, should nothing come of it: what was known of it when that began may
    /// be what keeps it from its place.
    ///
    /// - Returns: false if it waits or runs already.
    mutating func add(_ key: PhotoKey) -> Bool {
        if running[key] != nil {
            running[key] = true
            return false
        }
        guard known.insert(key).inserted else { return false }
        order.append(key)
        return true
    }

    mutating func next() -> PhotoKey? {
        guard running.count < Self.concurrency, start < order.count else { return nil }
        start += 1
        let key = order[start - 1]
        running[key] = false
        if start == order.count {
            order.removeAll(keepingCapacity: true)
            start = 0
        }
        return key
    }

    mutating func finish(_ key: PhotoKey, isPlaced: Bool = false, isFailed: Bool = false, refusal: String? = nil) {
        let isAskedForAgain = running.removeValue(forKey: key) == true
        known.remove(key)
        refused[key] = refusal
        if isFailed {
            failed.append(key)
        } else if isAskedForAgain, !isPlaced {
            _ = add(key)
        }
    }

    /// - Returns: whether ``retry()`` has to be planned; false if it is.
    mutating func beginRetry() -> Bool {
        defer { isRetryPlanned = true }
        return !isRetryPlanned
    }

    mutating func retry() {
        isRetryPlanned = false
        for key in failed { _ = add(key) }
        failed.removeAll()
    }
}
