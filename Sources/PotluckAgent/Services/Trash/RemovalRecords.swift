import AlbumModel
import Synchronization

/// What this laptop alone remembers of photos, for all services, and what is being done about the trash.
///
/// One lock for all of it: what is being restored and what is being deleted are decided here, never the same.
final class RemovalRecords: Sendable {
    struct State {
        var removedPhotos: RemovedPhotos
        var removals = RemovalQueue()
        var trouble = RemovalTrouble()
        /// Blobs that are here and about to join an album, each with how many wait for that.
        var restoring: [BlobID: Int] = [:]
        /// Blobs that are being deleted, by one deletion each; never one that is about to join an album.
        var discarding: Set<BlobID> = []

        /// - Returns: false where one of them is being deleted; then none is kept.
        mutating func beginRestoring(_ blobs: [BlobID]) -> Bool {
            guard discarding.isDisjoint(with: blobs) else { return false }
            for blob in blobs { restoring[blob, default: 0] += 1 }
            return true
        }

        mutating func endRestoring(_ blobs: [BlobID]) {
            for blob in blobs {
                let count = restoring[blob, default: 0] - 1
                restoring[blob] = count > 0 ? count : nil
            }
        }

        /// - Returns: false where one of them is about to join an album, or another deletion has it; then none is begun.
        mutating func beginDiscarding(_ blobs: [BlobID]) -> Bool {
            guard discarding.isDisjoint(with: blobs), !blobs.contains(where: { restoring[$0] != nil }) else {
                return false
            }
            discarding.formUnion(blobs)
            return true
        }
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
