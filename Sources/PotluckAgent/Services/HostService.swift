import Logging
import NIOCore
import PhotoStore
import ServiceLifecycle

/// Runs the engine's host, and keeps what it knew of others at the end.
struct HostService: Service {
    let services: Services

    private var parts: AgentParts { services.parts }

    func run() async throws {
        await withGracefulShutdownHandler {
            await services.host.run()
        } onGracefulShutdown: {
            parts.eventLoop.execute { [services] in
                // The handler is synchronous; the actor is told as soon as it has time.
                _ = services.parts.eventLoop.makeFutureWithTask { await services.host.stop() }
            }
        }
        await services.host.stop()
        let view = await services.host.view
        let facts = HoldingsMemory.facts(view.engine, lastSeen: services.network.peers.lastSeen)
        try await parts.setFacts(facts + [services.removal.running.fact])
        do {
            try await parts.indexPool.perform { [parts] in
                try KeptAlbums.keep(
                    view.engine, journal: parts.journal, index: parts.index, blobs: parts.blobs,
                    wall: parts.clock.wall)
            }
        } catch {
            parts.logger.debug("albums not kept", metadata: ["error.message": "\(error)"])
        }
    }
}

/// Ends first of all services: whoever waits for a change to be stored must not keep the others from ending.
struct LastCall: Service {
    let contributions: ContributionService

    func run() async throws {
        try? await gracefulShutdown()
        contributions.refuse()
    }
}
