import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What a person, the disk and a rate keep from being pulled.
@Suite struct PullTermsTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let anna = LinkID(number: 1)

    private func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    private func scheduler(limits: EngineLimits = EngineLimits()) -> PullScheduler {
        var scheduler = PullScheduler(own: DeviceID(bytes: [UInt8](repeating: 9, count: 32))!, limits: limits)
        scheduler.linkOpened(anna, device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!)
        return scheduler
    }

    /// Photos of one piece each, the newest with the greatest number, which Anna has.
    private func want(
        _ scheduler: inout PullScheduler, _ numbers: ClosedRange<UInt8>, byteCount: UInt64 = 1000,
        blobClass: BlobClass = .original
    ) {
        for number in numbers {
            scheduler.want(
                blob(number), blobClass: blobClass, urgency: ClockReading(microseconds: UInt64(number) * 1_000_000),
                claims: [BlobClaim(byteCount: byteCount, pieceListHash: nil)])
            scheduler.setHolder(anna, of: blob(number), true)
        }
    }

    /// Tells which blobs are asked for.
    private func ask(_ scheduler: inout PullScheduler, at now: MonotonicInstant = start) -> [(UInt32, BlobID)] {
        var random = TestRandom()
        var asked: [(UInt32, BlobID)] = []
        var pending = scheduler.assign(now: now, using: &random)
        while !pending.isEmpty {
            for directive in pending {
                if case .request(_, let request) = directive { asked.append((request.number, request.blob)) }
            }
            pending = scheduler.assign(now: now, using: &random)
        }
        return asked
    }

    /// A pause takes requests of originals back and lets thumbnails through; afterwards everything is asked for again.
    @Test func pauseHoldsOriginalsOnly() {
        var scheduler = scheduler()
        want(&scheduler, 1...2)
        #expect(ask(&scheduler).count == 2)
        let directives = scheduler.setTerms(PullTerms(isPaused: true))
        #expect(directives == [.cancel(anna, number: 1), .cancel(anna, number: 2)])
        want(&scheduler, 3...3)
        want(&scheduler, 4...4, blobClass: .thumbnail)
        #expect(ask(&scheduler).map(\.1) == [blob(4)])
        for number: UInt8 in 1...3 { #expect(scheduler.reason(for: blob(number)) == .heldUp(.paused)) }
        _ = scheduler.setTerms(PullTerms())
        #expect(Set(ask(&scheduler).map(\.1)) == [blob(1), blob(2), blob(3)])
    }

    /// Originals are asked for only as long as all that are coming fit; one that is too large keeps no other out.
    @Test func roomIsSharedByWhatIsComing() {
        var scheduler = scheduler()
        _ = scheduler.setTerms(PullTerms(room: 2500))
        want(&scheduler, 1...3)
        want(&scheduler, 4...4, byteCount: 1_000_000)
        #expect(ask(&scheduler).map(\.1) == [blob(3), blob(2)])
        #expect(scheduler.reason(for: blob(4)) == .heldUp(.noRoom))
        #expect(scheduler.reason(for: blob(1)) == .heldUp(.noRoom))
        // What is written takes room, whatever was measured before.
        _ = scheduler.pieceStored(1, .committed(blob(3)), now: Self.start)
        #expect(scheduler.terms.room == 1500)
        _ = scheduler.setTerms(PullTerms(room: 2000))
        #expect(ask(&scheduler).map(\.1) == [blob(1)])
        _ = scheduler.setTerms(PullTerms(room: 5_000_000))
        #expect(ask(&scheduler).map(\.1) == [blob(4)])
    }

    /// A disk that fills up from elsewhere stops what is coming, the least urgent first, and goes on where it was.
    @Test func lessRoomStopsTheLeastUrgent() {
        var scheduler = scheduler()
        want(&scheduler, 1...3)
        #expect(ask(&scheduler).count == 3)
        let directives = scheduler.setTerms(PullTerms(room: 1500))
        #expect(directives == [.cancel(anna, number: 2), .cancel(anna, number: 3)])
        #expect(scheduler.wants.suspended == [blob(1), blob(2)])
        #expect(ask(&scheduler).isEmpty)
        _ = scheduler.setTerms(PullTerms(room: 0))
        #expect(scheduler.reason(for: blob(3)) == .heldUp(.noRoom))
        _ = scheduler.setTerms(PullTerms())
        #expect(ask(&scheduler).count == 3)
    }

    /// Of a photo of several pieces the file is closed while it is held up, or while the disk refuses it.
    @Test(arguments: [false, true])
    func whatStopsClosesItsFile(isRefused: Bool) {
        var scheduler = scheduler()
        let list = PieceList(hashes: [blob(101), blob(102)])
        scheduler.want(
            blob(1), blobClass: .original, urgency: .zero,
            claims: [BlobClaim(byteCount: 2 << 20, pieceListHash: list.listHash)])
        scheduler.setHolder(anna, of: blob(1), true)
        _ = scheduler.listArrived(blob(1), list, from: nil, now: Self.start)
        #expect(ask(&scheduler).isEmpty)
        _ = scheduler.receivingBegan(blob(1), held: [false, false], now: Self.start)
        #expect(ask(&scheduler).map(\.0) == [1, 2])
        let directives =
            isRefused
            ? scheduler.pieceStored(1, .failed("The disk is full."), now: Self.start)
            : scheduler.setTerms(PullTerms(isPaused: true))
        let cancels = (isRefused ? 2...2 : 1...2).map { PullScheduler.Directive.cancel(anna, number: $0) }
        #expect(directives == cancels + [.closeStaging(blob(1))])
    }

    /// A photo that is removed while it waits for room is forgotten, and one whose holder leaves says so.
    @Test func heldUpWantsEndLikeOthers() {
        var scheduler = scheduler()
        _ = scheduler.setTerms(PullTerms(room: 0))
        want(&scheduler, 1...2)
        #expect(ask(&scheduler).isEmpty)
        #expect(scheduler.forget(blob(1)) == [.abandon(blob(1))])
        #expect(scheduler.wants.suspended == [blob(2)])
        scheduler.linkClosed(anna)
        #expect(scheduler.reason(for: blob(2)) == .nobodyConnected)
    }

    /// Over ten seconds no more is asked for than the rate allows and one piece, and no moment is passed over.
    @Test func rateBoundsRequests() throws {
        var scheduler = scheduler()
        _ = scheduler.setTerms(PullTerms(byteRateMax: 100_000))
        want(&scheduler, 1...200, byteCount: 50_000)
        var now = Self.start
        let end = now + 10
        var byteCount = 0
        while now < end {
            for (number, blob) in ask(&scheduler, at: now) {
                byteCount += 50_000
                _ = scheduler.pieceStored(number, .committed(blob), now: now)
            }
            now = max(now + 0.000001, try #require(scheduler.nextDeadline))
        }
        #expect((950_000...1_075_000).contains(byteCount), "\(byteCount)")
    }

    /// Thumbnails do not wait for the rate, and use it up.
    @Test func thumbnailsPassTheRate() {
        var scheduler = scheduler()
        _ = scheduler.setTerms(PullTerms(byteRateMax: 1000))
        want(&scheduler, 1...2, byteCount: 500_000)
        #expect(ask(&scheduler).count == 1)
        want(&scheduler, 3...4, blobClass: .thumbnail)
        #expect(Set(ask(&scheduler).map(\.1)) == [blob(3), blob(4)])
    }
}
