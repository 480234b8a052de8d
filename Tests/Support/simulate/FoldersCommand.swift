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
              simulate folders --replay "seed=17 steps=500 troubles=card"    with some options given
              simulate folders --shrink --seed 17         look for the least with which it still fails

            Troubles are \(FolderOptions.Trouble.allCases.map(\.rawValue).joined(separator: ", ")), or none.
            """)

    /// Takes `--seed`, `--replay`, `--shrink`, `--seeds`, `--first`, `--minutes` and `--threads`, wherever they stand.
    @ParentCommand var simulate: SimulateCommand

    func run() throws {
        guard let options: FolderOptions = try simulate.single() else {
            let list: [FolderOptions] = simulate.runs(simulate.seeds ?? 2000)
            return try simulate.runAll(list)
        }
        if options.planted != nil { try MutationOptions.requireFaults() }
        if simulate.shrink { return try simulate.look(forLessThan: options) }
        print(options)
        let simulation = FolderSimulation.run(options)
        simulation.story.forEach { print($0) }
        print(simulation.violation ?? "The folder ended as people made it.")
        if simulation.violation != nil { throw ExitCode.failure }
    }
}
