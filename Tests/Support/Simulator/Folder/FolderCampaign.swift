public import AlbumModel
import Synchronization

/// Runs many seeds of ``FolderSimulation`` on all cores.
public enum FolderCampaign {
    public struct Failure: Sendable {
        public var seed: UInt64
        public var violation: String
    }

    /// The seeds that failed, in their order.
    ///
    /// - Parameters:
    ///   - fault: A mistake that is planted for these runs.
    ///   - stopsAtFailure: The first seed that fails is enough.
    public static func failures(
        of seeds: ClosedRange<UInt64>, planting fault: PlantedFault? = nil, stopsAtFailure: Bool = false,
        threadCount: Int = 2
    ) -> [Failure] {
        let shared = Mutex((next: seeds.lowerBound, failures: [Failure]()))
        Threads.perform(count: threadCount) {
            while let seed = shared.withLock({ state -> UInt64? in
                if state.next > seeds.upperBound || stopsAtFailure && !state.failures.isEmpty { return nil }
                defer { state.next += 1 }
                return state.next
            }) {
                let simulation = PlantedFault.with(fault) { FolderSimulation.run(seed: seed) }
                guard let violation = simulation.violation else { continue }
                shared.withLock { $0.failures.append(Failure(seed: seed, violation: violation)) }
            }
        }
        return shared.withLock { $0.failures }.sorted { $0.seed < $1.seed }
    }
}
