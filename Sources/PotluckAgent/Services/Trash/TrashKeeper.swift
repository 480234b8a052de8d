import ServiceLifecycle

/// Counts the time in which the agent runs, and empties the trash of what has been there for its days.
struct TrashKeeper: Service {
    /// So much of the time that is counted can be lost to a crash; photos are then kept that much longer.
    private static let interval = Duration.seconds(600)
    /// Before the first look: the start has other things to do.
    private static let firstWait = Duration.seconds(60)

    let removal: RemovalService
    /// How long photos stay in the trash.
    let days: Int

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A cancelled sleep ends the loop.
            try? await Task.sleep(for: Self.firstWait)
            while !Task.isCancelled {
                await removal.keepTrash(days: days)
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
