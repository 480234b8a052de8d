import AlbumModel
import FolderEngine
import Synchronization

extension FolderCore {
    /// What differs from folder state then is no person's doing: the state is older than the folder, or newer.
    var isAdopting: Bool { adoption.withLock { $0 != .over } }

    /// The agent knows the gathering's photos: reading may begin.
    func beginAdoption() {
        if adoption.withLock({ $0.begin() }) { queue.rescan() }
    }

    /// After each piece of work.
    func endAdoptionIfDone() async {
        let isDone = adoption.withLock { $0 != .over && $0.finish(isLookedThrough: queue.isLookedThrough) }
        if isDone { await commit([FactChange(kind: Adoption.fact, key: [], value: nil)]) }
    }
}
