import ArgumentParser
import Simulator

/// Runs shared folders above disks that fail, and says which did not end as people made them.
struct FoldersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folders",
        abstract: "Run shared folders above disks that fail, under people who copy, move, edit and remove.",
        discussion: """
            The folder's decisions are those of the agent; disk, card, mounts, events and clock are simulated. Nothing may
            leave an album that no person removed, and every album must end with the photos of its directory.

              simulate folders                            2,000 runs on all cores
              simulate folders --first 2001 --seeds 500   others
              simulate folders --seed 17                  one run: what people, disk and folder did
            """)

    /// Takes `--seed`, `--seeds`, `--first` and `--threads`, wherever they stand.
    @ParentCommand var simulate: SimulateCommand

    func run() throws {
        if let seed = simulate.seed { return try tell(FolderSimulation.run(seed: seed)) }
        let count = UInt64(clamping: simulate.seeds ?? 2000)
        guard count > 0 else { return }
        let failures = FolderCampaign.failures(
            of: simulate.first...(simulate.first + count - 1), threadCount: simulate.threads)
        for failure in failures { print("seed \(failure.seed): \(failure.violation)") }
        print("\(count) folders: \(failures.count) failed")
        if !failures.isEmpty { throw ExitCode.failure }
    }

    private func tell(_ simulation: FolderSimulation) throws {
        simulation.story.forEach { print($0) }
        print(simulation.violation ?? "The folder ended as people made it.")
        if simulation.violation != nil { throw ExitCode.failure }
    }
}
