import AlbumModel
import Testing

@testable import SharedFolder

/// Tests of the folder are shown to work: each mistake that waits behind a switch in it makes one of them fail. What fails
/// here is listed as a known issue; a mistake that nothing notices fails this suite.
@Suite(.enabled(if: PlantedFault.isAvailable), .timeLimit(.minutes(2))) struct FolderFaultTests {
    @Test(arguments: PlantedFault.ofFolder) func aTestNotices(_ fault: PlantedFault) async {
        await withKnownIssue("planted: \(fault.rawValue)") {
            try await PlantedFault.during(fault) { try await Self.test(fault) }
        }
    }

    private static func test(_ fault: PlantedFault) async throws {
        switch fault {
        case .markerIgnored: try await ChangeTests().foreignMarkersAreRespected()
        case .missingMountIgnored: try await MountTests().nothingIsPlacedIntoABareDirectory()
        case .editedFileTakenAway: try await TakingAwayTests().nothingIsLostByIt()
        case .recoveryRemovesOthersFile: try await PlacingTests().intentsAreSettled()
        // Nothing notices it.
        default: break
        }
    }
}
