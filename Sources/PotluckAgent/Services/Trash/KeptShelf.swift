import AlbumModel
import Synchronization

/// What this laptop alone remembers of photos, for all services, and what is being done about the trash.
///
/// One lock for all of it: what is being restored and what is being deleted are decided here, never the same.
final class KeptShelf: Sendable {
    struct State {
        var shelf: Shelf
        var removals = RemovalQueue()
        /// Blobs that are about to join an album again, and those that are being deleted: never the same.
        var restoring: Set<BlobID> = []
        var discarding: Set<BlobID> = []
    }

    let state: Mutex<State>

    init(_ shelf: Shelf) {
        var state = State(shelf: shelf)
        state.removals.add(removed: shelf.unfollowed)
        self.state = Mutex(state)
    }

    var shelf: Shelf { state.withLock { $0.shelf } }

    func isHidden(_ photo: PhotoKey) -> Bool { state.withLock { $0.shelf.hidden[photo] != nil } }
}
