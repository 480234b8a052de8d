import AlbumModel
import LANDiscovery
import Logging
import NIOCore
import PeerTransport
import PhotoStore
import ServiceLifecycle
import SharedFolder
import SyncEngine
import Synchronization

/// Runs the engine's shell, and keeps what it knew of others at the end.
struct ShellService: Service {
    let shell: EngineShell
    let parts: AgentParts

    func run() async throws {
        await withGracefulShutdownHandler {
            await shell.run()
        } onGracefulShutdown: {
            parts.eventLoop.execute { [shell] in
                // The handler is synchronous; the actor is told as soon as it has time.
                _ = parts.eventLoop.makeFutureWithTask { await shell.stop() }
            }
        }
        await shell.stop()
        let engine = await shell.engine
        let facts = HoldingsMemory.facts(engine, lastSeen: await shell.lastSeen) + [shell.running.fact]
        try await parts.journalPool.perform { [parts] in try parts.journal.setFacts(facts) }
        do {
            try await parts.indexPool.perform { [parts] in
                try KeptAlbums.keep(
                    engine, journal: parts.journal, index: parts.index, blobs: parts.blobs, wall: parts.clock.wall)
            }
        } catch {
            parts.logger.debug("albums not kept", metadata: ["error.message": "\(error)"])
        }
    }
}

/// What the agent does once at its start: names, addresses that are known, photos that are not in the folder yet.
struct Opening: Service {
    let shell: EngineShell
    let parts: AgentParts
    let addresses: [(DeviceID, [PeerAddress])]
    let peers: [PeerAddress]
    let membership: Membership
    /// Blobs that were here and have no file any more.
    let missing: Set<BlobID>

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do {
                let lost = await shell.noteLost(missing: missing)
                try await open()
                await shell.recover(lost)
                await shell.settleAll()
                try await examineSuspects()
            } catch {
                // The shell is stopping, or has said already that the journal cannot be written.
                parts.logger.debug("opening not finished", metadata: ["error.message": "\(error)"])
            }
        }
        try? await gracefulShutdown()
    }

    /// Hashes what changed while no agent ran, one after the other: what is wrong is wanted from others again.
    private func examineSuspects() async throws {
        let suspects = try await parts.blobPool.perform { [parts] in parts.blobs.suspects() }
        for blob in suspects where !Task.isCancelled {
            await shell.examine(blob)
        }
    }

    private func open() async throws {
        for (device, known) in addresses {
            await shell.feed(.learned(.device(device.prefix), known, .inbound))
        }
        for peer in peers { await shell.feed(.learned(.fixed(peer), [peer], .fixed)) }
        if await shell.engine.catalog.deviceName(membership.identity.deviceID) != membership.deviceName {
            _ = try await shell.contribute(.deviceName(membership.deviceName))
        }
        if let name = membership.gatheringName, await shell.engine.catalog.gatheringName.shown == nil {
            _ = try await shell.contribute(.gatheringName(name))
        }
        let engine = await shell.engine
        for album in engine.catalog.albums.values {
            for (blob, _) in album.livePhotos where engine.held.contains(blob) {
                await shell.requestPlacement(PhotoKey(album: album.id, blob: blob))
                await shell.considerReading(PhotoKey(album: album.id, blob: blob))
            }
        }
    }
}

/// Ends first of all services: whoever waits for a change to be stored must not keep the others from ending.
struct LastCall: Service {
    let shell: EngineShell

    func run() async throws {
        try? await gracefulShutdown()
        await shell.refuseContributions()
    }
}

/// Takes the connections that others opened.
struct InboundService: Service {
    let shell: EngineShell
    let transport: PeerTransport

    func run() async throws {
        for await connection in transport.inbound.cancelOnGracefulShutdown() {
            await shell.connected(connection, key: nil)
        }
    }
}

/// Tells the engine whom discovery found.
struct DiscoveryEvents: Service {
    let shell: EngineShell
    let discovery: LANDiscovery
    let transport: PeerTransport
    /// The prefix of the own device.
    let own: UInt64
    /// Where this agent listens.
    let port: UInt16

    /// How often discovery is asked to look afresh while nobody is connected.
    private static let refreshInterval = Duration.seconds(60)

    func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await cancelWhenGracefulShutdown { await refreshWhileAlone() } }
            for await event in discovery.events.cancelOnGracefulShutdown() {
                if case .found(let prefix, let addresses) = event, BigEndian.word(prefix) == own {
                    group.addTask { await cancelWhenGracefulShutdown { await lookForCopy(at: addresses) } }
                } else {
                    await hear(event)
                }
            }
        }
    }

    /// Dials whoever else has the own name: an agent that runs on a copy of this home, which the transport finds out.
    private func lookForCopy(at addresses: [PeerAddress]) async {
        let machine = MachineAddresses.current()
        let others = addresses.filter {
            $0.port != port || !machine.contains(MachineAddresses.withoutInterface($0.host))
        }
        guard !others.isEmpty else { return }
        // Whether it answers or not, there is nothing to be connected to.
        try? await transport.dial(others, expecting: .prefix(BigEndian.bytes(own))).close("it has the own name")
    }

    /// A network that lost packets in silence tells nobody of those who came meanwhile.
    private func refreshWhileAlone() async {
        while !Task.isCancelled {
            // Cancellation ends the loop.
            try? await Task.sleep(for: Self.refreshInterval)
            if await shell.isAlone { discovery.refresh() }
        }
    }

    private func hear(_ event: DiscoveryEvent) async {
        switch event {
        case .found(let prefix, let addresses):
            await shell.feed(.learned(.device(BigEndian.word(prefix)), addresses, .discovery))
        case .lost(let prefix): await shell.feed(.announcementEnded(.device(BigEndian.word(prefix))))
        case .unavailable(let reason): await shell.note(.discovery, reason)
        case .available: await shell.note(.discovery, nil)
        case .networkChanged:
            await shell.feed(.networkChanged)
            discovery.lookAgain(except: await shell.connectedPrefixes)
        }
    }
}

/// Ends the agent from inside.
final class Stopper: Service {
    enum Reason: Sendable {
        /// `potluck down`.
        case told
        /// Another agent has this home's key: the home takes another one, and begins anew.
        case runsTwice
    }

    private let requests: AsyncStream<Reason>
    private let continuation: AsyncStream<Reason>.Continuation
    private let first = Mutex<Reason?>(nil)

    init() {
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Why the agent ended; `nil` if a signal ended it.
    var reason: Reason? { first.withLock { $0 } }

    /// Any thread; before ``run()`` too.
    func stop(_ reason: Reason) { continuation.yield(reason) }

    func run() async throws {
        for await reason in requests.cancelOnGracefulShutdown() {
            first.withLock { $0 = reason }
            return
        }
    }
}

/// Says that the agent serves.
struct ReadyService: Service {
    let onReady: @Sendable () async -> Void

    func run() async throws {
        await onReady()
        try? await gracefulShutdown()
    }
}
