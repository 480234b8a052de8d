import Synchronization

/// Runs many options on all cores.
public struct Campaign<Options: RunOptions>: Sendable {
    public struct Failure: Sendable {
        public var options: Options
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
    private static var repetitionInterval: Int { 20 }

    private let runs: [Options]
    private let minutes: Double?
    private let stopsAtFailure: Bool

    public init(_ runs: [Options], minutes: Double? = nil, stopsAtFailure: Bool = false) {
        self.runs = runs
        self.minutes = minutes
        self.stopsAtFailure = stopsAtFailure
    }

    public func run(threadCount: Int = 2) -> Report {
        let start = ContinuousClock.now
        let shared = Mutex((next: 0, report: Report(), failed: [Int: Failure]()))
        Threads.work(count: threadCount, minutes: minutes) {
            shared.withLock { state -> Int? in
                guard state.next < runs.count, !(stopsAtFailure && !state.failed.isEmpty) else { return nil }
                state.next += 1
                return state.next - 1
            }
        } perform: { index in
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
        var (_, report, failed) = shared.withLock { $0 }
        report.failures = failed.sorted { $0.key < $1.key }.map(\.value)
        report.seconds = Double((ContinuousClock.now - start).components.seconds)
        return report
    }

    /// Equal options give equal runs.
    private static func run(_ options: Options, isRepeated: Bool) -> RunOutcome {
        var outcome = options.run()
        if isRepeated, outcome.failure == nil, options.run().trace != outcome.trace {
            outcome.failure = SimulationFailure(.differentTrace, "the second run left another trace than the first")
        }
        return outcome
    }
}
