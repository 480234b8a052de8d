import Synchronization

/// Runs many options on all cores.
public struct Campaign: Sendable {
    public struct Failure: Sendable {
        public var options: SimulationOptions
        public var failure: SimulationFailure
    }

    public struct Report: Sendable {
        public var runCount = 0
        public var eventCount = 0
        public var virtualSeconds = 0.0
        public var seconds = 0.0
        /// In the order of the runs.
        public var failures: [Failure] = []

        public var summary: String {
            "\(runCount) seeds, \(failures.count) failed; \(eventCount) events, \(Int(virtualSeconds)) virtual seconds "
                + "in \(Int(seconds.rounded())) s"
        }
    }

    /// Every so many runs one is run twice, and must leave the same trace.
    private static let repetitionInterval = 20

    private let runs: [SimulationOptions]
    private let minutes: Double?
    private let stopsAtFailure: Bool

    public init(_ runs: [SimulationOptions], minutes: Double? = nil, stopsAtFailure: Bool = false) {
        self.runs = runs
        self.minutes = minutes
        self.stopsAtFailure = stopsAtFailure
    }

    public func run(threadCount: Int = 2) -> Report {
        let start = ContinuousClock.now
        let deadline = minutes.map { start + .seconds($0 * 60) }
        let shared = Mutex((next: 0, report: Report(), failed: [Int: Failure]()))
        Threads.perform(count: threadCount) {
            while let index = shared.withLock({ state -> Int? in
                guard state.next < runs.count, deadline.map({ ContinuousClock.now < $0 }) ?? true,
                    !(stopsAtFailure && !state.failed.isEmpty)
                else { return nil }
                state.next += 1
                return state.next - 1
            }) {
                let outcome = Self.run(runs[index], isRepeated: index % Self.repetitionInterval == 0)
                shared.withLock { state in
                    state.report.runCount += 1
                    state.report.eventCount += outcome.eventCount
                    state.report.virtualSeconds += outcome.virtualSeconds
                    if let failure = outcome.failure {
                        state.failed[index] = Failure(options: runs[index], failure: failure)
                    }
                }
            }
        }
        var (_, report, failed) = shared.withLock { $0 }
        report.failures = failed.sorted { $0.key < $1.key }.map(\.value)
        report.seconds = Double((ContinuousClock.now - start).components.seconds)
        return report
    }

    private struct Outcome {
        var eventCount: Int
        var virtualSeconds: Double
        var failure: SimulationFailure?
    }

    private static func run(_ options: SimulationOptions, isRepeated: Bool) -> Outcome {
        var simulation = Simulation(options: options)
        var outcome = Outcome(eventCount: 0, virtualSeconds: 0)
        do throws(SimulationFailure) {
            let trace = try simulation.run()
            if isRepeated { try repeated(options, trace) }
        } catch {
            outcome.failure = error
        }
        outcome.eventCount = simulation.eventCount
        outcome.virtualSeconds = simulation.virtualSeconds
        return outcome
    }

    /// Equal options give equal runs.
    private static func repeated(_ options: SimulationOptions, _ trace: String) throws(SimulationFailure) {
        var again = Simulation(options: options)
        let other = try again.run()
        guard other == trace else {
            throw SimulationFailure(.differentTrace, "the second run left another trace than the first")
        }
    }
}
