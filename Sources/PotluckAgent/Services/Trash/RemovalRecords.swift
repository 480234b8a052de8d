import AlbumModel
import Synchronization

/// What this laptop alone remembers of photos, for all services, and what is being done about the trash.
///
/// One lock for all of it: what is being restored and what is being deleted are decided here, never the same.
final class RemovalRecords: Sendable {
    struct State {
        var removedPhotos: RemovedPhotos
        var removals = RemovalQueue()
        /// Blobs that are about to join an album again, and those that are being deleted: never the same.
        var restoring: Set<BlobID> = []
        var discarding: Set<BlobID> = []
    }

    let state: Mutex<State>

    init(_ removedPhotos: RemovedPhotos) {
        var state = State(removedPhotos: removedPhotos)
        state.removals.add(removed: removedPhotos.unfollowed)
        self.state = Mutex(state)
    }

    var removedPhotos: RemovedPhotos { state.withLock { $0.removedPhotos } }

    func isHidden(_ photo: PhotoKey) -> Bool { state.withLock { $0.removedPhotos.hidden[photo] != nil } }
}
