import AlbumModel

/// What the index has not followed yet: one write at a time, and of many photos only some with each, so that whoever asks
/// for a list gets it soon while a gathering streams in.
struct ProjectionQueue {
    /// What one write is about.
    struct Part: Sendable {
        fileprivate(set) var albums: Set<AlbumID> = []
        fileprivate(set) var devices: Set<DeviceID> = []
        fileprivate(set) var guests: Set<GuestID> = []
        fileprivate(set) var photos: Set<PhotoKey> = []
        /// Batches came since the last stamp, whether or not they changed a row.
        fileprivate(set) var isStampDue = false
        /// Nothing waits besides.
        fileprivate(set) var isLast = false

        init() {}

        /// All of a difference.
        init(_ difference: CatalogDifference) {
            albums = difference.albums
            devices = difference.devices
            guests = difference.guests
            photos = difference.allPhotos
            isLast = true
        }

        fileprivate var isEmpty: Bool {
            albums.isEmpty && devices.isEmpty && guests.isEmpty && photos.isEmpty && !isStampDue
        }
    }

    /// Of a tenth of a second about.
    private static let photoCountMax = 2000
    /// A difference of more photos comes of many changes at once, which nobody waits for.
    private static let promptCountMax = 256
    /// Fewer photos in one write are no import.
    private static let importedCountMin = 8

    /// What goes with the next write, whatever its size.
    private var prompt = Part()
    private var bulk = Bulk()
    private var isRunning = false
    /// How many photos the write is about that runs, or ran last.
    private var writtenCount = 0
    /// Photos came one after the other, and more may: what has come since waits for them, unless somebody waits for it.
    private(set) var isPausing = false
    private var hasEnded = false
    /// Whoever waits for the write that runs, for the one after it, and for all.
    private var runningWatchers: [CheckedContinuation<Void, Never>] = []
    private var nextWatchers: [CheckedContinuation<Void, Never>] = []
    private var idleWatchers: [CheckedContinuation<Void, Never>] = []

    private var isEmpty: Bool { prompt.isEmpty && bulk.isEmpty }
    private var isAwaited: Bool { !nextWatchers.isEmpty || !idleWatchers.isEmpty }

    var isIdle: Bool { hasEnded || !isRunning && isEmpty }

    mutating func add(_ difference: CatalogDifference) {
        prompt.albums.formUnion(difference.albums)
        prompt.devices.formUnion(difference.devices)
        prompt.guests.formUnion(difference.guests)
        let photos = difference.allPhotos
        if photos.count > Self.promptCountMax {
            bulk.add(photos)
            isPausing = false
        } else {
            prompt.photos.formUnion(photos)
        }
    }

    /// Batches came: the index needs their stamp even where they changed nothing that it shows.
    mutating func addStamp() { prompt.isStampDue = true }

    /// - Returns: whether a write is to be started.
    mutating func begin() -> Bool {
        guard !hasEnded, !isRunning, !isEmpty, !isPausing || isAwaited else { return false }
        isRunning = true
        isPausing = false
        return true
    }

    /// So much time has passed since a write that what came meanwhile is to be written.
    mutating func endPause() { isPausing = false }

    /// The agent stops: nothing is written any more, and nobody is to wait for it.
    mutating func end() {
        hasEnded = true
        finish(failed: nil)
    }

    /// What the write that was begun has to follow.
    mutating func takePart() -> Part {
        var part = prompt
        prompt = Part()
        bulk.remove(part.photos)
        while part.photos.count < Self.photoCountMax, let photo = bulk.popFirst() { part.photos.insert(photo) }
        part.isLast = bulk.isEmpty
        writtenCount = part.photos.count
        runningWatchers += nextWatchers
        nextWatchers = []
        return part
    }

    /// - Parameter failed: what was not written and waits again.
    mutating func finish(failed: Part?) {
        isRunning = false
        isPausing = failed == nil && bulk.isEmpty && writtenCount >= Self.importedCountMin
        resume(&runningWatchers)
        if let failed {
            prompt.albums.formUnion(failed.albums)
            prompt.devices.formUnion(failed.devices)
            prompt.guests.formUnion(failed.guests)
            prompt.isStampDue = true
            bulk.add(failed.photos)
        }
        // Nobody waits for an index that cannot be written: it is made anew at the next start.
        guard isIdle || failed != nil else { return }
        resume(&nextWatchers)
        resume(&idleWatchers)
    }

    private func resume(_ watchers: inout [CheckedContinuation<Void, Never>]) {
        for watcher in watchers { watcher.resume() }
        watchers = []
    }

    /// Resumes once all is written that was known at the call, but for what came in bulk.
    mutating func whenPrompt(_ watcher: CheckedContinuation<Void, Never>) {
        if isIdle {
            watcher.resume()
        } else if isEmpty {
            runningWatchers.append(watcher)
        } else {
            nextWatchers.append(watcher)
        }
    }

    /// Resumes once nothing waits to be written.
    mutating func whenIdle(_ watcher: CheckedContinuation<Void, Never>) {
        if isIdle { watcher.resume() } else { idleWatchers.append(watcher) }
    }

    /// Photos in the order in which they came.
    private struct Bulk {
        private var order: [PhotoKey] = []
        private var start = 0
        /// Those of ``order``, from ``start`` on, that still wait.
        private var photos: Set<PhotoKey> = []

        var isEmpty: Bool { photos.isEmpty }

        mutating func add(_ more: Set<PhotoKey>) {
            for photo in more where photos.insert(photo).inserted { order.append(photo) }
        }

        mutating func remove(_ gone: Set<PhotoKey>) {
            if !isEmpty { photos.subtract(gone) }
        }

        mutating func popFirst() -> PhotoKey? {
            while !isEmpty {
                let photo = order[start]
                start += 1
                if photos.remove(photo) != nil { return photo }
            }
            (order, start) = ([], 0)
            return nil
        }
    }
}
