import Synchronization

/// The folder, once it is open: it knows the services, which are made first.
final class FolderSlot: Sendable {
    private let state = Mutex<(any FolderFiles)?>(nil)

    var files: (any FolderFiles)? { state.withLock { $0 } }

    func set(_ files: (any FolderFiles)?) {
        // What goes with the former one goes after the lock.
        _ = state.withLock { state in
            defer { state = files }
            return state
        }
    }
}
