import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// Moves damaged files of a photo to the quarantine: intent committed, file moved, directories synced, record dropped, in
/// this order.
///
/// A file that went while it is known would be a person's removal, one that is there while it is not known a new photo. To
/// be called in the blob's turn.
struct SettingAside: Sendable {
    let core: FolderCore
    let blob: BlobID
    let inode: UInt64

    /// The paths that were freed, below the folder.
    func run() async -> [String] {
        var freed: [String] = []
        for path in core.state.withLock({ $0.paths(of: blob) }).sorted() {
            do {
                guard let record = try await begin(path) else { continue }
                let isMoved = try await core.pool.perform { try self.move(path, record) }
                await core.commit(core.state.withLock { isMoved ? $0.drop(path) : $0.stay(path) })
                guard isMoved else { continue }
                core.settled(path)
                freed.append(path.text)
            } catch {
                // What became of the file is settled by the next start.
                core.logger.warning(
                    "a damaged file not set aside", metadata: ["error.message": "\(FolderError(error).message)"])
            }
        }
        return freed
    }

    /// Commits the intent. `nil` for another file than the one that is damaged.
    func begin(_ path: FolderPath) async throws(FolderError) -> FileRecord? {
        let intent = core.state.withLock { state -> (record: FileRecord, changes: [FactChange])? in
            guard let record = state.files[path], record.photo.blob == blob, record.signature.inode == inode,
                state.leaving[path] == nil
            else { return nil }
            return (record, state.setAside(path, record.photo))
        }
        guard let intent else { return nil }
        do {
            try await core.facts.commit(intent.changes)
        } catch {
            // It may have been committed all the same.
            await core.commit(core.state.withLock { $0.stay(path) })
            throw error
        }
        return intent.record
    }

    /// False for a file that is a person's edit, or that cannot be moved. Blocks.
    private func move(_ path: FolderPath, _ record: FileRecord) throws(FolderError) -> Bool {
        guard let stat = try? FileStat(path: path.absolute(in: core.root)),
            FileSignature(stat).isSameFile(as: record.signature),
            let target = try? core.blobs.quarantinePath(for: record.photo.blob.hex),
            (try? Disk.rename(path.absolute(in: core.root), to: target)) != nil
        else { return false }
        // Else a power cut brings a file back that nothing is known of any more.
        if let slash = target.lastIndex(of: "/") { try SystemCall.synchronizeDirectory(String(target[..<slash])) }
        try SystemCall.synchronizeDirectory(path.parent, root: core.root)
        return true
    }
}
