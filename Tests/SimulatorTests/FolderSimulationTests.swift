import AlbumModel
import Simulator
import TestSupport
import Testing

/// Folders under a virtual clock end with what people made of them, whatever their disks do.
@Suite(.slow, .timeLimit(.minutes(5))) struct FolderSimulationTests {
    private static let seeds: ClosedRange<UInt64> = 1...200

    // Shows that nothing is withdrawn that is there, nothing added that no person put there, and that every album ends with
    // the photos of its directory.
    @Test func foldersEndAsPeopleMadeThem() {
        let failures = FolderCampaign.failures(of: Self.seeds)
        #expect(failures.isEmpty, "\(failures.map { "seed \($0.seed), \($0.violation)" })")
    }

    // Shows that these runs find a failed listing that is taken for an empty one, a move that is taken for a removal, and
    // a file of this program's own that is taken for a person's.
    @Test(
        .enabled(if: PlantedFault.isAvailable),
        arguments: [PlantedFault.failedListingIsEmpty, .movesAreRemovals, .ownPlacingsNoticed])
    func plantedMistakesAreFound(_ fault: PlantedFault) {
        #expect(!FolderCampaign.failures(of: Self.seeds, planting: fault, stopsAtFailure: true).isEmpty)
    }

    @Test func equalSeedsGiveEqualRuns() {
        for seed in Self.seeds.prefix(5) {
            #expect(FolderSimulation.run(seed: seed).story == FolderSimulation.run(seed: seed).story)
        }
    }
}
