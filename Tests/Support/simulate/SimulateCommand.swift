import ArgumentParser
import Simulator

@main
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run gatherings of simulated laptops under faults that a seed decides.",
        discussion: """
            In each run some laptops drop, name and remove photos on a virtual network while disks, cables, clocks and
            homes fail and peers lie; then all is healed, and the honest ones must agree. Equal seeds give equal runs.

              simulate --seeds 2000                      many runs on all cores
              simulate --seed 17                         one run: its options, then how it ended
              simulate --replay "seed=17 faults=crash:5"    the same, with some options given instead of drawn
              simulate --shrink --seed 17                look for the fewest faults with which it still fails
              simulate --pinned Config/simulations       what once failed
              simulate folders                           shared folders above disks that fail
              simulate --mutants                         which planted faults are caught; --mutant NAME for one of them

            The line that a failure prints is what --replay takes and what a file in Config/simulations holds. Faults are
            named with the mean seconds between two of them, or "none":

              \(FaultFamily.allCases.map(\.rawValue).joined(separator: " "))

            What one more laptop, the liar, may do:

              \(Lie.allCases.map(\.rawValue).joined(separator: " "))
            """,
        subcommands: [FoldersCommand.self, ScaleCommand.self])

    @Option(help: "Replay the run of one seed.")
    var seed: UInt64?

    @Option(help: "Replay one run from its options.")
    var replay: String?

    @Option(help: "Run this many seeds, from --first on.")
    var seeds: Int?

    @Option(help: "The first seed of --seeds.")
    var first: UInt64 = 1

    @Option(help: "Run what is listed in a file, or in all files of a directory; one a line, # begins a comment.")
    var pinned: String?

    @Option(help: "Stop --seeds after this many minutes.")
    var minutes: Double?

    @Option(help: "How many runs go on at once.")
    var threads = 2

    @Flag(help: "With --seed or --replay: leave out faults and lies, one after the other, while the run still fails.")
    var shrink = false

    @Flag(help: "With --seed or --replay: print what every laptop was told and did.")
    var story = false

    @OptionGroup var mutation: MutationOptions

    func run() throws {
        if var options: SimulationOptions = try single() {
            options.mutant = mutation.mutant ?? options.mutant
            if options.mutant != nil { try MutationOptions.requireFaults() }
            return try shrink ? look(forLessThan: options) : run(options)
        }
        var list = try pinned.map { try PinnedRuns.read($0) } ?? []
        if let seeds { list += runs(seeds) }
        if mutation.isAsked {
            try MutationOptions.requireFaults()
            if list.isEmpty { list = runs(MutationOptions.seedCount) }
        }
        if mutation.mutants {
            return try mutation.lookForAll(in: list, minutes: minutes, threadCount: threads)
        }
        guard !list.isEmpty else {
            throw ValidationError("Nothing to run: give --seed, --replay, --seeds or --pinned.")
        }
        if let mutant = mutation.mutant {
            return try mutation.look(for: mutant, in: list, minutes: minutes, threadCount: threads)
        }
        try runAll(list)
    }

    private func run(_ options: SimulationOptions) throws {
        print(options)
        var simulation = Simulation(options: options)
        if story { simulation.story = [] }
        defer { simulation.story?.forEach { print($0) } }
        do {
            let trace = try simulation.run()
            print(
                "passed: \(simulation.eventCount) events, \(simulation.virtualSeconds) virtual seconds, trace \(trace)")
        } catch {
            print("FAILED after \(simulation.eventCount) events at \(simulation.virtualSeconds) s: \(error)")
            throw ExitCode.failure
        }
    }
}

/// What the runs of gatherings and those of folders are asked for alike.
extension SimulateCommand {
    func runs<Options: RunOptions>(_ count: Int) -> [Options] {
        (0..<UInt64(max(0, count))).map { Options(seed: first &+ $0) }
    }

    /// What `--seed` or `--replay` asks for; `nil` where neither is given.
    func single<Options: RunOptions>() throws -> Options? {
        if let seed { return Options(seed: seed) }
        guard let replay else { return nil }
        guard let options = Options(replay) else {
            throw ValidationError("\"\(replay)\" is neither a seed nor a run's options.")
        }
        return options
    }

    func runAll(_ list: [some RunOptions]) throws {
        let report = Campaign(list, minutes: minutes).run(threadCount: threads)
        print(report.summary)
        for failure in report.failures { print("FAILED \(failure.options)\n       \(failure.failure)") }
        if !report.failures.isEmpty { throw ExitCode.failure }
    }

    func look(forLessThan options: some RunOptions) throws {
        print(options)
        guard let (least, failure) = Shrinking.shrink(options) else {
            print("passed: there is nothing to shrink")
            return
        }
        print("FAILED \(least)\n       \(failure)")
        throw ExitCode.failure
    }
}
