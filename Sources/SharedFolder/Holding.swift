import AlbumModel
import FolderEngine
import Logging
import PhotoStore
import Synchronization

extension FolderCore {
    /// Holds what is found at paths otherwise than in folder state, until it is judged.
    ///
    /// - Parameter explained: paths of which events told; the others were found by looking.
    func hold(_ found: [(path: FolderPath, now: PendingChanges.Now)], explained: Set<FolderPath> = []) async {
        let isAdopting = self.isAdopting
        var settled: [FolderPath] = []
        var rewritten: [(FolderPath, PhotoKey)] = []
        var isNews = false
        for (path, now) in found {
            let (record, isLeaving) = state.withLock { ($0.files[path], $0.leaving[path] != nil) }
            // What this program takes away, or has not got round to, is no person's loss.
            let isOurs = now == .absent && isLeaving
            if now.found == nil, record == nil || isOurs || isAdopting || record?.origin == .removed {
                settled.append(path)
                continue
            }
            if now == .absent, let record, damaged.withLock({ $0.contains(path, known: record.signature) }) {
                if await !bringBackDamaged(path, record) { settled.append(path) }
                continue
            }
            let isExplained = explained.contains(path)
            guard pending.withLock({ $0.insert(path, now, isExplained: isExplained) }) else { continue }
            isNews = true
            if let record, now.signature != nil { rewritten.append((path, record.photo)) }
        }
        if isNews { queue.awaitJudging() }
        // Where it was a hard link, the blob's file may hold the new bytes.
        for (path, photo) in rewritten {
            await host.report(.overwritten(path: path.text, blob: photo.blob))
        }
        await forget(settled)
    }

    /// Somebody deleted a damaged file, which is no word about its photo: the good copy takes its place.
    ///
    /// - Returns: false where there is none to be had. Without its record nobody takes the photo for deleted, and it is
    ///   placed like any that has no file.
    private func bringBackDamaged(_ path: FolderPath, _ record: FileRecord) async -> Bool {
        do {
            try await turns.withTurn(record.photo.blob) { try await PuttingBack(core: self).putBack(path, record) }
            damaged.withLock { $0.remove(path) }
            return true
        } catch {
            let error = FolderError(error)
            logger.warning("a damaged file not replaced", metadata: ["error.message": "\(error.message)"])
            if error.code == .unavailable {
                // Nobody knows what is there: the file may still be on the disk that went away.
                queue.rescan()
                return true
            }
            damaged.withLock { $0.remove(path) }
            return false
        }
    }

    /// The path is as folder state has it.
    func settled(_ path: FolderPath) {
        // A person may have undone what waits for their decision.
        if pending.withLock({ $0.remove(path) }) { queue.awaitJudging() }
    }

    /// The paths' records go, and say nothing about their photos.
    func forget(_ paths: [FolderPath]) async {
        let (changes, photos) = state.withLock { state in
            let photos = paths.compactMap { path in state.files[path].map { (path, $0.photo) } }
            return (paths.flatMap { state.stay($0) + state.drop($0) }, photos)
        }
        for path in paths { settled(path) }
        await commit(changes)
        for (path, photo) in photos { await host.report(.overwritten(path: path.text, blob: photo.blob)) }
    }
}
