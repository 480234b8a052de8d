import AlbumModel
import SyncEngine
import Synchronization
import Testing

@testable import PotluckAgent

/// What jobs find out while the engine's host is busy: judged together, before the input that comes next, and each once.
@Suite struct FindingsTests {
    private static let blobs = (1...3).map { BlobID(bytes: [UInt8](repeating: $0, count: 32))! }

    /// All are asked for before the first is judged; the input behind them finds them judged, and nothing is left.
    @Test func findingsAreJudgedTogether() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let host = running.services.host
                let seen = Mutex<[Bool]>([])
                let areFirst = await Self.noteAll(on: host) { blob, host in
                    let isFirstHeld = host.engine.held.contains(Self.blobs[0])
                    seen.withLock { $0.append(isFirstHeld) }
                    return blob == Self.blobs[2] ? nil : .blobCarried(blob)
                }
                #expect(areFirst == [true, false, false])
                #expect(seen.withLock { $0 } == [false, false, false])
                let held = await host.ask { engine in Self.blobs.map { engine.held.contains($0) } }
                #expect(held == [true, true, false])
                // Nothing waits any more: one that comes alone is judged when the call returns.
                await host.deliver(.blobCarried(Self.blobs[2]))
                #expect(await host.ask { $0.held.contains(Self.blobs[2]) })
                #expect(seen.withLock { $0.count } == 3)
            }
        }
    }

    /// What is found out once the agent stops concerns nobody.
    @Test func nothingIsJudgedOnceTheAgentStops() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let host = running.services.host
                await host.stop()
                let isAsked = Mutex(false)
                await host.deliver { (host: isolated EngineHost) in
                    isAsked.withLock { $0 = true }
                    return .blobCarried(Self.blobs[0])
                }
                #expect(!isAsked.withLock { $0 })
                #expect(await host.ask { !$0.held.contains(Self.blobs[0]) })
            }
        }
    }

    /// Takes note of one finding for each blob while nothing else can come, and then of an input.
    private static func noteAll(
        on host: isolated EngineHost,
        _ finding: @escaping @Sendable (BlobID, isolated EngineHost) -> EngineInput?
    ) -> [Bool] {
        let areFirst = blobs.map { blob in
            host.note([{ (host: isolated EngineHost) in finding(blob, host) }])
        }
        host.feed(.deadlineReached)
        return areFirst
    }
}
