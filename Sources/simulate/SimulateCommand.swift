import ArgumentParser
import Simulator

@main
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run gatherings of simulated laptops under faults that a seed decides.",
        discussion: """
            Each run prints its options first. Equal seeds give equal runs, so a failing one can be looked at again:

              simulate --seed 17
              simulate --seeds 500 --first 1000
              simulate --pinned Config/simulations
            """,
        subcommands: [ScaleCommand.self])

    @Option(help: "Replay the run of one seed.")
    var seed: UInt64?

    @Option(help: "Run this many seeds, from --first on.")
    var seeds: Int?

    @Option(help: "The first seed of --seeds.")
    var first: UInt64 = 1

    @Option(help: "Run the seeds listed in a file, or in all files of a directory; one a line, # begins a comment.")
    var pinned: String?

    @Option(help: "Stop --seeds after this many minutes.")
    var minutes: Double?

    func run() throws {
        if let seed { return try replay(seed) }
        var list: [UInt64] = []
        if let pinned { list += try PinnedSeeds.read(pinned) }
        if let seeds { list += (0..<UInt64(max(0, seeds))).map { first &+ $0 } }
        guard !list.isEmpty else { throw ValidationError("Nothing to run: give --seed, --seeds or --pinned.") }
        let report = Campaign(seeds: list, minutes: minutes).run()
        print(report.summary)
        for failure in report.failures { print("FAILED \(failure.options)\n       \(failure.reason)") }
        if !report.failures.isEmpty { throw ExitCode.failure }
    }

    private func replay(_ seed: UInt64) throws {
        let options = SimulationOptions(seed: seed)
        print(options)
        var simulation = Simulation(options: options)
        do {
            let trace = try simulation.run()
            print("passed: \(simulation.eventCount) events, trace \(trace)")
        } catch {
            print("FAILED after \(simulation.eventCount) events: \(error)")
            throw ExitCode.failure
        }
    }
}
