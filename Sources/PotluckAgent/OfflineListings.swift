import AlbumModel
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
public import PotluckAPI
import SharedFolder
import SyncEngine

/// Answers about a home in which no agent runs.
public final class OfflineListings: Listings {
    private let builder: ReportBuilder
    private let home: OpenHome
    private let folder: SharedFolder?
    private let folderRoot: String?

    /// Takes the home's lock and brings the index up to date.
    ///
    /// - Parameter home: the home's absolute path.
    /// - Throws: ``PotluckError``.
    public init(home path: String) async throws {
        let pool = NIOThreadPool.singleton
        let home = try await pool.perform { try OpenHome(home: path, waitMilliseconds: 5000) }
        self.home = home
        folderRoot = try await pool.perform { try home.journal.folder(home: path) }
        var folder: SharedFolder?
        if let root = folderRoot { folder = try await Self.folder(root, home) }
        self.folder = folder
        builder = ReportBuilder(
            engine: home.engine(replica: nil, port: 0), membership: home.membership, index: home.index,
            indexPool: pool, folderPath: { [folder] in folder?.path(album: $0, blob: $1) }, toPlace: [],
            incoming: nil, lastSeen: home.lastSeen, now: SystemClock().wall, isOffline: true)
    }

    public func albums() async throws -> AlbumsReport {
        builder.albums(try await NIOThreadPool.singleton.perform { [home] in try home.index.albums() })
    }

    public func photos(_ query: PhotoQuery) async throws -> PhotosReport { try await builder.photos(query) }

    public func tags(album: String?) async throws -> TagsReport { try await builder.tags(album: album) }

    public func cover(album: String) async throws -> CoverReport { try builder.cover(album: album) }

    public func clocks(album: String, camera: String?) async throws -> ClocksReport {
        try await builder.clocks(album: album, camera: camera)
    }

    public func trash(album: String?) async throws -> TrashReport {
        try builder.trash(album: album, shelf: home.shelf, runningSeconds: nil, days: nil)
    }

    public func hidden(album: String?) async throws -> HiddenReport {
        try builder.hidden(album: album, shelf: home.shelf)
    }

    public func peers() async throws -> PeersReport { builder.peers() }

    public func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        let files = folder?.skippedFiles().map { PotluckAPI.SkippedFile(path: $0.path, reason: $0.reason) } ?? []
        return builder.status(
            folder: folderRoot, rate: nil, problems: [], skipped: skipped ? files : nil, all: all)
    }

    public func originals(album: String?) async throws -> OriginalsReport {
        try await builder.originals(album: try album.map(builder.album))
    }

    public func leaveCheck(others: Int) async throws -> LeaveReport { builder.leaveCheck(others: others, rate: nil) }

    public func invite() async throws -> InviteReport {
        home.membership.inviteReport(gathering: builder.gatheringName)
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
        func heldBack(_ group: HeldGroup?) async {}
        func report(_ notice: FolderNotice) async {}
    }
}
