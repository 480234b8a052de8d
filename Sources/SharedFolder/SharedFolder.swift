public import AlbumModel
public import FolderEngine
public import Logging
public import NIOPosix
public import PhotoStore
public import ServiceLifecycle
import Synchronization

/// The watched folder: takes in what people drop, and shows what peers sent.
///
/// Every first-level directory is an album. Blocking work runs on the pool that is handed in, which should have more than
/// ``FolderSettings/importConcurrency`` threads: else commits wait for files that are read. The watcher has a thread of its
/// own.
public final class SharedFolder: Service {
    let core: FolderCore

    /// Goes into the journal where it may know less than the folder shows, as after a restore: files are then adopted
    /// after ``adopt()`` only.
    public static let adoptionFact = FactChange(kind: Adoption.fact, key: [], value: [1])

    /// Names the folder that this home uses, and makes it, with its marker, when the journal names none.
    ///
    /// A folder that is named but not there is not made again: ``run()`` waits for it, and says so. Where there is a
    /// marker already, of another journal, its files wait for ``adopt()``. Blocks.
    public static func prepare(root: String, journal: Journal) throws(FolderError) -> FolderID {
        do {
            if let id = try journal.fact(Marker.fact, []).flatMap({ FolderID(bytes: $0) }) { return id }
            let plan = try FolderPlan(root: root, journal: journal)
            try Marker.make(root: root, folderID: plan.id)
            try journal.setFacts(plan.completion)
            return plan.id
        } catch {
            throw FolderError(error)
        }
    }

    /// Reads what is known of the folder's files, and settles what a crash left half done.
    ///
    /// `root` is absolute. One open folder uses a journal's folder facts at a time.
    public static func open(
        root: String, folderID: FolderID, journal: Journal, blobs: BlobStore, pool: NIOThreadPool,
        host: any FolderHost, settings: FolderSettings = FolderSettings(), logger: Logger
    ) async throws(FolderError) -> SharedFolder {
        try await open(
            root: root, folderID: folderID, journal: journal, blobs: blobs, pool: pool, host: host, settings: settings,
            logger: logger, boot: BootID.current())
    }

    static func open(
        root: String, folderID: FolderID, journal: Journal, blobs: BlobStore, pool: NIOThreadPool,
        host: any FolderHost, settings: FolderSettings, logger: Logger, boot: BootID, probe: FolderProbe = .system
    ) async throws(FolderError) -> SharedFolder {
        let folder = MarkedFolder(root: root, id: folderID, probe: probe)
        do {
            let start = try await pool.perform {
                var start = try FolderStart(boot: boot, facts: journal.facts)
                try journal.setFacts(IntentRecovery.settle(&start, in: folder))
                return start
            }
            return SharedFolder(
                core: try FolderCore(
                    folder: folder, blobs: blobs, pool: pool, host: host, settings: settings, logger: logger,
                    journal: journal, start: start))
        } catch {
            throw FolderError(error)
        }
    }

    private init(core: FolderCore) {
        self.core = core
    }

    /// Scans, then watches and imports until graceful shutdown or cancellation. Once only.
    public func run() async throws {
        let core = self.core
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        // It fails only if the pool has no thread, and this one has just been started.
                        try? await thread.perform { core.watcher.run { SharedFolder.hear($0, core) } }
                    }
                    group.addTask {
                        await DirectiveRunner(core: core).follow(.started)
                    }
                    let places = WorkPlaces(count: core.settings.importConcurrency)
                    for _ in 0..<core.settings.workConcurrency {
                        group.addTask { await DirectiveRunner.work(core, at: places) }
                    }
                }
            } onGracefulShutdown: {
                core.stop()
            }
        } onCancel: {
            core.stop()
        }
        try await thread.shutdownGracefully()
    }

    /// Whether files wait for ``adopt()``; nothing is imported or placed until then.
    public var awaitsAdoption: Bool { core.queue.read { $0.adoption == .held } }

    /// The gathering's photos are known now, as far as they can be: files that are here are taken for them, and those
    /// that nobody has are added. Without effect where nothing waits for it.
    public func adopt() {
        // Nothing is to be done at once.
        _ = core.queue.handle(.adopt)
    }

    /// Puts photos into their albums' directories, durably, each under a safe and free name with an extension of the type
    /// that its bytes are.
    ///
    /// They share each step, so that many cost little more than one, and none has its outcome before all have. Before
    /// ``run()`` is fine.
    /// - Parameter placements: each photo once.
    /// - Returns: In order, the path below the folder; `nil` if the photo has a file in its album already, or had one
    ///   that a person deleted. Of errors ``FolderError/Code/unavailable`` and ``FolderError/Code/diskFull`` are worth
    ///   another try later; ``FolderError/Code/noPhoto(reason:)`` is for bytes that would not be shared from the folder
    ///   either.
    public func place(_ placements: [Placement]) async -> [Result<String?, FolderError>] {
        await Materialiser(core: core).place(placements).map { outcome in outcome.map { $0?.text } }
    }

    /// Takes the names of albums. Their directories follow once nobody has put anything there for a while.
    public func follow(_ names: [AlbumID: AlbumNames]) {
        // What follows is handed out as work.
        _ = core.queue.handle(.named(names))
    }

    /// Takes the names of photos. The files that this program placed follow, where no person gave them other names; they are
    /// ``placedFiles()``.
    public func follow(_ names: [PhotoKey: PhotoName]) {
        // What follows is handed out as work.
        _ = core.queue.handle(.photosNamed(names))
    }

    /// Files that have the names that this program gave them.
    public func placedFiles() -> [FolderFile] {
        core.queue.read { judge in judge.state.files.filter { $0.value.origin == .placed } }.map { path, record in
            FolderFile(path: path.text, album: record.photo.album, blob: record.photo.blob)
        }
    }

    /// A file of this photo in this album, below the folder; `nil` if there is none.
    public func path(album: AlbumID, blob: BlobID) -> String? {
        core.queue.read { $0.state.paths(of: PhotoKey(album: album, blob: blob)).min()?.text }
    }

    /// Every file that holds a shared photo, ordered by path.
    public func files() -> [FolderFile] {
        core.queue.read { $0.state.files }.sorted { $0.key < $1.key }.map { path, record in
            FolderFile(path: path.text, album: record.photo.album, blob: record.photo.blob)
        }
    }

    /// The album that a first-level directory stands for, by what is remembered of it and by the files that are there;
    /// `nil` where nothing tells.
    public func album(ofDirectory directory: String, remembered: AlbumID?) -> AlbumID? {
        core.queue.read { $0.state.album(of: FolderPath(directory), remembered: remembered) }
    }

    /// Files that are not shared, each with its reason.
    public func skipped() -> [SkippedFile] {
        let removed = core.queue.read { $0.state.files.filter { $0.value.origin == .removed }.keys }
        let reason = "its photo was removed from this album; copy the file here again to share it"
        let skipped = core.queue.read { $0.skipped.files }
        return skipped + removed.sorted().map { SkippedFile(path: $0.text, reason: reason) }
    }

    /// Looks through the whole folder soon, as happens by itself every ``FolderSettings/rescanInterval``.
    public func rescan() {
        core.queue.rescan()
    }
}

extension SharedFolder {
    /// What the watcher tells, on its thread.
    private static func hear(_ events: [FolderEvent], _ core: FolderCore) -> MonotonicInstant? {
        // What follows is handed out as work.
        if !events.isEmpty { _ = core.queue.handle(.noticed(events)) }
        return core.queue.tick()
    }
}
