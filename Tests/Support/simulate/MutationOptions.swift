public import ArgumentParser
public import Simulator

/// What is asked about mutants, engines with one planted fault: which run catches each.
struct MutationOptions: ParsableArguments {
    /// Runs that are tried with each mutant unless something else is said.
    static let seedCount = 1000
    /// Building leaves so much of 20 minutes.
    private static let minutesMax = 13.0

    @Option(
        help: """
            Plant a fault, and see in which of --seeds it is first caught: \
            \(Mutant.allCases.map(\.rawValue).joined(separator: ", ")).
            """)
    var mutant: Mutant?

    @Flag(help: "Plant all faults, one after the other, and print which runs catch them.")
    var mutants = false

    @Option(help: "With --mutants: the runs that caught them before, which are tried first and must catch them still.")
    var caught = "Config/simulations/mutants.caught"

    @Flag(help: "With --mutants: write the runs that catch them to the file of --caught.")
    var write = false

    var isAsked: Bool { mutant != nil || mutants }

    static func requireFaults() throws {
        guard !Mutant.isAvailable else { return }
        throw ValidationError("This build has no faults to plant: use Scripts/simulate, which makes one that has.")
    }

    /// Stops at the first run that catches the mutant.
    func look(
        for mutant: Mutant, in runs: [SimulationOptions], minutes: Double?, threadCount: Int
    ) throws {
        let report = MutantCampaign([mutant], runs: runs, minutes: minutes).run(threadCount: threadCount)
        Self.tell(broken: report.broken)
        guard let caught = report.catches[mutant] else {
            print("\(mutant.rawValue) was NOT caught in \(report.runCounts[mutant] ?? 0) runs")
            throw ExitCode.failure
        }
        print("\(mutant.rawValue) was caught by \(caught.failure)\n  \(caught.options)")
    }

    /// Fails where a mutant is missed that was caught before.
    func lookForAll(in runs: [SimulationOptions], minutes: Double?, threadCount: Int) throws {
        var pinned = try PinnedMutants.read(caught)
        let campaign = MutantCampaign(
            Mutant.allCases, runs: runs, pinned: pinned, minutes: minutes ?? Self.minutesMax)
        let report = campaign.run(threadCount: threadCount) { mutant, caught in
            var output = StandardError()
            print("\(mutant.rawValue): \(caught.failure.property.rawValue), \(caught.options.seed)", to: &output)
        }
        print(Self.table(report))
        Self.tell(broken: report.broken)
        let share = 100 * report.catches.count / Mutant.allCases.count
        print("\n\(report.catches.count) of \(Mutant.allCases.count) caught, \(share) %")
        let missed = pinned.keys.filter { report.catches[$0] == nil }.map(\.rawValue).sorted()
        if write {
            pinned.merge(report.catches.mapValues(\.options)) { $1 }
            try PinnedMutants.write(pinned, to: caught)
        }
        guard missed.isEmpty else {
            print("caught before and missed now: " + missed.joined(separator: ", "))
            throw ExitCode.failure
        }
    }

    private static func table(_ report: MutantCampaign.Report) -> TextTable {
        var table = TextTable("Planted faults", ["fault", "caught by", "seed", "runs"])
        for mutant in Mutant.allCases {
            let caught = report.catches[mutant]
            let checker = caught?.failure.property.rawValue ?? "MISSED"
            let seed = caught.map { "\($0.options.seed)" } ?? ""
            table.add([mutant.rawValue, checker, seed, "\(report.runCounts[mutant] ?? 0)"])
        }
        return table
    }

    private static func tell(broken runs: [SimulationOptions]) {
        for options in runs { print("fails without any planted fault: \(options)") }
    }
}

extension Mutant: ExpressibleByArgument {}
