import ServiceLifecycle

/// Looks now and then for photos that nobody has read.
struct LateReadings: Service {
    private static let lookInterval = Duration.seconds(30)

    let reading: ReadingService

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // A cancelled sleep ends the loop.
                try? await Task.sleep(for: Self.lookInterval)
                await reading.readOverdue()
            }
        }
    }
}
