import AlbumModel
import Testing

/// Tests of the roll are shown to work: each mistake that waits behind a switch in it makes one of them fail.
/// What fails here is listed as a known issue; a mistake that nothing notices fails this suite.
@Suite(.enabled(if: PlantedFault.isAvailable)) struct RollFaultTests {
    @Test(arguments: PlantedFault.ofRoll) func aTestNotices(_ fault: PlantedFault) {
        withKnownIssue("planted: \(fault.rawValue)") {
            PlantedFault.with(fault) { Self.test(fault) }
        }
    }

    /// The simulator finds it as well.
    @Test func theTableOfVerdictsNoticesOldProofs() {
        withKnownIssue("planted: old-proof-taken") {
            PlantedFault.with(.oldProofTaken) { RollTests().verdicts() }
        }
    }

    /// Random histories find those by which a key of who is out comes in, or a host loses its office, by themselves.
    @Test(arguments: [
        PlantedFault.backdatedRulingCounts, .onlyWinnerRemoves, .concurrentEpochOpen, .anyListingCounts,
        .omittedMemberDropped,
    ])
    func randomHistoriesNotice(_ fault: PlantedFault) {
        withKnownIssue("planted: \(fault.rawValue)") {
            PlantedFault.with(fault) {
                for seed: UInt64 in 0..<200 where !RandomRollTests().expectGoodHistory(seed: seed) { return }
            }
        }
    }

    private static func test(_ fault: PlantedFault) {
        switch fault {
        case .juniorOutranksSenior: RollTests().outsAgainstSeniorsAreIgnored()
        case .backdatedRulingCounts: RollTests().whoIsOutRulesNoMore()
        case .onlyWinnerRemoves, .concurrentEpochOpen: RollTests().oneEpochIsInForce()
        case .anyListingCounts, .omittedMemberDropped: RollTests().eachEpochKnowsItsMembers()
        case .letInLiftsNothing: RollTests().letInsLift()
        // Nothing notices it.
        default: break
        }
    }
}
