import AlbumModel

/// Photos that are to become files, each once, some at a time: small ones in groups.
///
/// A group is what came while those before it were placed: none waits for company, and the number of steps falls as load
/// rises.
struct PlacementQueue {
    /// Photos that are placed at a time. Each waits for two commits of the journal and a sync of its directory, and shares
    /// them with those that wait as well.
    static let concurrency = 96
    /// Groups of small photos at a time: so many that the disk is at work on some while others wait for the journal.
    static let groupConcurrency = 6
    /// The others of a group wait for each.
    static let groupCountMax = 16

    private struct Running {
        /// Of small photos; `nil` for a large one.
        let group: Int?
        /// It was asked for again meanwhile.
        var isAskedForAgain = false
    }

    private var order: [PhotoKey] = []
    private var start = 0
    private var known: Set<PhotoKey> = []
    private var running: [PhotoKey: Running] = [:]
    /// How many photos of each group are being placed still.
    private var groups: [Int: Int] = [:]
    private var nextGroup = 0
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
            running[key]?.isAskedForAgain = true
            return false
        }
        guard known.insert(key).inserted else { return false }
        order.append(key)
        return true
    }

    /// Photos to be placed together, in the order in which they came; empty where none is to be placed now.
    ///
    /// - Parameter isLarge: A large photo is alone, since others would wait until it is copied.
    mutating func next(isLarge: (PhotoKey) -> Bool) -> [PhotoKey] {
        let placeCount = Self.concurrency - running.count
        guard placeCount > 0, start < order.count else { return [] }
        if isLarge(order[start]) { return take(1, group: nil) }
        guard groups.count < Self.groupConcurrency else { return [] }
        let group = order[start...].prefix(min(placeCount, Self.groupCountMax)).prefix { !isLarge($0) }
        nextGroup += 1
        groups[nextGroup] = group.count
        return take(group.count, group: nextGroup)
    }

    private mutating func take(_ count: Int, group: Int?) -> [PhotoKey] {
        let keys = Array(order[start..<(start + count)])
        start += count
        for key in keys { running[key] = Running(group: group) }
        if start == order.count {
            order.removeAll(keepingCapacity: true)
            start = 0
        }
        return keys
    }

    mutating func finish(_ key: PhotoKey, isPlaced: Bool = false, isFailed: Bool = false, refusal: String? = nil) {
        let ended = running.removeValue(forKey: key)
        if let group = ended?.group, let count = groups[group] { groups[group] = count > 1 ? count - 1 : nil }
        known.remove(key)
        refused[key] = refusal
        if isFailed {
            failed.append(key)
        } else if ended?.isAskedForAgain == true, !isPlaced {
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
