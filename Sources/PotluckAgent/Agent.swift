import AlbumModel
import CMemory
import FolderEngine
import Glibc
import LANDiscovery
public import Logging
import NIOCore
import NIOPosix
import PeerTransport
import PhotoStore
public import PotluckAPI
import ServiceLifecycle
import SharedFolder
public import SyncEngine
import UnixSignals

/// How an agent is run.
public struct AgentOptions: Sendable {
    /// The home's absolute path; it has a gathering.
    public var home: String
    /// The folder's absolute path.
    public var folder: String
    /// Where other devices are served; all addresses and the home's own port where `nil`.
    public var listen: PeerAddress?
    /// Devices to dial besides those that are found; hosts may be names.
    public var peers: [PeerAddress]
    public var discovery: Bool
    /// What is left free of the home's disk.
    public var reserve = DiskReserve.standard
    /// Unless `potluck limit` said otherwise.
    public var limits = TransferLimits()
    /// How long removed photos stay in the trash, in days of running time.
    public var trashDays: Int
    /// Whether what people put into the folder takes its space once.
    public var space = SpaceUse.twice
    /// Where monitors read `/healthz` and `/metrics` without being anybody; nowhere for `nil`. All IPv4 addresses where the
    /// host is empty.
    public var monitor: PeerAddress?
    /// Which version of Potluck this is, such as `1.0`.
    public var version = ""
    public var logger: Logger
    /// How patient the folder is.
    var folderSettings = FolderSettings()

    public static let defaultTrashDays = 30

    public init(
        home: String, folder: String, listen: PeerAddress?, peers: [PeerAddress], discovery: Bool,
        trashDays: Int = AgentOptions.defaultTrashDays, logger: Logger
    ) {
        self.home = home
        self.folder = folder
        self.listen = listen
        self.peers = peers
        self.discovery = discovery
        self.trashDays = trashDays
        self.logger = logger
    }
}

/// The agent of one laptop.
public enum Agent {
    /// Runs until SIGINT, SIGTERM, or `potluck down`.
    ///
    /// - Parameter onReady: called once the API answers.
    /// - Throws: ``PotluckError``.
    public static func run(
        _ options: AgentOptions, onReady: @escaping @Sendable (ReadyReport) async -> Void
    ) async throws {
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        boundMemory()
        let pools = AgentPools()
        do {
            try await run(options, pools, onReady)
        } catch let error as PotluckError {
            await pools.shutDown()
            throw error
        } catch {
            await pools.shutDown()
            throw PotluckError(.failed, "The agent failed: \(error)")
        }
        await pools.shutDown()
    }
}

extension Agent {
    /// Again and again, while there is a reason to begin anew. Only the first run says that it is ready.
    private static func run(
        _ options: AgentOptions, _ pools: AgentPools, _ onReady: @escaping @Sendable (ReadyReport) async -> Void
    ) async throws {
        let ends = EndSignals()
        try await withThrowingTaskGroup { group in
            group.addTask { await ends.watch() }
            var ready: Composition.OnReady = { report, _ in await onReady(report) }
            var reason: Stopper.Reason?
            repeat {
                let composition = Composition(options, pools: pools, runsTwice: reason == .runsTwice)
                ends.follow(composition.stopper)
                reason = try await composition.run(ready)
                ready = { _, _ in }
                switch reason {
                case .runsTwice:
                    options.logger.notice("the home takes a key of its own, since another laptop has a copy")
                case .newRoll: options.logger.notice("the agent begins anew, since hosts changed who takes part")
                case .told, nil: break
                }
            } while (reason == .runsTwice || reason == .newRoll) && !ends.wasTold
            group.cancelAll()
        }
    }

    /// Half-received photos, connections and watches each hold a descriptor, and the usual 1,024 are few.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// A long listing is made of small pieces and of few big ones: what was freed goes back to the system. Pieces of photos
    /// with their frames (2 MiB at most) stay, to be used again.
    private static func boundMemory() {
        cmemory_bound(Int32(max(2, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))), 4 << 20)
    }
}

/// Threads for what blocks.
struct AgentPools: Sendable {
    let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let journal = NIOThreadPool.started(1)
    let index = NIOThreadPool.started(1)
    let blobs = NIOThreadPool.started(4)
    /// They wait nearly all the time, and a file system with a journal makes all that wait durable at once.
    let commits = NIOThreadPool.started(64)
    let serving = NIOThreadPool.started(4)
    /// The same holds of these.
    let folder = NIOThreadPool.started(24)
    /// Looks through the home; its thread makes way for all others.
    let upkeep = NIOThreadPool.started(1)

    func shutDown() async {
        for pool in [journal, index, blobs, commits, serving, folder, upkeep] {
            // It fails only for a pool that was shut down before.
            try? await pool.shutdownGracefully()
        }
        try? await eventLoops.shutdownGracefully()
    }
}
