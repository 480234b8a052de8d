import Foundation
import Simulator
import TestSupport
import Testing

/// What a failure prints can be run again, and what fails can be made smaller.
@Suite struct OptionsTests {
    @Test(arguments: [1, 17, 99, 1_757_463_624] as [UInt64])
    func aLineSaysItAll(seed: UInt64) {
        var options = SimulationOptions(seed: seed)
        #expect(SimulationOptions(options.description) == options)
        options.mutant = Mutant(rawValue: "graft-ignored")
        options.faults = [:]
        options.lies = Set(Lie.allCases)
        #expect(SimulationOptions(options.description) == options)
    }

    @Test func whatALineLeavesOutIsDrawn() {
        #expect(SimulationOptions("17") == SimulationOptions(seed: 17))
        #expect(SimulationOptions("seed=17") == SimulationOptions(seed: 17))
        var options = SimulationOptions(seed: 17)
        options.faults = [.crash: 5]
        #expect(SimulationOptions("seed=17 faults=crash:5") == options)
    }

    @Test(arguments: [
        "", "x", "laptops=2", "seed=1 laptops=x", "seed=1 faults=flood", "seed=1 faults=crash:0", "seed=1 a=1",
    ])
    func nonsenseIsNoRun(text: String) {
        #expect(SimulationOptions(text) == nil)
    }

    @Test func pinnedRunsAreRead() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("some.seeds").path
        try "# nothing\n\n17  # a seed\nseed=3 faults=none\n".write(toFile: file, atomically: true, encoding: .utf8)
        let runs = try PinnedRuns.read(directory.path)
        #expect(runs.map(\.seed) == [17, 3])
        #expect(runs[1].faults.isEmpty)
        try "17 18\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: (any Error).self) { try PinnedRuns.read(file) }
    }

    /// A planted fault that needs lies is left with them alone.
    @Test(.slow, .enabled(if: Mutant.isAvailable)) func shrinkingLeavesWhatIsNeeded() throws {
        var options = SimulationOptions(seed: 14)
        options.mutant = Mutant(rawValue: "store-checks-nothing")
        options.lies = [.pieces, .replays]
        options.editCount = 20
        let (least, failure) = try #require(Shrinking.shrink(options))
        #expect(failure.property == .wrongBytes)
        #expect(least.lies == [.pieces])
        #expect(least.faults.isEmpty)
    }
}
