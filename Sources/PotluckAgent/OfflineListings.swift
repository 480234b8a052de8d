import AlbumModel
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
public import PotluckAPI
import SharedFolder
import SyncEngine
import Synchronization

/// Answers about a home in which no agent runs.
public final class OfflineListings: Listings {
    private let entered: EnteredHome
    private let opening = Mutex<Task<Opened, any Error>?>(nil)

    /// Takes the home's lock. The journal is folded, and the index brought up to date, with the first question that needs
    /// it.
    ///
    /// - Parameters:
    ///   - path: the home's absolute path.
    ///   - waitMilliseconds: for the lock, at most.
    /// - Throws: ``PotluckError``: `.tryAgain` where another process has the lock.
    public init(home path: String, waitMilliseconds: Int = 5000) async throws {
        entered = try await NIOThreadPool.singleton.perform {
            try EnteredHome(home: path, waitMilliseconds: waitMilliseconds)
        }
    }

    /// What a fold of the journal tells.
    private struct Opened {
        let home: OpenHome
        let folder: SharedFolder?
        let folderRoot: String?
        let builder: ReportBuilder

        init(_ entered: EnteredHome) async throws {
            let pool = NIOThreadPool.singleton
            let home = try await pool.perform { try OpenHome(entered) }
            async let engine = pool.perform { home.engine(replica: nil, port: 0) }
            let folderRoot = try await pool.perform { try home.journal.folder(home: entered.path) }
            var folder: SharedFolder?
            if let root = folderRoot { folder = try await OfflineListings.folder(root, home) }
            (self.home, self.folder, self.folderRoot) = (home, folder, folderRoot)
            builder = ReportBuilder(
                engine: try await engine, membership: home.membership, index: home.index, indexPool: pool,
                folderPath: { [folder] in folder?.path(album: $0, blob: $1) }, toPlace: [], incoming: nil,
                lastSeen: home.lastSeen, now: SystemClock().wall, isOffline: true)
        }
    }

    private func opened() async throws -> Opened {
        try await opening.withLock { opening in
            if let opening { return opening }
            let task = Task { [entered] in try await Opened(entered) }
            opening = task
            return task
        }.value
    }

    private var builder: ReportBuilder { get async throws { try await opened().builder } }

    public func albums() async throws -> AlbumsReport {
        let pool = NIOThreadPool.singleton
        let kept = try await pool.perform { [entered] in KeptAlbums(of: entered, wall: SystemClock().wall) }
        if let kept { return kept.report }
        let opened = try await opened()
        return try await pool.perform {
            let (home, builder) = (opened.home, opened.builder)
            let report = builder.albums(try home.index.albums())
            // Without it, as on a full disk, the next one has to fold as well.
            try? KeptAlbums(report, span: home.holdings.span(around: builder.now)).keep(builder.engine, of: home)
            return report
        }
    }

    public func photos(_ query: PhotoQuery) async throws -> PhotosReport { try await builder.photos(query) }

    public func tags(album: String?) async throws -> TagsReport { try await builder.tags(album: album) }

    public func cover(album: String) async throws -> CoverReport { try await builder.cover(album: album) }

    public func clocks(album: String, camera: String?) async throws -> ClocksReport {
        try await builder.clocks(album: album, camera: camera)
    }

    public func trash(album: String?) async throws -> TrashReport {
        let opened = try await opened()
        return try opened.builder.trash(
            album: album, removedPhotos: opened.home.removedPhotos, runningSeconds: nil, days: nil)
    }

    public func hidden(album: String?) async throws -> HiddenReport {
        let opened = try await opened()
        return try opened.builder.hidden(album: album, removedPhotos: opened.home.removedPhotos)
    }

    public func leftOut(album: String?) async throws -> LeftOutReport { try await builder.leftOut(album: album) }

    public func peers() async throws -> PeersReport { try await builder.peers() }

    public func hosts() async throws -> HostsReport { try await builder.hosts() }

    public func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        let opened = try await opened()
        let files = opened.folder?.skippedFiles() ?? []
        return await opened.builder.status(
            folder: opened.folderRoot, rate: nil, problems: [],
            skipped: skipped ? files.map { PotluckAPI.SkippedFile(path: $0.path, reason: $0.reason) } : nil, all: all)
    }

    public func originals(album: String?) async throws -> OriginalsReport {
        let builder = try await builder
        return try await builder.originals(album: try album.map { try builder.album($0) })
    }

    public func leaveCheck(others: Int) async throws -> LeaveReport {
        try await builder.leaveCheck(others: others, rate: nil)
    }

    public func invite() async throws -> InviteReport {
        try entered.membership.phrases.checkInvites()
        return try entered.membership.inviteReport(gathering: try await opened().builder.gatheringName)
    }

    /// The folder of a home in which no agent runs.
    static func folder(_ root: String, _ home: OpenHome) async throws -> SharedFolder {
        let pool = NIOThreadPool.singleton
        let id = try await pool.perform { try SharedFolder.prepare(root: root, journal: home.journal) }
        return try await SharedFolder.open(
            root: root, folderID: id, journal: home.journal, blobs: home.blobs, pool: pool, host: NobodyHome(),
            logger: Logger(label: "potluck"))
    }

    /// The folder is only read.
    private struct NobodyHome: FolderHost {
        func standing(ofPhoto blob: BlobID, inDirectory directory: String) async -> PhotoStanding { .unknown }
        func albumID(forDirectory directory: String) async -> AlbumID? { nil }
        func contribute(_ drop: Drop) async throws -> AlbumID { throw PotluckError.notRunning }
        func apply(_ edits: [FolderEdit]) async throws { throw PotluckError.notRunning }
        func directoryIsRenamed(_ former: String, to directory: String, album: AlbumID) async throws {
            throw PotluckError.notRunning
        }
        func heldBack(_ group: HeldGroup?) async {}
        func report(_ notice: FolderNotice) async {}
    }
}
