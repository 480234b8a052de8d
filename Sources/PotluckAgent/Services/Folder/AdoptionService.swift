import SyncEngine
import ServiceLifecycle
import SharedFolder

/// Decides when a folder's files from before the journal may be taken in: once this laptop knows what another one knows
/// of the gathering, so that nothing removed comes back. A laptop that stays alone cannot know more.
struct AdoptionService: Service {
    /// Nobody was connected for so long.
    private static let aloneMax = Duration.seconds(5 * 60)
    /// In any case, should nobody ever be level with this laptop.
    private static let waitMax = Duration.seconds(30 * 60)
    private static let lookInterval = Duration.seconds(1)

    let services: Services
    let folder: SharedFolder

    func run() async throws {
        if folder.awaitsAdoption {
            await cancelWhenGracefulShutdown { await wait() }
        }
        try? await gracefulShutdown()
    }

    private func wait() async {
        let start = ContinuousClock.now
        var connected = start
        while !Task.isCancelled {
            let now = ContinuousClock.now
            if await !services.host.ask(\.connectedDevices.isEmpty) { connected = now }
            let isLevel = services.network.peers.wasLevel
            if isLevel || now - connected >= Self.aloneMax || now - start >= Self.waitMax { return folder.adopt() }
            // A cancelled sleep ends the loop.
            try? await Task.sleep(for: Self.lookInterval)
        }
    }
}
