import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix
import Synchronization

/// Gives an album's directory the album's name: intent committed, agent told, directory renamed and the folder synced,
/// records moved, in this order.
///
/// So whatever the moment of a crash, the directory is known as the album's afterwards, under whichever name it has.
struct DirectoryRenamer: Sendable {
    let core: FolderCore

    func run(_ album: AlbumID, _ directory: FolderPath) async {
        await core.withTurns([.judging]) {
            let turns = core.queue.read { $0.turnsOfRenaming(directory) }
            await core.withTurns(turns) {
                guard let renaming = await begin(album, directory, turns) else {
                    return await DirectiveRunner(core: core).follow(.notRenamed)
                }
                await DirectiveRunner(core: core).follow(.renamed(renaming, await outcome(of: renaming)))
            }
        }
    }

    private func begin(_ album: AlbumID, _ directory: FolderPath, _ turns: Set<Turn>) async -> DirectoryRenaming? {
        // Where the disk gives no answer, it is tried again.
        guard let look = try? await core.pool.perform({ try self.look(at: directory) }) else { return nil }
        return core.queue.change { judge, now in
            judge.beginRenaming(
                album, directory, turns: turns, inode: look.inode, beside: look.entries, now: now)
        }
    }

    private func outcome(of renaming: DirectoryRenaming) async -> DirectoryRenaming.Outcome {
        do {
            try await core.facts.commit([renaming.intent])
            try await core.host.directoryIsRenamed(
                renaming.former.text, to: renaming.directory.text, album: renaming.album)
        } catch {
            warn(FolderError(error))
            return .unchanged
        }
        do {
            return try await core.pool.perform { try self.rename(renaming) ? .done : .unchanged }
        } catch {
            warn(FolderError(error))
            return .unknown
        }
    }

    private func warn(_ error: FolderError) {
        core.logger.warning("a directory not renamed", metadata: ["error.message": "\(error.message)"])
    }
}

extension DirectoryRenamer {
    private struct Look: Sendable {
        var inode: UInt64
        /// Of the folder itself.
        var entries: [FolderWalk.Entry]
    }

    /// Blocks.
    private func look(at directory: FolderPath) throws -> Look {
        if let complaint = core.placingComplaint(in: directory) { throw FolderError(.unavailable, complaint) }
        let stat = try FileStat(path: directory.absolute(in: core.root))
        guard stat.isDirectory, isOnFoldersDisk(directory, stat),
            case .whole(let entries) = core.mounts.listing(of: .root)
        else { throw FolderError(.failed, "The directory \(directory) stays as it is.") }
        return Look(inode: stat.inode, entries: entries)
    }

    /// Whether neither the directory nor one in it is a mount.
    private func isOnFoldersDisk(_ directory: FolderPath, _ stat: FileStat) -> Bool {
        guard let table = core.mounts.table(), let root = try? FileStat(path: core.root, followsLink: true) else {
            return false
        }
        return root.device == stat.device && !table.mounts.keys.contains { $0 == directory || $0.isBelow(directory) }
    }

    /// False where the directory has its former name, for sure. Blocks.
    private func rename(_ renaming: DirectoryRenaming) throws -> Bool {
        let (former, directory) = (
            renaming.former.absolute(in: core.root), renaming.directory.absolute(in: core.root)
        )
        let isRenamed = try core.directories.withLock { _ in
            guard let stat = try? FileStat(path: former), stat.inode == renaming.inode,
                isOnFoldersDisk(renaming.former, stat), core.complaint() == nil
            else { return false }
            do {
                try Disk.renameWithoutReplacing(former, to: directory, claimingBy: .look)
                return true
            } catch {
                // Some network's file systems do what they say they could not.
                guard let stat = try? FileStat(path: former), stat.inode == renaming.inode else { throw error }
                warn(FolderError(error))
                return false
            }
        }
        if isRenamed { try SystemCall.synchronizeDirectory(core.root) }
        return isRenamed
    }
}

extension FolderMounts {
    /// What stands at both names of a directory that was about to be renamed. The new one is made durable first. Blocks.
    func sights(
        of renaming: DirectoryRenaming, files: [FolderPath: FileRecord]
    ) -> (former: DirectorySight, directory: DirectorySight) {
        let former = sight(of: renaming.former, files)
        let targets = files.map { (renaming.target(of: $0.key) ?? $0.key, $0.value) }
        let directory = sight(of: renaming.directory, Dictionary(targets) { first, _ in first })
        let isDurable = (try? SystemCall.synchronizeDirectory(root)) != nil
        return (former, isDurable ? directory : .unknown)
    }

    private func sight(of directory: FolderPath, _ files: [FolderPath: FileRecord]) -> DirectorySight {
        DirectorySight(of: directory, on: self) {
            guard let stat = try? FileStat(path: directory.absolute(in: root)) else { return nil }
            let holdsFile = files.contains { path, record in
                let stat = try? FileStat(path: path.absolute(in: root))
                return stat.map { FileSignature($0).isUnchanged(since: record.signature) } ?? false
            }
            return (inode: stat.inode, holdsFile: holdsFile)
        }
    }
}
