import PeerTransport
import AlbumModel
import Logging
import NIOCore
import PhotoStore
import ServiceLifecycle
import SyncEngine

/// What the agent does once at its start: names, addresses that are known, photos that are not in the folder yet.
struct Opening: Service {
    let services: Services
    let addresses: [(DeviceID, [PeerAddress])]
    let peers: [PeerAddress]
    let membership: Membership
    /// Blobs that were here and have no file any more.
    let missing: Set<BlobID>

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let lost = await services.recovery.begin(missing: missing)
            await learnAddresses()
            await attempt("names") { try await tellNames() }
            await followPhotosHere()
            await services.recovery.recover(lost)
            await services.removal.settleAll()
            await attempt("changed files") { try await examineSuspects() }
        }
        try? await gracefulShutdown()
    }

    /// A step on which those after it do not depend.
    private func attempt(_ step: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            // Else the agent is stopping.
            guard !Task.isCancelled else { return }
            services.parts.logger.warning(
                "a step of the start failed", metadata: ["step": "\(step)", "error.message": "\(error)"])
        }
    }

    /// Hashes what changed while no agent ran, one after the other: what is wrong is wanted from others again.
    private func examineSuspects() async throws {
        let suspects = try await services.parts.blobPool.perform { [blobs = services.parts.blobs] in blobs.suspects() }
        for blob in suspects where !Task.isCancelled {
            await services.recovery.examine(blob)
        }
    }

    private func learnAddresses() async {
        for (device, known) in addresses {
            await services.host.feed(.learned(.device(device.prefix), known, .inbound))
        }
        for peer in peers { await services.host.feed(.learned(.fixed(peer), [peer], .fixed)) }
    }

    private func tellNames() async throws {
        // On a full disk both fail at once, and are told later all the same.
        try await DeviceNaming(services: services).tell(forPerson: true)
        if let name = membership.gatheringName, await services.host.ask({ $0.catalog.gatheringName.shown == nil }) {
            _ = try await services.contributions.contribute(.gatheringName(name), forPerson: true)
        }
    }

    private func followPhotosHere() async {
        for key in photosHere(await services.host.view.engine) {
            services.folder.requestPlacement(key)
            await services.reading.consider(key, on: services.host)
        }
    }

    private func photosHere(_ engine: Engine) -> [PhotoKey] {
        engine.catalog.albums.values.flatMap { album in
            album.livePhotos.filter { engine.held.contains($0.key) }.map { PhotoKey(album: album.id, blob: $0.key) }
        }
    }
}
