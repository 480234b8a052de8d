import AlbumModel
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Has the agent do what a judgement's steps mean, and lets folder state follow.
struct Settler: Sendable {
    let core: FolderCore
    let group: ChangeGroup

    /// Folder state follows once the agent's part is durable.
    func settle(_ steps: [Judgement.Step]) async throws {
        var drops: [FolderPath: Drop] = [:]
        for path in group.newPhotoPaths(of: steps) { drops[path] = try await drop(path) }
        let edits = group.edits(of: steps, drops: drops)
        if !edits.isEmpty { try await core.host.apply(edits) }
        var albums: [FolderPath: AlbumID] = [:]
        for directory in ChangeGroup.albumDirectories(of: steps) {
            albums[directory] = await core.host.albumID(forDirectory: directory.text)
        }
        let (changes, unplaced) = core.state.withLock { state in
            let (settlement, unplaced) = group.settlement(of: steps, albums: albums, in: state)
            return (state.settle(settlement), unplaced)
        }
        core.queue.touched(unplaced, isLive: true)
        await core.commit(changes)
    }

    /// The photo at a path, its bytes in the store.
    private func drop(_ path: FolderPath) async throws -> Drop {
        var found = group.found[path]!.photo
        let isHeld = found.blob != nil && core.blobs.contains(found.id)
        if !isHeld {
            found.blob = try await core.pool.perform { [core, found] in
                try LostBytes.take(path, signature: found.signature, blob: found.id, core)
            }
        }
        guard let blob = found.blob else {
            throw FolderError(.failed, "\(path) changed while it was judged.")
        }
        return Drop(
            path, blob: blob, mediaType: found.mediaType, modified: found.signature.modified, isLive: found.isLive,
            isShort: found.isShort)
    }
}
