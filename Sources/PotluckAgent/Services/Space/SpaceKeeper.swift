import ServiceLifecycle

/// Looks now and then whether space can be saved; see ``SpaceService``.
struct SpaceKeeper: Service {
    /// Between two looks at least; a long one is followed by a pause of a hundred times its length.
    private static let pauseMin = Duration.seconds(15)
    private static let pauseFactor = 100
    /// Before the first look: the start has other things to do.
    private static let firstPause = Duration.seconds(5)

    let space: SpaceService

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A cancelled sleep ends the loop.
            try? await Task.sleep(for: Self.firstPause)
            while !Task.isCancelled {
                let taken = await ContinuousClock().measure { await space.step() }
                try? await Task.sleep(for: max(Self.pauseMin, taken * Self.pauseFactor))
            }
        }
    }
}
