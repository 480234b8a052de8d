import AlbumModel
import DiskIO
import NIOPosix
import PeerTransport
import PhotoPack
import PhotoStore
public import PotluckAPI
import SyncEngine
import WireFormat

/// Packs and unpacks in a home in which no agent runs. Each call takes the home's lock.
public enum OfflinePack {
    /// - Throws: ``PotluckError``.
    public static func plan(home path: String, for device: String?) async throws -> PackPlan {
        let home = try await open(path)
        defer { home.lock.release() }
        let engine = home.engine(replica: nil, port: 0)
        // On a full disk it takes no number for one; the photos are packed all the same.
        let summary = try await NIOThreadPool.singleton.perform { try? home.newSummary(engine) }
        let builder = ReportBuilder(
            engine: engine, membership: home.membership, index: home.index,
            indexPool: .singleton, folderPath: { _, _ in nil }, toPlace: [], incoming: nil,
            lastSeen: home.lastSeen, now: SystemClock().wall, isOffline: true)
        var plan = try builder.packPlan(for: device)
        plan.summary = summary.map { PackPlan.Statement($0) }
        return plan
    }

    /// - Throws: ``PotluckError``.
    public static func unpack(
        home path: String, directory: String, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        let home = try await open(path)
        defer { home.lock.release() }
        let receiver = try HomeReceiver(home)
        return try await Unpacker(receiver: receiver, pool: .singleton).run(directory, progress: progress)
    }

    private static func open(_ path: String) async throws -> OpenHome {
        try await NIOThreadPool.singleton.perform { try OpenHome(home: path, waitMilliseconds: 5000) }
    }
}

extension OpenHome {
    /// What the device holds, signed now. The next run of the agent knows of its number before anybody else does. Blocks.
    fileprivate func newSummary(_ engine: Engine) throws -> SignedStatement? {
        let clock = SystemClock()
        var (engine, random) = (engine, SystemRandomNumberGenerator())
        func handle(_ input: EngineInput) { _ = engine.handle(input, now: clock.now, wall: clock.wall, using: &random) }
        func remember() throws { try journal.setFacts(HoldingsMemory.facts(engine, lastSeen: lastSeen)) }
        let before = engine.ownSummary?.number
        handle(.summaryWanted)
        try remember()
        guard let floor = engine.holdingsRecord(of: engine.device)?.summaryFloor else { return nil }
        handle(.holdingsRemembered(floor))
        guard engine.ownSummary?.number != before else { return nil }
        try remember()
        return engine.ownSummary?.statement
    }
}

/// A home without an agent that takes in a pack: the engine with nobody connected, and the disk.
private actor HomeReceiver: PackReceiver {
    nonisolated let tag: String
    nonisolated let isRunning = false
    private let home: OpenHome
    private let clock = SystemClock()
    private var random = SystemRandomNumberGenerator()
    private var engine: Engine

    init(_ home: OpenHome) throws {
        self.home = home
        tag = Hexadecimal.text(home.membership.gatheringTag)
        engine = home.engine(replica: try home.replicaToContinue(), port: 0)
    }

    func carry(_ page: BatchPage) async throws -> CarriedOutcome {
        var directives = handle(.carried(token: 0, page))
        // A batch of the own replica that the journal lacked comes first: that replica is given up in the same
        // transaction, so that no start goes on with it.
        let isReplicaRenewed = directives.contains(.notify(.replicaRenewed))
        for case .store(let batches, _) in directives {
            try await store(batches, isReplicaRenewed: isReplicaRenewed)
            directives += handle(.stored)
        }
        for case .notify(.carried(_, let outcome)) in directives { return outcome }
        throw PotluckError(.failed, "The changes could not be looked at. Please report this.")
    }

    private func handle(_ input: EngineInput) -> [EngineDirective] {
        engine.handle(input, now: clock.now, wall: clock.wall, using: &random)
    }

    private func store(_ batches: [AcceptedBatch], isReplicaRenewed: Bool) async throws {
        let rows = batches.map {
            JournalBatch(
                id: $0.id, replica: $0.batch.replica, firstSequence: $0.batch.firstSequence,
                lastSequence: $0.batch.lastSequence, batch: $0.signed, received: $0.received)
        }
        let given = FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: nil)
        try await NIOThreadPool.singleton.perform { [home] in
            try home.journal.append(rows, facts: isReplicaRenewed ? [given] : [])
        }
    }

    func carry(_ summaries: [SignedStatement]) { _ = handle(.carriedSummaries(summaries)) }

    func wants() -> [CarriedWant] { engine.carriedWants }

    func name(of blob: BlobID) -> String { engine.anyName(of: blob) }

    func take(_ blob: BlobID, from file: OpenFile) async throws {
        _ = try await NIOThreadPool.singleton.perform { [home] in
            try home.blobs.ingest(descriptor: file.descriptor, expecting: blob)
        }
        _ = handle(.blobCarried(blob))
    }

    func missingCount() -> Int { engine.wantedPhotos.reduce(0) { count, _ in count + 1 } }

    func finish() async throws {
        let engine = engine
        _ = try await NIOThreadPool.singleton.perform { [home] in
            try home.journal.setFacts(HoldingsMemory.facts(engine, lastSeen: home.lastSeen))
            try home.index.follow(engine.catalog, log: engine.log)
        }
    }
}
