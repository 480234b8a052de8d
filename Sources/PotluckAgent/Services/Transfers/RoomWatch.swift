import ServiceLifecycle

/// Looks at the disk now and then, so that photos stop coming before it is full and go on when there is room.
struct RoomWatch: Service {
    /// What others write meanwhile comes out of the reserve.
    private static let interval = Duration.seconds(2)

    let transfers: TransferService
    let parts: AgentParts
    let home: String

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // The pool is closed only when the agent ends.
                let space = try? await parts.blobPool.perform { [home] in DiskSpace(path: home) }
                await transfers.measured(space ?? nil)
                // A cancelled sleep ends the loop.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
