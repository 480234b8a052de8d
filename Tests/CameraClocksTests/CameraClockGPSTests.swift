import AlbumModel
import CameraClocks
import Testing

/// What GPS times say by themselves: single cameras, no moments.
@Suite("Camera clocks, GPS") struct CameraClockGPSTests {
    /// Photos every ten minutes in a place two hours east of UTC, beside a phone that states so.
    ///
    /// - Parameters:
    ///   - seconds: what would have to be added to the clock at each photo.
    ///   - delay: how old the receiver's reading is at each, milliseconds.
    private func verdict(
        _ count: Int = 12, stated: Int32? = nil, seconds: (Int) -> Int, delay: (Int) -> Int64 = { _ in 0 },
        gps: (Int64) -> Int64 = { $0 }
    ) -> ClockVerdict? {
        var samples = (0..<count).map { index in
            let local = Int64(Party.start + index * 600) * 1000
            return ClockSample(
                camera: Party.key(1), localMilliseconds: local - Int64(seconds(index)) * 1000, offsetMinutes: stated,
                gpsMilliseconds: gps(local - 7_200_000 - delay(index)))
        }
        samples += (0..<4).map { index in
            ClockSample(
                camera: Party.key(2), localMilliseconds: Int64(Party.start + 50_000 + index * 900) * 1000,
                offsetMinutes: 120)
        }
        return ClockComparison(of: samples).cameras.first { $0.key == Party.key(1) }?.verdict
    }

    private func seconds(_ verdict: ClockVerdict?) -> Int64? {
        if case .wrong(let proposal) = verdict { proposal.seconds } else { nil }
    }

    /// A clock 37 minutes slow is found to the second, and the evidence counts the photos.
    @Test func aSlowClockIsFoundToTheSecond() {
        guard case .wrong(let proposal) = verdict(seconds: { _ in 2221 }) else {
            Issue.record("nothing was proposed")
            return
        }
        #expect(proposal.seconds == 2221)
        #expect(proposal.fault == .astray)
        #expect(proposal.evidence.gpsPhotoCount == 12)
        #expect(proposal.evidence.spreadMilliseconds == 0)
    }

    /// Receivers that lost the sky repeat old readings or lag behind: those photos are left out.
    @Test func staleReadingsAreLeftOut() {
        let found = verdict(20, seconds: { _ in -300 }, delay: { $0 % 3 == 0 ? Int64(17_000 + $0 * 41_000) : 0 })
        #expect(seconds(found) == -300)
    }

    /// Mostly stale readings say nothing.
    @Test func scatteredReadingsSayNothing() {
        let found = verdict(20, seconds: { _ in 900 }, delay: { Int64($0 * 47_000) })
        #expect(seconds(found) == nil)
    }

    /// A camera that shows the right time gets no proposal, even if it is a few seconds off.
    @Test func aFewSecondsAreRight() {
        guard case .right = verdict(seconds: { _ in 8 }) else {
            Issue.record("eight seconds are within the tolerance")
            return
        }
    }

    /// The owner noticed and set the clock: two periods, no average.
    @Test func aClockSetMidwayIsSaidToBe() {
        guard case .unknown(.changed(let periods)) = verdict(20, seconds: { $0 < 12 ? 3600 : 0 }) else {
            Issue.record("two periods were not told apart")
            return
        }
        #expect(periods.map(\.seconds) == [3600, 0])
        #expect(periods.map(\.photoCount) == [12, 8])
    }

    /// A camera in winter time that states no offset is an hour off, and said to be in another zone.
    @Test func summerTimeIsAZone() {
        guard case .wrong(let proposal) = verdict(seconds: { _ in 3604 }) else {
            Issue.record("nothing was proposed")
            return
        }
        #expect(proposal.fault == .timeZone(minutes: 60))
        #expect(proposal.seconds == 3604)
    }

    /// A clock that was right while the zone stated beside it was not: local time stands.
    @Test func aWrongZoneBesideARightTimeIsNoFault() {
        guard case .right = verdict(stated: 60, seconds: { _ in 0 }) else {
            Issue.record("the time shown is that of the place")
            return
        }
    }

    /// Cameras that write local time where UTC belongs confirm whatever they show: that counts for nothing.
    @Test func echoesOfTheClockCountForNothing() {
        #expect(seconds(verdict(seconds: { _ in 0 }, gps: { $0 + 7_200_000 })) == nil)
        #expect(seconds(verdict(stated: 120, seconds: { _ in 0 }, gps: { $0 + 7_200_000 })) == nil)
    }

    /// A phone that was right in a zone of its own may have been there.
    @Test func travellersAreLeftAlone() {
        #expect(seconds(verdict(stated: -240, seconds: { _ in 21_600 })) == nil)
    }

    /// Receivers whose week counter overflowed are 1,024 weeks late; the clock is not.
    @Test func overflownWeeksAreUndone() {
        let found = verdict(seconds: { _ in 120 }, gps: { $0 - 1024 * 7 * 86_400_000 })
        #expect(seconds(found) == 120)
    }

    /// A date that was never set: 2000-01-01 at noon.
    @Test func aClockThatWasNeverSetIsFound() {
        let error = Party.start - 946_728_000
        guard case .wrong(let proposal) = verdict(seconds: { _ in error }) else {
            Issue.record("nothing was proposed")
            return
        }
        #expect(proposal.seconds == Int64(error))
        #expect(proposal.fault == .date)
    }

    /// Two readings are too few.
    @Test func twoReadingsAreTooFew() {
        #expect(seconds(verdict(2, seconds: { _ in 3600 })) == nil)
    }
}
