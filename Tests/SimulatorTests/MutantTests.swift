import Foundation
import Simulator
import TestSupport
import Testing

/// Faults that are planted in the engine and the fold are caught: the checkers are awake.
@Suite(.enabled(if: Mutant.isAvailable)) struct MutantTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let caught = Result { try PinnedMutants.read(list) }
    private static let list = root.appendingPathComponent("Config/simulations/mutants.caught").path

    /// Gross ones are caught at once, and by a checker that looks at what they break.
    @Test(
        .slow,
        arguments: [
            ("last-batch-not-stored", [.undurable, .damagedJournal, .reusedSequence, .notConverged, .lostPhoto]),
            ("removals-forgotten-at-start", [.resurrectedPhoto, .digestMismatch, .differentManifests]),
            ("store-checks-nothing", [.wrongBytes]),
        ] as [(String, Set<SimulationFailure.Property>)])
    func grossFaultsAreCaught(name: String, properties: Set<SimulationFailure.Property>) throws {
        let mutant = try #require(Mutant(rawValue: name))
        let runs = (1...200 as ClosedRange<UInt64>).map { SimulationOptions(seed: $0) }
        let report = MutantCampaign([mutant], runs: runs).run()
        let caught = try #require(report.catches[mutant], "\(name) was not caught")
        #expect(properties.contains(caught.failure.property))
        #expect(report.broken.isEmpty)
    }

    /// Each run of the list still fails with the fault that it caught once; that it passes without was seen then.
    @Test(.slow, arguments: ((try? caught.get()) ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue })
    func whatWasCaughtIsCaught(mutant: Mutant, options: SimulationOptions) {
        var options = options
        options.mutant = mutant
        var simulation = Simulation(options: options)
        #expect(throws: SimulationFailure.self) { try simulation.run() }
    }

    @Test func theListIsRead() throws {
        #expect(throws: Never.self) { try Self.caught.get() }
    }

    /// A fault that no line of the sources asks about would be missed for ever.
    @Test func everyFaultIsPlanted() throws {
        var sources = ""
        for folder in ["Sources", "Tests/Support/Simulator"] {
            let directory = Self.root.appendingPathComponent(folder)
            let files = try #require(FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                sources += try String(contentsOf: file, encoding: .utf8)
            }
        }
        for mutant in Mutant.allCases {
            #expect(sources.contains("PlantedFault.isPlanted(.\(mutant.caseName))"), "\(mutant.rawValue) is nowhere")
        }
    }

    @Test func aListIsWrittenAsItIsRead() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("some.caught").path
        var options = SimulationOptions(seed: 3)
        options.faults = [.crash: 5]
        let pinned = [Mutant.allCases[0]: SimulationOptions(seed: 17), Mutant.allCases[1]: options]
        try PinnedMutants.write(pinned, to: file)
        #expect(try PinnedMutants.read(file) == pinned)
        for line in ["no-such-fault 17", Mutant.allCases[0].rawValue, "\(Mutant.allCases[0].rawValue) x"] {
            try line.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(throws: (any Error).self) { try PinnedMutants.read(file) }
        }
    }
}
