import AlbumModel

/// Photos that left their albums or came back, whose files and trash have not followed yet: one step at a time, of all
/// that queued up.
struct RemovalQueue {
    /// What one step is about.
    struct Part: Sendable {
        /// Ordered.
        var photos: [PhotoKey]
        /// Those of them whose removal nothing has followed yet: the others may have been deleted for good since.
        var removed: Set<PhotoKey>
    }

    private var waiting: Set<PhotoKey> = []
    private var removed: Set<PhotoKey> = []
    /// A step is to be made even where it is about nothing.
    private var isStepDue = false
    private var isRunning = false
    private var hasEnded = false
    private var watchers: [CheckedContinuation<Void, Never>] = []

    private var isEmpty: Bool { waiting.isEmpty && !isStepDue }

    var isIdle: Bool { !isRunning && isEmpty }

    mutating func add(_ photos: some Sequence<PhotoKey>) {
        if !hasEnded { waiting.formUnion(photos) }
    }

    /// Photos whose removal was just learned of.
    mutating func add(removed photos: Set<PhotoKey>) {
        add(photos)
        if !hasEnded { removed.formUnion(photos) }
    }

    mutating func addStep() { isStepDue = !hasEnded }

    /// The agent stops: the next start follows what waits.
    mutating func end() {
        hasEnded = true
        (waiting, removed, isStepDue) = ([], [], false)
        finish(failed: nil)
    }

    /// - Returns: whether a step is to be started.
    mutating func begin() -> Bool {
        guard !isRunning, !isEmpty else { return false }
        isRunning = true
        return true
    }

    /// What the step that was begun is about; `nil` once the agent stops: what waited then is not followed.
    mutating func take() -> Part? {
        guard !hasEnded else { return nil }
        defer { (waiting, removed, isStepDue) = ([], [], false) }
        return Part(photos: waiting.sorted(), removed: removed)
    }

    /// - Parameter failed: what waits again.
    mutating func finish(failed: Part?) {
        isRunning = false
        if let failed {
            add(failed.photos)
            add(removed: failed.removed)
            addStep()
        }
        // Whoever waits for a disk that takes nothing is told what is known.
        guard isIdle || failed != nil else { return }
        for watcher in watchers { watcher.resume() }
        watchers.removeAll()
    }

    mutating func whenIdle(_ watcher: CheckedContinuation<Void, Never>) { watchers.append(watcher) }
}
