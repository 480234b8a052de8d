import AlbumModel
import CameraClocks
import Testing

/// Single faults among cameras without GPS, found by the moments that people shared.
@Suite("Camera clocks, moments") struct CameraClockMomentsTests {
    /// Eight cameras with photos enough to be sure; camera 0 has the fault.
    private func party(_ error: Int, cameras: Int = 8, photos: Int = 80, seed: UInt64 = 5) -> Party {
        var party = Party(seed: seed)
        party.cameraCount = cameras
        party.photoCount = photos
        party.wrongCount = 0
        party.errors = [error]
        return party
    }

    private func verdict(_ samples: [ClockSample], of camera: Int = 0) -> ClockVerdict? {
        ClockComparison(of: samples).cameras.first { $0.key == Party.key(camera) }?.verdict
    }

    private func proposal(_ samples: [ClockSample]) -> ClockProposal? {
        if case .wrong(let proposal) = verdict(samples) { proposal } else { nil }
    }

    /// A clock that nobody set back in autumn: exactly an hour, and said to be one.
    @Test func anHourIsAZone() {
        let found = proposal(party(-3600).samples().samples)
        #expect(found?.seconds == -3600)
        #expect(found?.fault == .timeZone(minutes: -60))
        #expect(found?.evidence.momentCount ?? 0 >= ClockLimits.momentCountMin)
        #expect(found?.evidence.cameraCount ?? 0 >= 5)
    }

    /// Morning for afternoon.
    @Test func halfADayIsSaidToBeOne() {
        let found = proposal(party(43_200).samples().samples)
        #expect(found?.seconds == 43_200)
        #expect(found?.fault == .halfDay)
    }

    /// A camera that began at 2000-01-01 when its battery was changed.
    @Test func aDateThatWasNeverSetIsFound() {
        let error = Party.start - 946_684_800 + 4321
        let found = proposal(party(error).samples().samples)
        #expect(abs(Int(found?.seconds ?? 0) - error) <= 30)
        #expect(found?.fault == .date)
    }

    /// Seven minutes fast: found to a few seconds.
    @Test func aFewMinutesAreFound() {
        let found = proposal(party(-437).samples().samples)
        #expect(abs((found?.seconds ?? 0) + 437) <= 15)
        #expect(found?.fault == .astray)
    }

    /// A clock that was set by 50 minutes after half of the photos gets no number, but the two periods.
    @Test func aClockSetMidwayIsSaidToBe() {
        var samples = party(0, photos: 160).samples().samples
        let own = samples.filter { $0.camera == Party.key(0) }.map(\.localMilliseconds).sorted()
        let change = own[own.count / 2]
        for index in samples.indices where samples[index].camera == Party.key(0) {
            if samples[index].localMilliseconds < change { samples[index].localMilliseconds -= 3_000_000 }
        }
        guard case .unknown(.changed(let periods)) = verdict(samples) else {
            Issue.record("\(String(describing: verdict(samples)))")
            return
        }
        #expect(periods.count == 2)
        #expect(abs(periods[0].seconds - 3000) <= 15)
        #expect(abs(periods[1].seconds) <= 15)
    }

    /// Two cameras that differ: either may be right, so nothing is proposed; the difference is told.
    @Test func betweenTwoEqualsNobodyIsRight() {
        let samples = party(3600, cameras: 2, photos: 200).samples().samples
        guard case .unknown(.noReference(let one)) = verdict(samples),
            case .unknown(.noReference(let other)) = verdict(samples, of: 1)
        else {
            Issue.record("\(ClockComparison(of: samples).cameras)")
            return
        }
        #expect(abs(abs(one - other) - 3600) <= 15)
    }

    /// The same two, one of which states an offset as phones do: it is believed.
    @Test func aPhoneIsBelieved() {
        var samples = party(3600, cameras: 2, photos: 200).samples().samples
        for index in samples.indices where samples[index].camera == Party.key(1) { samples[index].offsetMinutes = 120 }
        #expect(proposal(samples)?.seconds == 3600)
    }

    /// GPS overrules a majority that shares one mistake: four cameras in winter time, one that knows better.
    @Test func oneGPSCameraOverrulesTheMajority() {
        var party = party(3600, cameras: 5)
        party.errors = [3600, 3600, 3600, 3600, 0]
        var samples = party.samples().samples
        for index in samples.indices where samples[index].camera == Party.key(4) {
            samples[index].offsetMinutes = 120
            samples[index].gpsMilliseconds = samples[index].localMilliseconds - 7_200_000
        }
        let proposals = ClockComparison(of: samples).proposals
        #expect(proposals.map(\.key) == (0..<4).map { Party.key($0) })
        #expect(proposals.allSatisfy { $0.proposal.seconds == 3600 })
    }

    /// Copies that somebody else contributes are the same camera's photos: they confirm nothing.
    @Test func copiesAreNoWitnesses() {
        var samples = party(3600, cameras: 2, photos: 200).samples().samples
        for sample in samples where sample.camera == Party.key(0) {
            for copy in 2..<5 {
                var given = sample
                given.camera.contributor = Party.key(copy).contributor
                samples.append(given)
            }
        }
        let comparison = ClockComparison(of: samples)
        #expect(comparison.cameras.count == 5)
        #expect(comparison.proposals.isEmpty)
    }

    /// Right clocks get no proposal, and say what they rest on.
    @Test func rightClocksAreCalledRight() {
        for camera in ClockComparison(of: party(0).samples().samples).cameras {
            guard case .right(let evidence) = camera.verdict else {
                Issue.record("\(camera)")
                continue
            }
            #expect(evidence.momentCount >= ClockLimits.momentCountMin)
            #expect(evidence.gpsPhotoCount == 0)
        }
    }
}
