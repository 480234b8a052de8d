import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// What the folder's parts share.
final class FolderCore: Sendable {
    let root: String
    let folderID: FolderID
    let blobs: BlobStore
    let pool: NIOThreadPool
    let host: any FolderHost
    let settings: FolderSettings
    let logger: Logger
    let facts: FactQueue
    let queue: WorkQueue
    let watcher: InotifyWatcher
    let state: Mutex<FolderState>
    let skipped: Mutex<SkippedList>
    let pending: Mutex<PendingChanges>
    let mounts: Mutex<FolderMounts>
    /// What the last scan could not look at.
    let gaps: Mutex<FolderGaps>
    let damaged = Mutex(DamagedFiles())
    /// Opens once it is known what a group consists of that waited when the agent ended.
    let heldKnown = Gate()
    /// Held while a file is in its ``HidingPlace``, and while somebody looks after what is left there.
    let hiding = Mutex<Void>(())
    /// One group is judged at a time.
    let judging = Turns<Bool>()
    /// Finding and placing the same bytes must not overlap: each asks first whether the other has a file.
    let turns = Turns<BlobID>()
    let adoption: Mutex<Adoption>
    /// What the last scan found; assumed until the first, so that a missing folder is told of.
    let isAvailable = Atomic<Bool>(true)
    /// What was last told of directories that cannot be watched.
    let toldLimit = Mutex<String?>(nil)
    /// What was last told of what cannot be looked at.
    let toldGaps = Mutex<String?>(nil)

    init(
        root: String, folderID: FolderID, blobs: BlobStore, pool: NIOThreadPool, host: any FolderHost,
        settings: FolderSettings, logger: Logger, facts: FactQueue, state: FolderState, mounts: FolderMounts,
        adoption: Adoption, heldID: UInt64?
    ) throws(FolderError) {
        self.root = root
        self.folderID = folderID
        self.blobs = blobs
        self.pool = pool
        self.host = host
        self.settings = settings
        self.logger = logger
        self.facts = facts
        self.state = Mutex(state)
        self.adoption = Mutex(adoption)
        pending = Mutex(PendingChanges(heldID: heldID))
        if heldID == nil { heldKnown.open() }
        self.mounts = Mutex(mounts)
        gaps = Mutex(FolderGaps(delayFirst: settings.gapFirst, delayMax: settings.gapMax))
        skipped = Mutex(SkippedList(countMax: settings.skippedCountMax))
        let watcher = try InotifyWatcher(
            root: root, watchCountMax: settings.watchCountMax
        ) { (directory) throws(DirectoryListingError) in try mounts.list(directory) }
        self.watcher = watcher
        queue = WorkQueue(settings: settings, wake: { watcher.wake() })
    }

    /// `nil` if the folder is there and files may be taken in. Blocks, for microseconds.
    func complaint() -> String? {
        Marker.complaint(root: root, folderID: folderID) ?? adoption.withLock { $0.importComplaint(root: root) }
    }

    /// `nil` if photos may be placed in a directory. Blocks, for microseconds.
    func placingComplaint(in directory: FolderPath) -> String? {
        complaint() ?? adoption.withLock { $0.placingComplaint(root: root) } ?? complaint(about: directory)
    }

    /// `nil` unless a path is on a disk that is not mounted now. Blocks, for microseconds.
    func complaint(about path: FolderPath) -> String? {
        mounts.withLock { $0 }.away(over: path).map { mount in
            "The disk that was mounted at \(root)/\(mount) is not there. Nothing is imported or placed there, and no file "
                + "of it is removed, until it is back."
        }
    }

    /// Lists a directory. Blocks.
    func list(_ directory: FolderPath) throws(DirectoryListingError) -> DirectoryListing {
        try mounts.withLock { $0 }.list(directory)
    }

    /// Asks whether files are there.
    func presence() -> DiskPresence<FolderMounts> { DiskPresence(mounts.withLock { $0 }) }

    /// Which of these files are certainly not there. Blocks.
    func absent(among paths: some Sequence<FolderPath>) -> Set<FolderPath> {
        var presence = presence()
        return Set(paths.filter { presence.isAbsent($0) })
    }

    /// Ends the watcher's thread and all waiting for work. Any thread.
    func stop() {
        queue.stop()
        watcher.stop()
        heldKnown.open()
    }

    /// Lists a file as skipped, and tells of it once. `isUnread`: nobody could look whether it is a photo.
    func skip(_ path: FolderPath, _ reason: String, isUnread: Bool = false) async {
        let file = SkippedFile(path: path.text, reason: reason)
        if skipped.withLock({ $0.insert(path, reason, isUnread: isUnread) }) { await host.report(.skipped(file)) }
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
