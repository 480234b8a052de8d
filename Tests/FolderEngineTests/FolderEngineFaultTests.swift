import AlbumModel
import Testing

@testable import FolderEngine

/// Tests of the folder's engine are shown to work: each mistake that waits behind a switch in it makes one of them fail.
/// What fails here is listed as a known issue; a mistake that nothing notices fails this suite.
@Suite(.enabled(if: PlantedFault.isAvailable)) struct FolderEngineFaultTests {
    @Test(arguments: PlantedFault.ofFolderEngine) func aTestNotices(_ fault: PlantedFault) {
        withKnownIssue("planted: \(fault.rawValue)") {
            try PlantedFault.with(fault) { try Self.test(fault) }
        }
    }

    private static func test(_ fault: PlantedFault) throws {
        switch fault {
        case .brakeMissing: JudgementTests().theBrakeHasLimits()
        case .failedListingIsEmpty: DiskPresenceTests().absenceNeedsAListing()
        case .copiesAddedAgain: FolderStateTests().findsAreDecided()
        case .ownRemovalsTold: JudgementTests().filesOfRemovedPhotosGoSilently()
        case .ownPlacingsNoticed: FolderStateTests().namesAreReservedFolded()
        case .deletedPlacedAgain: FolderStateTests().theLastFileCounts()
        case .movesAreRemovals: JudgementTests().movesAmongCopies()
        case .powerCutIsDeletion: MendingTests().whatIsLeftIsDecided()
        case .ownRenamingsNoticed: try DirectoryRenamingTests().itsEventsAreNobodysDoing()
        case .ownFilesRenamed: FileRenamingTests().whatPeopleNamedStays(.dropped)
        case .shortFileTaken: CandidateBookTests().shortFilesWaitThenGo()
        case .openFileTaken: CandidateBookTests().openFilesWait()
        // Nothing notices it.
        default: break
        }
    }
}
