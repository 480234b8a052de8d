import FolderEngine
import Synchronization

/// Folder state behind its lock. Whoever holds the ``WorkQueue``'s lock may take this one, never the other way round.
final class LockedState: Sendable {
    private let state: Mutex<FolderState>

    init(_ state: FolderState) {
        self.state = Mutex(state)
    }

    func withLock<Result: Sendable>(_ body: (inout FolderState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
