import AlbumModel
import Testing

@testable import PhotoStore

/// Tests of the store are shown to work: each mistake that waits behind a switch in it makes one of them fail. What fails
/// here is listed as a known issue; a mistake that nothing notices fails this suite.
@Suite(.enabled(if: PlantedFault.isAvailable)) struct StoreFaultTests {
    @Test(arguments: PlantedFault.ofStore) func aTestNotices(_ fault: PlantedFault) {
        withKnownIssue("planted: \(fault.rawValue)") {
            try PlantedFault.with(fault) { try Self.test(fault) }
        }
    }

    private static func test(_ fault: PlantedFault) throws {
        switch fault {
        case .wholeNeverHashed: try wrongWhole()
        case .pieceNeverHashed: try wrongPiece(.chained)
        case .placingReplaces, .linkedUnasked: try placing(.refuses, false)
        case .freshBytesDeleted: try BlobDeletionTests().deletedBlobsAreGone()
        case .damagedFileRemoved: try checksReadTheBytes()
        case .editedFileServed: try editThroughAHardLink()
        case .changingFileTaken: try ingestOfAChangingFile()
        case .deletedFileCounts: try FailedLookTests().deletedFilesComeInAgain()
        case .changedFileCounts: try BlobSharingTests().changedBytesComeInAgain()
        case .sharedUnread: try BlobSharingTests().filesOfOtherBytesAreNotShared()
        case .absentDiskIsEmpty: try FailedLookTests().blobsOutliveTheirDisksAbsence()
        case .wantedPartsSwept: try receivingResumes(.chained)
        // Nothing notices it.
        default: break
        }
    }
}
