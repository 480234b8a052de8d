import AlbumModel
import Simulator
import TestSupport
import Testing

/// Folders under a virtual clock end with what people made of them, whatever their disks do.
@Suite(.slow, .timeLimit(.minutes(5))) struct FolderSimulationTests {
    private static let runs = (1...50 as ClosedRange<UInt64>).map { FolderOptions(seed: $0) }

    // Shows that nothing is withdrawn that is there, nothing added that no person put there, and that every album ends with
    // the photos of its directory.
    @Test func foldersEndAsPeopleMadeThem() {
        let failures = Campaign(Self.runs).run().failures
        #expect(failures.isEmpty, "\(failures.map { "\($0.options): \($0.failure)" })")
    }

    // Shows that what other runs found stays mended, where the numbers that a run draws are still those:
    // - 4499: a move waited to be judged, and was forgotten as the photo that had been at its target was taken away
    // - 5085: a file was taken away while a look had its bytes, and they were added again without a file
    // - 8: a photo that a person dropped again was found at the path whose file was just being taken away
    // - 138: a file that was not taken away kept its record, and a person's next photo counted as that one renamed
    // - 775, 899: an intent to take away outlived its record, and its path was looked at for ever
    // - 1850: two takings away of one file were told of, and the second one of what was placed there since
    // - 6307: a file that no look could show was, to the judgement, not there: a move within its album was a removal
    // - 10969, 10982, 11413: another disk was taken for an empty card while a photo of that card was being added
    // - 10038: the same while its only file was to be taken away, and then was not
    // - 19837: nothing; a watch was lost unseen, and the run asked for what nobody can know before the next scan
    @Test(
        arguments: [8, 138, 775, 899, 1850, 4499, 5085, 6307, 10_038, 10_969, 10_982, 11_413, 19_837] as [UInt64])
    func foundMistakesStayMended(_ seed: UInt64) {
        var options = FolderOptions(seed: seed)
        options.troubles.subtract([.power, .home, .undoing, .damage, .renaming, .naming])
        #expect(FolderSimulation.run(options).violation == nil)
    }

    // Shows the same of runs that may have power cuts, lost journals and people who undo:
    // - 1681: a removed photo's file that a power cut had damaged counted as a person's, and what was left of it was added
    // - 4295: a lost file whose photo was to go, and came back to its album, counted as deleted by a person
    // - 2703: nothing; the run asked for the file of a photo that a person had deleted before its journal was lost
    @Test(arguments: [1681, 2703, 4295] as [UInt64])
    func laterMistakesStayMended(_ seed: UInt64) {
        var options = FolderOptions(seed: seed)
        options.troubles.subtract([.damage, .renaming, .naming])
        #expect(FolderSimulation.run(options).violation == nil)
    }

    // Shows the same of runs in which nobody renames photos:
    // - 26395: an answer that a path was empty came after a look at the file that had been moved there, and hid it
    @Test(arguments: [26_395] as [UInt64])
    func latestMistakesStayMended(_ seed: UInt64) {
        var options = FolderOptions(seed: seed)
        options.troubles.subtract([.naming])
        #expect(FolderSimulation.run(options).violation == nil)
    }

    // Shows the same of runs with all that may go wrong:
    // - 8967: nothing; a file that the agent had placed on a card was known to a lost journal alone, the card was away while
    //   files were taken in, and the run asked for what nobody can know: that no person had moved it there
    @Test(arguments: [8967] as [UInt64])
    func newestMistakesStayMended(_ seed: UInt64) {
        #expect(FolderSimulation.run(FolderOptions(seed: seed)).violation == nil)
    }

    // Shows that 200 runs find a failed listing that is taken for an empty one, a move and the loss of a file in a power cut
    // that are taken for removals, a file of this program's own that is taken for a person's, and a person's that is renamed;
    // and that what fails is made smaller.
    @Test(
        .enabled(if: PlantedFault.isAvailable),
        arguments: [
            PlantedFault.failedListingIsEmpty, .movesAreRemovals, .ownPlacingsNoticed, .powerCutIsDeletion,
            .ownFilesRenamed,
        ])
    func plantedMistakesAreFound(_ fault: PlantedFault) throws {
        let runs = (UInt64(1)...200).map { seed in
            var options = FolderOptions(seed: seed)
            options.planted = fault
            return options
        }
        let found = try #require(Campaign(runs, stopsAtFailure: true).run().failures.first)
        let (least, _) = try #require(Shrinking.shrink(found.options))
        #expect(least.run().failure != nil && least.stepCount <= found.options.stepCount)
        #expect(least.troubles.isSubset(of: found.options.troubles))
        #expect(least.simpler.allSatisfy { $0.run().failure == nil })
    }

    @Test func equalSeedsGiveEqualRuns() {
        for options in Self.runs.prefix(5) {
            #expect(FolderSimulation.run(options).story == FolderSimulation.run(options).story)
        }
    }

    @Test(arguments: [1, 17, 99] as [UInt64])
    func aLineSaysItAll(seed: UInt64) {
        var options = FolderOptions(seed: seed)
        #expect(FolderOptions(options.description) == options)
        #expect(FolderOptions("seed=\(seed)") == options)
        (options.stepCount, options.troubles) = (20, [.card, .lostEvents])
        #expect(FolderOptions(options.description) == options)
        options.troubles = []
        #expect(FolderOptions(options.description) == options)
    }

    @Test(arguments: ["steps=5", "seed=1 steps=0", "seed=1 troubles=x", "seed=1 fault=x", "seed=1 a=1"])
    func nonsenseIsNoRun(text: String) {
        #expect(FolderOptions(text) == nil)
    }
}
