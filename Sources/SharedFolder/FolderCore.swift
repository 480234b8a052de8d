import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// What the folder's parts share.
final class FolderCore: Sendable {
    let folder: MarkedFolder
    let blobs: BlobStore
    let pool: NIOThreadPool
    let host: any FolderHost
    let settings: FolderSettings
    let logger: Logger
    let facts: FactQueue
    let queue: WorkQueue
    let watcher: InotifyWatcher
    let tasks = WaitingTasks()
    /// Held while a file is in its ``HidingPlace``, and while somebody looks after what is left there.
    let hiding = Mutex<Void>(())
    /// Held while a directory is made for a photo, while one gets another name, and while an empty one is removed.
    let directories = Mutex<Void>(())
    /// What was last told of what cannot be looked at.
    let toldGaps = Mutex<String?>(nil)

    init(
        folder: MarkedFolder, blobs: BlobStore, pool: NIOThreadPool, host: any FolderHost, settings: FolderSettings,
        logger: Logger, journal: Journal, start: FolderStart
    ) throws(FolderError) {
        self.folder = folder
        self.blobs = blobs
        self.pool = pool
        self.host = host
        self.settings = settings
        self.logger = logger
        let mounts = start.mounts
        let watcher = try InotifyWatcher(root: folder.root, watchCountMax: settings.watchCountMax) {
            (directory) throws(DirectoryListingError) in try folder.mounts(mounts).list(directory)
        }
        self.watcher = watcher
        let judge = FolderJudge(
            root: folder.root, settings: settings, names: .folder, state: start.state, mounts: mounts,
            adoption: start.adoption, heldID: start.heldID, now: .now)
        let queue = WorkQueue(judge, wake: { watcher.wake() })
        self.queue = queue
        facts = FactQueue(pool: pool) {
            try journal.setFacts($0)
        } newest: {
            queue.newest($0)
        }
    }

    var root: String { folder.root }

    /// The folder's disk, and those that are, or were, mounted in it.
    var mounts: FolderMounts { folder.mounts(queue.read { $0.mounts }) }

    /// What differs from folder state then is no person's doing.
    var isAdopting: Bool { queue.read { $0.isAdopting } }

    /// `nil` if the folder is there and files may be taken in. Blocks, for microseconds.
    func complaint() -> String? {
        folder.complaint() ?? queue.read { $0.adoption.importComplaint(root: root) }
    }

    /// `nil` if photos may be placed in a directory. Blocks, for microseconds.
    func placingComplaint(in directory: FolderPath) -> String? {
        folder.complaint() ?? knownPlacingComplaint(in: directory)
    }

    /// The same where the folder itself is there, which nobody is asked.
    func knownPlacingComplaint(in directory: FolderPath) -> String? {
        let (complaint, known) = queue.read { ($0.adoption.placingComplaint(root: root), $0.mounts) }
        return complaint ?? self.complaint(about: directory, folder.mounts(known))
    }

    /// `nil` unless a path is on a disk that is not mounted now. Blocks, for microseconds.
    func complaint(about path: FolderPath) -> String? { complaint(about: path, mounts) }

    private func complaint(about path: FolderPath, _ mounts: FolderMounts) -> String? {
        mounts.away(over: path).map { mount in
            "The disk that was mounted at \(root)/\(mount) is not there. Nothing is imported or placed there, and no file "
                + "of it is removed, until it is back."
        }
    }

    /// Lists a directory. Blocks.
    func list(_ directory: FolderPath) throws(DirectoryListingError) -> DirectoryListing {
        try mounts.list(directory)
    }

    /// Asks whether files are there.
    func presence() -> DiskPresence<FolderMounts> { DiskPresence(mounts) }

    /// Ends the watcher's thread and all waiting for work. Any thread.
    func stop() {
        queue.stop()
        watcher.stop()
        letGoOn(queue.handle(.stopped))
    }

    /// Commits what was found. A failure is no reason to find it again: the next start's scan does.
    func commit(_ changes: [FactChange]) async {
        do {
            try await facts.commit(changes)
        } catch {
            logger.warning("folder state not recorded", metadata: ["error.message": "\(error.message)"])
        }
        if changes.contains(where: { $0.kind == .folderFresh && $0.value != nil }) { queue.awaitSync() }
    }
}
