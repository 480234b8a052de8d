import AlbumModel
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Has the agent do what a judgement's steps mean, and says how folder state follows.
struct Settler: Sendable {
    let core: FolderCore
    let group: ChangeGroup

    /// Returns once the agent's part is durable.
    func settle(_ steps: [Judgement.Step]) async throws -> FolderState.Settlement {
        var edits: [FolderEdit] = []
        var told: Set<MovedPhoto> = []
        for step in steps {
            // A photo of which several files moved is told of once.
            if case .move(let lost, let path) = step,
                !told.insert(MovedPhoto(photo: lost.record.photo, directory: path.albumDirectory)).inserted
            {
                continue
            }
            if let edit = try await edit(step) { edits.append(edit) }
        }
        if !edits.isEmpty { try await core.host.apply(edits) }
        return await settlement(steps)
    }

    private struct MovedPhoto: Hashable {
        var photo: PhotoKey
        var directory: FolderPath
    }

    private func edit(_ step: Judgement.Step) async throws -> FolderEdit? {
        let (path, record) = (step.lost.path, step.lost.record)
        let (album, blob) = (record.photo.album, record.photo.blob)
        switch step {
        case .forget: return nil
        case .rename(_, let target), .promote(_, let target):
            let isNamed = record.origin != .duplicate && Drop.name(target) != Drop.name(path)
            return isNamed ? .renamed(album: album, blob: blob, name: Drop.name(target), path: target.text) : nil
        case .move(_, let target): return .moved(from: album, blob: blob, to: try await drop(target))
        case .replace: return .replaced(album: album, old: blob, by: try await drop(path))
        case .remove: return .removed(album: album, blob: blob, path: path.text)
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

    private func settlement(_ steps: [Judgement.Step]) async -> FolderState.Settlement {
        var settlement = FolderState.Settlement()
        let targets = Set(steps.compactMap { $0.isLoss ? nil : $0.target })
        for step in steps {
            let (path, record) = (step.lost.path, step.lost.record)
            let isRemoved = record.origin == .removed
            settlement.left.append((path, record.photo, isGone: !isRemoved))
            switch step {
            case .forget, .remove: break
            case .rename(_, let target): settlement.held.append((target, moved(record, to: target, record.photo.album)))
            case .promote(_, let target):
                guard var other = core.state.withLock({ $0.files[target] }) else { continue }
                other.origin = record.origin
                settlement.held.append((target, other))
            case .move(_, let target):
                // The agent has made the album by now; without one, the next look at the file adds it as a drop.
                guard let album = await core.host.albumID(forDirectory: target.albumDirectory.text) else {
                    core.queue.touched([target], isLive: true)
                    continue
                }
                settlement.held.append((target, moved(record, to: target, album)))
            case .replace:
                if targets.contains(path) { continue }
                settlement.held.append((path, moved(record, to: path, record.photo.album)))
            }
        }
        return settlement
    }

    /// What is known of the found file from now on.
    private func moved(_ record: FileRecord, to path: FolderPath, _ album: AlbumID) -> FileRecord {
        let found = group.found[path]!.photo
        let photo = PhotoKey(album: album, blob: found.id)
        if photo == record.photo { return FileRecord(photo: photo, signature: found.signature, origin: record.origin) }
        let isCopy = core.state.withLock { !$0.paths(of: photo).subtracting([path]).isEmpty }
        return FileRecord(photo: photo, signature: found.signature, origin: isCopy ? .duplicate : .dropped)
    }
}
