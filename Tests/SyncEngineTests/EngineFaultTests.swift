import AlbumModel
import Testing

@testable import SyncEngine

/// Mistakes that no simulation notices, those of storing, and some that show between laptops only make a test of the engine
/// fail. What fails here is listed as a known issue; a mistake that nothing notices fails this suite.
@Suite(.enabled(if: PlantedFault.isAvailable)) struct EngineFaultTests {
    @Test(arguments: [
        PlantedFault.lastCounterInEachPart, .chainsSampledOnce, .unverifiedWholeTaken, .sentBeforeDurable,
        .acknowledgedBeforeDurable, .lastBatchNotStored, .batchTakenTwice, .restOfFullBatchForgotten,
        .failedStoreForgotten, .storeNeverRetried, .forkedReplicaContinued, .signatureUnchecked, .promiseNeverAnswered,
        .brokenTreeNotMended, .runsBridgeWithdrawnAdds, .yieldNeverEnds, .mintedKeyHandedSecret, .commitmentUnchecked,
        .cutIgnored, .cutBySequenceAlone, .seedBeforeMerge, .outCopyCounts, .overtakenProofTaken,
    ])
    func aTestNotices(_ fault: PlantedFault) {
        withKnownIssue("planted: \(fault.rawValue)") {
            try PlantedFault.with(fault) { try Self.test(fault) }
        }
    }

    private static func test(_ fault: PlantedFault) throws {
        switch fault {
        case .lastCounterInEachPart: try EngineBoundTests().longChangesOfPresenceAreToldInParts()
        case .chainsSampledOnce: try LeaseTests().samplesAreExchangedAgain()
        case .unverifiedWholeTaken: try EngineTests().rejectedWholesAreNotHeld()
        case .sentBeforeDurable, .acknowledgedBeforeDurable, .lastBatchNotStored:
            try StoringTests().nothingCountsBeforeItIsDurable()
        case .batchTakenTwice: try StoringTests().knownPagesNeedNoTransaction()
        case .restOfFullBatchForgotten: try StoringTests().restOfAFullBatchIsStoredNext()
        case .failedStoreForgotten, .storeNeverRetried: try StoringTests().whatFailedIsStoredLater()
        case .forkedReplicaContinued: try StoringTests().divergedReplicasAreGivenUp(byPage: true)
        case .signatureUnchecked: try StoringTests().wrongBatchesAreRefused()
        case .promiseNeverAnswered: try PromiseTests().promisesAreKept()
        case .brokenTreeNotMended: try TreeTests().lazyLinkTakesTheBrokenOnesPlace()
        case .runsBridgeWithdrawnAdds: try CopiesTests().withdrawnAddsAreNotBridged()
        case .yieldNeverEnds: try YieldingTests().halfOfTheTimeAtMost()
        case .overtakenProofTaken: try EpochTests().admissionsThatARulingOvertookAreTakenBack()
        case .mintedKeyHandedSecret: CatchUpTests().strangersAreHandedNoSeeds()
        case .commitmentUnchecked: CatchUpTests().falseWordsAreRefused()
        case .cutIgnored: try CutTests().nothingBeyondACutIsInAnAlbum()
        case .cutBySequenceAlone: CutTests().theOrderChangesNothing(order: [0, 1, 2, 3, 4])
        case .seedBeforeMerge: CatchUpTests().strangersAreHandedNoSeeds()
        case .outCopyCounts: try EpochTests().linksToWhoIsOutAreClosed()
        // Nothing notices it.
        default: break
        }
    }
}
