import Synchronization

/// Runs many seeds on all cores.
public struct Campaign: Sendable {
    public struct Failure: Sendable {
        public var options: SimulationOptions
        public var reason: String
    }

    public struct Report: Sendable {
        public var runCount = 0
        public var eventCount = 0
        public var virtualSeconds = 0.0
        public var seconds = 0.0
        public var failures: [Failure] = []

        public var summary: String {
            "\(runCount) seeds, \(failures.count) failed; \(eventCount) events, \(Int(virtualSeconds)) virtual seconds "
                + "in \(Int(seconds.rounded())) s"
        }
    }

    private let seeds: [UInt64]
    private let minutes: Double?

    public init(seeds: [UInt64], minutes: Double? = nil) {
        self.seeds = seeds
        self.minutes = minutes
    }

    public func run(threadCount: Int = 2) -> Report {
        let start = ContinuousClock.now
        let deadline = minutes.map { start + .seconds($0 * 60) }
        let shared = Mutex((next: 0, report: Report()))
        Threads.perform(count: threadCount) {
            while let seed = shared.withLock({ state -> UInt64? in
                guard state.next < seeds.count, deadline.map({ ContinuousClock.now < $0 }) ?? true else { return nil }
                state.next += 1
                return seeds[state.next - 1]
            }) {
                let options = SimulationOptions(seed: seed)
                var simulation = Simulation(options: options)
                var failure: Failure?
                do {
                    try simulation.run()
                } catch {
                    failure = Failure(options: options, reason: "\(error)")
                }
                shared.withLock { state in
                    state.report.runCount += 1
                    state.report.eventCount += simulation.eventCount
                    state.report.virtualSeconds += options.faultSeconds
                    if let failure { state.report.failures.append(failure) }
                }
            }
        }
        var report = shared.withLock { $0.report }
        report.seconds = Double((ContinuousClock.now - start).components.seconds)
        return report
    }
}
