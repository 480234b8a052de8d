import DiskIO
import FolderEngine
import NIOPosix
import PhotoStore
import Synchronization

/// Has the disk take the files that people made of late, so that a power cut takes none of them.
struct FreshSync: Sendable {
    /// More files than this are told to the disk as one, with all else that waits for it: others wait for that, too.
    private static let singleCountMax = 64

    let core: FolderCore

    func run(_ paths: [FolderPath], noted: UInt64) async -> [FolderDirective] {
        // Where it fails, or the folder is not there, the files stay what they were, and it is tried again.
        let missed = try? await core.pool.perform { try self.synchronize(paths) }
        return core.queue.handle(.synchronized(noted: noted, missed: missed ?? nil))
    }

    /// Answers which could not be synced, because their disk is away; `nil` if the folder is not there. Blocks.
    private func synchronize(_ paths: [FolderPath]) throws -> Set<FolderPath>? {
        let mounts = core.mounts
        let awayBefore = mounts.away()
        let root = try Descriptor(opening: core.root, .directory)
        // Looked for once the disk is open: else it may be the one under it.
        guard core.complaint() == nil else { return nil }
        let present = paths.filter { !Self.isBelow(awayBefore, $0) }
        if present.count > Self.singleCountMax {
            try root.synchronizeFileSystem()
            for mount in mounts.known.identities.keys where !awayBefore.contains(mount) {
                try Descriptor(opening: core.root + "/" + mount.text, .directory).synchronizeFileSystem()
            }
        } else {
            try synchronizeEach(present)
        }
        // A disk that went away meanwhile took everything along.
        guard core.complaint() == nil else { return nil }
        let away = awayBefore.union(mounts.away())
        return Set(paths.filter { Self.isBelow(away, $0) })
    }

    private func synchronizeEach(_ paths: [FolderPath]) throws {
        var directories: Set<FolderPath> = []
        for path in paths {
            try SystemCall.synchronizeFile(path.absolute(in: core.root))
            var directory = path.parent
            while directories.insert(directory).inserted, !directory.bytes.isEmpty { directory = directory.parent }
        }
        for directory in directories.sorted() {
            try SystemCall.synchronizeDirectory(directory, root: core.root)
        }
    }

    private static func isBelow(_ directories: Set<FolderPath>, _ path: FolderPath) -> Bool {
        directories.contains { path.isBelow($0) }
    }
}
