import CFileOps
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Has the disk take the files that people made of late, so that a power cut takes none of them.
struct FreshSync: Sendable {
    /// More files than this are told to the disk as one, with all else that waits for it: others wait for that, too.
    private static let singleCountMax = 64

    let core: FolderCore

    func run() async {
        let (paths, noted) = core.state.withLock { ($0.fresh.paths, $0.fresh.noted) }
        // Where it fails, or the folder is not there, the files stay what they were, and it is tried again.
        let isSynced = try? await core.pool.perform { try self.synchronize(paths) }
        if isSynced == true { await core.commit(core.state.withLock { $0.fresh.synced(noted) }) }
        core.queue.finishSync(isWantedAgain: !core.state.withLock { $0.fresh.isEmpty })
    }

    /// False if the folder is not there. Blocks.
    private func synchronize(_ paths: [FolderPath]) throws(FolderError) -> Bool {
        let root = try SystemCall.openDirectory(core.root)
        defer { close(root) }
        // Looked for once the disk is open: else it may be the one under it.
        guard core.complaint() == nil else { return false }
        guard paths.count <= Self.singleCountMax else {
            errno = cfileops_sync_file_system(root)
            guard errno == 0 else { throw .last("synchronize", core.root) }
            return true
        }
        var directories: Set<FolderPath> = []
        for path in paths {
            try SystemCall.synchronizeFile(path.absolute(in: core.root))
            var directory = path.parent
            while directories.insert(directory).inserted, !directory.bytes.isEmpty { directory = directory.parent }
        }
        for directory in directories.sorted() {
            try SystemCall.synchronizeDirectory(directory, root: core.root)
        }
        // A disk that went away meanwhile took everything along.
        return core.complaint() == nil
    }
}
