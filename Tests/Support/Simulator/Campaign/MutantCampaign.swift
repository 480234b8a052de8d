import Synchronization

/// Looks for runs that catch mutants, for all of them at once: each run is tried with every mutant that none has caught.
public struct MutantCampaign: Sendable {
    /// A run that fails with a mutant and passes without it.
    public struct Catch: Sendable {
        public var options: SimulationOptions
        public var failure: SimulationFailure
    }

    public struct Report: Sendable {
        public var catches: [Mutant: Catch] = [:]
        /// Runs that were tried with each mutant.
        public var runCounts: [Mutant: Int] = [:]
        /// Runs that fail without any mutant: they prove nothing.
        public var broken: [SimulationOptions] = []
    }

    private struct State {
        /// The next of all pairs of a run and a mutant, run by run.
        var next = 0
        /// The place of the run that caught each mutant.
        var caughtAt: [Mutant: Int] = [:]
        var report = Report()
    }

    private let mutants: [Mutant]
    private let runs: [Mutant: [SimulationOptions]]
    private let roundCount: Int
    private let minutes: Double?

    /// - Parameters:
    ///   - runs: in their order.
    ///   - pinned: runs that caught a mutant once: each is tried first.
    public init(
        _ mutants: [Mutant], runs: [SimulationOptions], pinned: [Mutant: SimulationOptions] = [:],
        minutes: Double? = nil
    ) {
        self.mutants = mutants
        self.minutes = minutes
        let all = mutants.map { mutant in (mutant, (pinned[mutant].map { [$0] } ?? []) + runs) }
        self.runs = Dictionary(all) { first, _ in first }
        roundCount = all.map(\.1.count).max() ?? 0
    }

    /// - Parameter told: called once or, where two runs end in the wrong order, twice for each mutant that is caught.
    public func run(threadCount: Int = 2, told: @Sendable (Mutant, Catch) -> Void = { _, _ in }) -> Report {
        let shared = Mutex(State())
        Threads.work(count: threadCount, minutes: minutes) {
            shared.withLock { next(&$0) }
        } perform: { mutant, round in
            let options = runs[mutant]![round]
            guard let failure = Self.failure(options, mutant) else { return }
            let isSound = Self.failure(options, nil) == nil
            let caught = Catch(options: options, failure: failure)
            let isNews = shared.withLock { state in
                guard isSound else {
                    if !state.report.broken.contains(options) { state.report.broken.append(options) }
                    return false
                }
                guard round < state.caughtAt[mutant] ?? .max else { return false }
                state.caughtAt[mutant] = round
                state.report.catches[mutant] = caught
                return true
            }
            if isNews { told(mutant, caught) }
        }
        return shared.withLock(\.report)
    }

    /// Every mutant has its turn with a run before any has one with the next.
    private func next(_ state: inout State) -> (Mutant, round: Int)? {
        while state.next < roundCount * mutants.count {
            let (round, index) = state.next.quotientAndRemainder(dividingBy: mutants.count)
            state.next += 1
            let mutant = mutants[index]
            guard state.caughtAt[mutant] == nil, round < runs[mutant]!.count else { continue }
            state.report.runCounts[mutant, default: 0] += 1
            return (mutant, round)
        }
        return nil
    }

    private static func failure(_ options: SimulationOptions, _ mutant: Mutant?) -> SimulationFailure? {
        var options = options
        options.mutant = mutant
        return options.run().failure
    }
}
