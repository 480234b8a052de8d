import AlbumModel
import FolderEngine
import NIOPosix
import PhotoStore

/// Has the agent do what a judgement's steps mean.
struct Settler: Sendable {
    let core: FolderCore
    let group: ChangeGroup

    /// What is added to an album is placed there at once, unless folder state has its file: not before that is so. Nor
    /// does anybody take it away before that is durable, or find a photo that leaves its album.
    ///
    /// - Returns: what else follows.
    func settle(_ steps: [Judgement.Step]) async throws(FolderError) -> [FolderDirective] {
        do {
            return try await core.withTurns(group.turns(of: steps)) {
                let paths = group.newPhotoPaths(of: steps)
                // Those whose bytes have to be taken in share commits of the store.
                let photos = try await paths.concurrentMap(atMost: core.settings.importConcurrency) {
                    try await drop($0)
                }
                if core.queue.read({ $0.isOvertaken(steps) }) { return core.queue.handle(.overtaken) }
                let edits = group.edits(of: steps, drops: Dictionary(uniqueKeysWithValues: zip(paths, photos)))
                try await DirectiveRunner(core: core).performDurably(core.queue.handle(.settling))
                if !edits.isEmpty { try await core.host.apply(edits) }
                let albums = await core.albums(of: ChangeGroup.albumDirectories(of: steps))
                let directives = core.queue.handle(.settled(albums))
                let commits = directives.prefix { if case .commit = $0 { true } else { false } }
                try await DirectiveRunner(core: core).perform(Array(commits))
                return Array(directives.dropFirst(commits.count))
            }
        } catch {
            throw FolderError(error)
        }
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
