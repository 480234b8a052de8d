#if DEBUG
import AlbumModel
import FolderEngine
import Logging
import MediaReader
import NIOCore
import NIOPosix
import PeerTransport
import PhotoStore
import PotluckAPI
import SharedFolder
import StoreProbe
import SyncEngine
import Synchronization

@testable import PotluckAgent

/// The agent's services with their home and its folder, without network and watcher: what moves photos in and out of albums,
/// folder and trash.
///
/// Photos are read by nobody, and one thread does all that blocks, so that runs are mostly alike.
struct AgentSession: Sendable {
    private static let lockWaitMilliseconds = 5000

    let probe: Probe
    let services: Services
    let parts: AgentParts
    /// `nil` for an agent that has not come to it yet.
    let folder: SharedFolder?

    /// Where the agent's folder is; inside the home, whose path differs from run to run.
    static func folder(of probe: Probe) -> String { probe.home + "/Photos" }

    /// Opens the home as an agent does, makes good what the last run left, and does `body`.
    ///
    /// - Throws: what the services say of a disk that refuses something, too; they would try again after some seconds.
    static func run(
        _ probe: Probe, hasFolder: Bool = true, _ body: @Sendable (AgentSession) async throws -> Void
    ) async throws {
        probe.release()
        let home = try OpenHome(home: probe.home, waitMilliseconds: lockWaitMilliseconds)
        defer { home.lock.release() }
        let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let pool = NIOThreadPool.started(1)
        let logger = Logger(label: "agent-probe") { _ in SwiftLogNoOpLogHandler() }
        let transport = try PeerTransport(
            identity: home.membership.identity, standing: home.standing, knownDevices: { _ in false },
            eventLoopGroup: eventLoops, blockingPool: pool, logger: logger)
        let parts = AgentParts(
            journal: home.journal, index: home.index, blobs: home.blobs,
            reader: MediaReader(settings: .found(), logger: logger),
            renditions: PictureStore(path: probe.home + "/renditions", logger: logger), readingCount: 0,
            transport: transport,
            discovery: nil, eventLoop: eventLoops.next(), journalPool: pool, indexPool: pool, blobPool: pool,
            commitPool: pool, servingPool: pool, logger: logger)
        var failure: (any Error)?
        do { try await begin(probe, home, parts, hasFolder: hasFolder).live(body) } catch { failure = error }
        await transport.shutdown()
        try await pool.shutdownGracefully()
        try await eventLoops.shutdownGracefully()
        if let failure { throw failure }
    }

    private static func begin(
        _ probe: Probe, _ home: OpenHome, _ parts: AgentParts, hasFolder: Bool
    ) async throws -> AgentSession {
        let engine = home.engine(replica: try home.replicaToContinue(), port: 0)
        _ = try home.blobs.sweep(wanted: Set(engine.wantedBlobs))
        let services = await Services.begin(
            engine, parts: parts, phrases: home.membership.phrases, removedPhotos: home.removedPhotos,
            running: try RunningTime(home.journal))
        probe.begin()
        let folder = hasFolder ? try await openFolder(probe, home, services) : nil
        if let folder { services.folder.setFiles(folder) }
        return AgentSession(probe: probe, services: services, parts: parts, folder: folder)
    }

    private static func openFolder(
        _ probe: Probe, _ home: OpenHome, _ services: Services
    ) async throws -> SharedFolder {
        let root = folder(of: probe)
        let id = try SharedFolder.prepare(root: root, journal: home.journal)
        try home.journal.setFolder(root, home: probe.home)
        var settings = FolderSettings()
        // The samples' bytes end in nothing that a format knows.
        settings.patience.short = .zero
        return try await SharedFolder.open(
            root: root, folderID: id, journal: home.journal, blobs: home.blobs, pool: services.parts.blobPool,
            host: try FolderBridge(services: services, folderRoot: root), settings: settings,
            logger: services.parts.logger)
    }

    private func live(_ body: @Sendable (AgentSession) async throws -> Void) async throws {
        let complaint = Complaint()
        let records = services.hub.events()
        try await withThrowingTaskGroup { group in
            group.addTask { await services.host.run() }
            group.addTask {
                for await record in records where record.event == .problem {
                    complaint.sentence.withLock { $0 = record.message }
                    // Whoever waits for the disk to get well waits no longer.
                    await services.host.stop()
                }
            }
            do {
                await services.removal.settleAll()
                await services.removal.isSettled()
                try await body(self)
                await services.index.isComplete()
            } catch {
                await services.host.stop()
                throw complaint.error ?? error
            }
            await services.host.stop()
            if let error = complaint.error { throw error }
            group.cancelAll()
        }
    }

    private final class Complaint: Sendable {
        let sentence = Mutex<String?>(nil)
        var error: ProbeError? { sentence.withLock { $0 }.map { ProbeError(sentence: $0) } }
    }
}
#endif
