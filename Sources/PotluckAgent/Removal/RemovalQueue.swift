import AlbumModel

/// Photos that left their albums or came back, whose files and trash have not followed yet: one step at a time, of all
/// that queued up.
struct RemovalQueue {
    private var waiting: Set<PhotoKey> = []
    private var isRunning = false
    private var hasEnded = false
    private var watchers: [CheckedContinuation<Void, Never>] = []

    var isIdle: Bool { !isRunning && waiting.isEmpty }

    mutating func add(_ photos: some Sequence<PhotoKey>) {
        if !hasEnded { waiting.formUnion(photos) }
    }

    /// The agent stops: the next start follows what waits.
    mutating func end() {
        hasEnded = true
        waiting.removeAll()
        finish(failed: [])
    }

    /// - Returns: whether a step is to be started.
    mutating func begin() -> Bool {
        guard !isRunning, !waiting.isEmpty else { return false }
        isRunning = true
        return true
    }

    /// What the step that was begun is about, ordered.
    mutating func take() -> [PhotoKey] {
        defer { waiting.removeAll() }
        return waiting.sorted()
    }

    /// - Parameter failed: what waits again.
    mutating func finish(failed: [PhotoKey]) {
        isRunning = false
        add(failed)
        // Whoever waits for a disk that takes nothing is told what is known.
        guard isIdle || !failed.isEmpty else { return }
        for watcher in watchers { watcher.resume() }
        watchers.removeAll()
    }

    mutating func whenIdle(_ watcher: CheckedContinuation<Void, Never>) { watchers.append(watcher) }
}
