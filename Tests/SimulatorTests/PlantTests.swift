import Simulator
import Testing

/// Bugs that are put in on purpose are found within 200 seeds: the checkers are awake.
@Suite struct PlantTests {
    @Test(arguments: Plant.allCases)
    func plantsAreFound(plant: Plant) throws {
        let runs = (1...200 as ClosedRange<UInt64>).map { seed in
            var options = SimulationOptions(seed: seed)
            options.plant = plant
            return options
        }
        let report = Campaign(runs, stopsAtFailure: true).run()
        let caught = try #require(report.failures.first, "\(plant.rawValue) was not found")
        #expect(Self.telling[plant]!.contains(caught.failure.property))
    }

    /// What may show each bug.
    private static let telling: [Plant: Set<SimulationFailure.Property>] = [
        .lostBatch: [.undurable, .damagedJournal, .reusedSequence, .notConverged, .lostPhoto],
        .resurrectedRemoval: [.resurrectedPhoto, .digestMismatch, .differentManifests],
        .unverifiedPiece: [.wrongBytes],
    ]
}
