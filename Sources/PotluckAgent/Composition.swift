import AlbumModel
import LANDiscovery
import Logging
import MediaReader
import NIOCore
import NIOPosix
import PeerTransport
import PhotoStore
import PotluckAPI
import ServiceLifecycle
import SharedFolder
import SyncEngine
import WebServer

/// Makes the agent's services out of a home, and runs them.
struct Composition {
    /// Called once the API answers, with what answers there.
    typealias OnReady = @Sendable (ReadyReport, AgentControl) async -> Void

    private let options: AgentOptions
    private let pools: AgentPools
    /// The last run met another agent that has this home's key.
    private let runsTwice: Bool
    let stopper = Stopper()
    /// Laptops that the transport refused, though people should hear of them.
    private let turnedAway = TurnedAwayLaptops()

    init(_ options: AgentOptions, pools: AgentPools, runsTwice: Bool) {
        self.options = options
        self.pools = pools
        self.runsTwice = runsTwice
    }

    /// - Returns: why the agent ended; `nil` where a service failed.
    func run(_ onReady: @escaping OnReady) async throws -> Stopper.Reason? {
        let home = try await pools.journal.perform { [options, runsTwice] in
            try OpenHome(home: options.home, waitMilliseconds: 5000, for: .run(runsTwice: runsTwice))
        }
        // The lock lasts as long as the agent.
        defer { home.lock.release() }
        let replica = try await pools.journal.perform { try home.replicaToContinue() }
        let folderID = try await prepareFolder(home)
        let transport = try makeTransport(home)
        do {
            try await run(home, replica: replica, folderID: folderID, transport: transport, onReady)
        } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
        return stopper.reason
    }

    private func run(
        _ home: OpenHome, replica: ReplicaID?, folderID: FolderID, transport: PeerTransport,
        _ onReady: @escaping OnReady
    ) async throws {
        let port = try await listen(transport, home)
        let engine = try await pools.blobs.perform { home.engine(replica: replica, port: port) }
        let media = MediaReaderSettings.found()
        let reader = MediaReader(settings: media, logger: options.logger)
        let parts = AgentParts(
            journal: home.journal, index: home.index, blobs: home.blobs, reader: reader,
            renditions: PictureStore(path: options.home + "/renditions", logger: options.logger),
            // While one thumbnail is made, another is written to the disk.
            readingCount: 2 * media.workerCount, transport: transport,
            discovery: options.discovery ? makeDiscovery(home, port) : nil, eventLoop: pools.eventLoops.next(),
            journalPool: pools.journal, indexPool: pools.index, blobPool: pools.blobs, commitPool: pools.commits,
            servingPool: pools.serving, logger: options.logger)
        let wanted = Set(engine.wantedBlobs)
        _ = try await pools.blobs.perform { try home.blobs.sweep(wanted: wanted) }
        var transfers = TransferState()
        (transfers.choices, transfers.standardLimits) = (home.transfers, options.limits)
        transfers.reserve = options.reserve
        transfers.space = try await pools.blobs.perform { [options] in DiskSpace(path: options.home) }
        let agent = await Services.begin(
            engine, parts: parts, phrases: home.membership.phrases,
            beginAnew: { [stopper] in stopper.stop(.newRoll) }, lastSeen: home.lastSeen,
            removedPhotos: home.removedPhotos,
            running: try RunningTime(home.journal),
            transfers: transfers)
        let bridge = try FolderBridge(services: agent, folderRoot: options.folder)
        let folder = try await SharedFolder.open(
            root: options.folder, folderID: folderID, journal: home.journal, blobs: home.blobs, pool: pools.folder,
            host: bridge, settings: options.folderSettings, logger: options.logger)
        agent.folder.setFiles(folder)
        await agent.folder.followAllNames()
        agent.problems.note(.home, home.life?.sentence)
        agent.problems.note(.media, reader.lacks.isEmpty ? nil : reader.lacks.joined(separator: " "))
        let upkeep = Upkeep(
            home: AgentsHome(
                path: options.home, services: agent, signing: home.membership.signing,
                folderRoot: options.folder), pool: pools.upkeep)
        var control = AgentControl(
            services: agent, membership: home.membership, folderRoot: options.folder, upkeep: upkeep,
            trashDays: options.trashDays, requestStop: { [stopper] in stopper.stop(.told) },
            network: .init(
                port: Int(port), discovery: options.discovery, peers: options.peers.map(\.description)),
            monitoring: Monitoring(
                version: options.version, started: parts.clock.now, disk: DiskProbe(home: options.home)))
        let space = SpaceService(
            services: agent, home: options.home, folderRoot: options.folder, use: options.space)
        control.space = space
        let gallery = try await Gallery(
            host: AgentGallery(control: control, options: options), logger: options.logger)
        control.doorKeeper = gallery
        let server = try WebServer(agent: control, doors: try doors(), gallery: gallery, logger: options.logger)
        let companionCount = try await parts.indexPool.perform { try parts.index.companionCount() }
        let ready = ReadyReport(
            device: home.membership.deviceName, gathering: home.membership.gatheringName ?? gathering(engine),
            folder: options.folder, port: port, albums: engine.catalog.albums.values.count { $0.liveCount > 0 },
            photos: engine.catalog.albums.values.reduce(0) { $0 + $1.liveCount } - companionCount)
        let opening = Opening(
            services: agent, addresses: try home.addresses(), peers: options.peers,
            membership: home.membership, missing: home.blobs.missingAtStart)
        var services: [any Service] = [
            HostService(services: agent), opening, InboundService(network: agent.network, transport: transport),
            OwnAddresses(engine: agent.host, host: options.listen?.host ?? "", port: port), reader, parts.renditions,
            RenditionNews(news: agent.news.news, store: parts.renditions),
            LateReadings(reading: agent.reading),
            RoomWatch(transfers: agent.transfers, parts: parts, home: options.home),
            ScrubService(upkeep: upkeep, logger: options.logger),
            FailedReadService(
                reads: agent.failedReads, upkeep: upkeep, problems: agent.problems, logger: options.logger),
            SpaceKeeper(space: space),
            TrashKeeper(removal: agent.removal, days: options.trashDays),
            TurnedAwayLaptopsService(laptops: turnedAway, admissions: agent.admissions),
        ]
        if let discovery = parts.discovery {
            services += [
                DiscoveryEvents(
                    services: agent, discovery: discovery, transport: transport, own: engine.device.prefix, port: port),
                discovery,
            ]
        }
        services += [
            folder, AdoptionService(services: agent, folder: folder), server.closing, stopper,
            ReadyService(onReady: { [control] in await onReady(ready, control) }),
            LastCall(contributions: agent.contributions),
        ]
        try await server.serve { try await run(services) }
    }

    private func run(_ services: [any Service]) async throws {
        // Its debug messages are of no use to people.
        var logger = options.logger
        logger.logLevel = max(logger.logLevel, .warning)
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                // `potluck down` and Ctrl-C end the agent the same way, by the stopper: whatever ends first takes the others
                // along. Without a name a service is printed whole, keys and phrase included.
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: $0))")
            }, logger: logger)
        // A peer that does not answer must not keep a person waiting.
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }

    // MARK: Parts

    private func prepareFolder(_ home: OpenHome) async throws -> FolderID {
        do {
            return try await pools.folder.perform { [options] in
                let id = try SharedFolder.prepare(root: options.folder, journal: home.journal)
                try home.journal.setFolder(options.folder, home: options.home)
                return id
            }
        } catch let error as FolderError {
            throw PotluckError(.badSetting, error.message)
        }
    }

    private func makeTransport(_ home: OpenHome) throws -> PeerTransport {
        let known = Set(home.lastSeen.keys)
        let standing = home.standing
        // Whoever is no member any more shares places with strangers.
        let addresses = try home.addresses().filter { standing.roll.isMember($0.0) }.flatMap(\.1)
        return try PeerTransport(
            identity: home.membership.identity, standing: standing,
            knownDevices: { known.contains($0) }, knownAddresses: addresses,
            report: { [stopper, turnedAway] report in
                switch report {
                case .copied: stopper.stop(.runsTwice)
                case .earlierVersion(let device): turnedAway.note(device, .earlierVersion)
                case .outsider(let device): turnedAway.note(device, .outsider)
                }
            },
            eventLoopGroup: pools.eventLoops, blockingPool: pools.serving,
            logger: options.logger)
    }

    private func makeDiscovery(_ home: OpenHome, _ port: UInt16) -> LANDiscovery {
        let advertisement = Advertisement(
            tag: home.membership.tag,
            earlierTags: Array(home.membership.phrases.keyring.tags.dropFirst()),
            devicePrefix: Array(home.membership.identity.deviceID.bytes.prefix(8)),
            port: port)
        return LANDiscovery(advertisement: advertisement, logger: options.logger)
    }

    /// The port is drawn once and used again, so that others find this laptop where it was.
    private func listen(_ transport: PeerTransport, _ home: OpenHome) async throws -> UInt16 {
        let host = options.listen?.host ?? ""
        if let fixed = options.listen?.port, fixed != 0 {
            do {
                return try await transport.listen(host: host, port: fixed)
            } catch {
                throw PotluckError(.badSetting, "\(error)")
            }
        }
        let kept = try home.journal.identityText(.port).flatMap { UInt16($0) }
        if let kept, let port = try? await transport.listen(host: host, port: kept) { return port }
        do {
            let port = try await transport.listen(host: host, port: 0)
            try home.journal.setIdentity([.port: Array("\(port)".utf8)])
            return port
        } catch {
            throw PotluckError(.badSetting, "\(error)")
        }
    }

    /// Those that are open for as long as the agent runs.
    private func doors() throws -> [Door] {
        let owner = Door.owner(path: try AgentSocket.path(home: options.home))
        guard let monitor = options.monitor else { return [owner] }
        // IPv4, as the guests' door: the name of one socket for both families would be another one than scrapers use.
        let host = monitor.host.isEmpty ? "0.0.0.0" : monitor.host
        return [owner, .monitors(host: host, port: Int(monitor.port))]
    }

    private func gathering(_ engine: Engine) -> String? { engine.catalog.gatheringName.shown?.value }
}
