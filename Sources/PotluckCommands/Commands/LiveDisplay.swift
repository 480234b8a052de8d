import PotluckAPI
import PotluckClient

/// The line that `up` keeps on a terminal: who is here and what is on its way.
struct LiveDisplay {
    /// However much happens, the line is drawn no more often than this.
    private static let drawInterval = Duration.milliseconds(500)

    let client: AgentClient
    let live: LiveLine

    /// Draws when the agent is ready and whenever something happens, until cancelled. A display that cannot ask the agent
    /// ends silently: the agent's work does not depend on it.
    func run(after ready: AsyncStream<Void>) async {
        for await _ in ready { break }
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        await withTaskGroup { group in
            group.addTask {
                try? await client.events { _ in continuation.yield() }
                continuation.finish()
            }
            group.addTask { try? await draw(changes) }
            await group.waitForAll()
        }
        live.clear()
    }

    private func draw(_ changes: AsyncStream<Void>) async throws {
        for await _ in changes {
            let report = try await client.status(skipped: false, all: false)
            live.show(StatusListing.live(report))
            try await Task.sleep(for: Self.drawInterval)
        }
    }
}
