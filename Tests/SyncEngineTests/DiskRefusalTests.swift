import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// A disk that refuses all blobs costs others little, one that refuses a few holds up no other, and one that works again
/// is given the rest at once.
@Suite struct DiskRefusalTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let anna = LinkID(number: 1)

    private func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    /// Wants photos that Anna has, the newest with the greatest number. Eight are asked for at a time.
    private func scheduler(wanting numbers: ClosedRange<UInt8>, pieceCount: Int = 1) -> PullScheduler {
        var limits = EngineLimits()
        limits.workingPiecesPerLink = 8
        var scheduler = PullScheduler(own: DeviceID(bytes: [UInt8](repeating: 9, count: 32))!, limits: limits)
        scheduler.linkOpened(anna, device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!)
        want(numbers, pieceCount: pieceCount, in: &scheduler)
        return scheduler
    }

    private func want(_ numbers: ClosedRange<UInt8>, pieceCount: Int = 1, in scheduler: inout PullScheduler) {
        let byteCount = pieceCount == 1 ? 1000 : UInt64(pieceCount) * Pieces.byteCount
        for number in numbers {
            let listHash = pieceCount == 1 ? nil : list(pieceCount).listHash
            scheduler.want(
                blob(number), blobClass: .original, urgency: ClockReading(microseconds: UInt64(number) * 1_000_000),
                claims: [BlobClaim(byteCount: byteCount, pieceListHash: listHash)])
            scheduler.setHolder(anna, of: blob(number), true)
        }
    }

    private func list(_ count: Int) -> PieceList { PieceList(hashes: (0..<count).map { blob(UInt8(100 + $0)) }) }

    /// Answers requests for photos of one piece at once, and goes from one deadline to the next, until `end`.
    ///
    /// - Parameter takes: whether the disk takes a blob.
    /// - Returns: what was asked for, and when.
    private func run(
        _ scheduler: inout PullScheduler, from begin: MonotonicInstant = start, until end: MonotonicInstant,
        takes: (BlobID, MonotonicInstant) -> Bool
    ) -> [(blob: BlobID, at: MonotonicInstant)] {
        var random = TestRandom()
        var asked: [(blob: BlobID, at: MonotonicInstant)] = []
        var now = begin
        while now < end {
            let requests = scheduler.assign(now: now, using: &random).compactMap {
                if case .request(_, let request) = $0 { request } else { nil }
            }
            for request in requests {
                asked.append((request.blob, now))
                let outcome: PieceOutcome = takes(request.blob, now) ? .committed(request.blob) : .failed("It is full.")
                _ = scheduler.pieceStored(request.number, outcome, now: now)
            }
            guard requests.isEmpty else { continue }
            guard let next = scheduler.nextDeadline else { break }
            now = next
        }
        return asked
    }

    /// While the disk refuses everything for a minute, 200 photos are not fetched in vain one after the other: those that
    /// were on their way when it began, and then one every four seconds, each time another.
    @Test func aRefusingDiskIsTriedRarely() {
        var scheduler = scheduler(wanting: 1...200)
        let asked = run(&scheduler, until: Self.start + 60) { _, _ in false }
        #expect((20...28).contains(asked.count), "\(asked.count) requests in vain")
        #expect(Set(asked.map(\.blob)).count == asked.count)
        #expect(scheduler.reason(for: blob(200)) == .paused("It is full."))
    }

    /// Four seconds after the disk works again all have come that it did not refuse just before, and these soon follow.
    @Test func aDiskThatWorksAgainIsGivenTheRest() {
        var scheduler = scheduler(wanting: 1...200)
        let back = Self.start + 20
        let asked = run(&scheduler, until: back + EngineLimits().diskRetryInterval + 0.1) { _, now in back <= now }
        #expect(asked.count { back <= $0.at && $0.at <= back + 4 } >= 195)
        #expect(scheduler.wants.count == 0)
        // The next refusal is one among many again.
        want(1...8, in: &scheduler)
        let later = back + 20
        let others = run(&scheduler, from: later, until: later + 1) { blob, _ in blob != self.blob(8) }
        #expect(others.count == 8 && scheduler.wants.blobs == [blob(8)])
    }

    /// Where nothing is left but what the disk refused, that is tried again, one at a time.
    @Test func theLastOnesAreTriedAgain() {
        var scheduler = scheduler(wanting: 1...5)
        let back = Self.start + EngineLimits().diskRetryInterval + 1
        let asked = run(&scheduler, until: back + EngineLimits().diskRetryInterval) { _, now in back <= now }
        #expect(asked.count { $0.at < back } == 6)
        #expect(asked.count { back <= $0.at && $0.at <= back + 4 } == 4)
        // One was refused just before.
        #expect(asked.count == 11 && scheduler.wants.count == 0)
    }

    /// The newest photo is refused for itself: all others come at once, and it is tried again by and by.
    @Test func oneBadPhotoStopsNobody() {
        var scheduler = scheduler(wanting: 1...200)
        let asked = run(&scheduler, until: Self.start + 60) { blob, _ in blob != self.blob(200) }
        #expect(asked.count { $0.at == Self.start } == 200)
        #expect(asked.count == 203 && scheduler.wants.blobs == [blob(200)])
    }

    /// The twenty newest are refused for themselves, which looks as if all were: each is tried before any is tried again,
    /// and the first that the disk takes brings the others along, although those of before are refused once more then.
    @Test func manyBadPhotosStopNobodyForLong() {
        var scheduler = scheduler(wanting: 1...200)
        let asked = run(&scheduler, until: Self.start + 60) { blob, _ in blob < self.blob(181) }
        #expect(Set(scheduler.wants.blobs) == Set((181...200).map { blob($0) }))
        #expect(Set(asked.prefix(21).map(\.blob)) == Set((180...200).map { blob($0) }))
    }

    /// Files of which nothing was asked yet are closed, so that none of them is fetched in vain; what has begun stays.
    @Test func whatHasNotBegunWaits() {
        var scheduler = scheduler(wanting: 1...4)
        var random = TestRandom()
        want(5...6, pieceCount: 2, in: &scheduler)
        for number: UInt8 in 5...6 { _ = scheduler.listArrived(blob(number), list(2), from: nil, now: Self.start) }
        #expect(scheduler.assign(now: Self.start, using: &random).count == 6)
        _ = scheduler.receivingBegan(blob(5), held: [false, false], now: Self.start)
        _ = scheduler.receivingBegan(blob(6), held: [true, false], now: Self.start)
        var directives: [PullScheduler.Directive] = []
        for number in scheduler.requests.keys.sorted() {
            directives += scheduler.pieceStored(number, .failed("It is full."), now: Self.start)
        }
        #expect(directives == [.closeStaging(blob(5))])
        #expect(scheduler.wants[blob(5)]?.place == .queued && scheduler.wants[blob(6)]?.isReceiving == true)
        // It is the next that is tried.
        let opening = PullScheduler.Directive.beginReceiving(blob(5), byteCount: 2 << 20, list(2))
        let atOnce = scheduler.assign(now: Self.start, using: &random)
        let later = scheduler.assign(now: Self.start + EngineLimits().failingDiskSeconds.lowerBound, using: &random)
        #expect(!atOnce.contains(opening) && later.contains(opening))
    }

    /// A piece in staging does not show that the disk takes blobs: its commits may fail.
    @Test func piecesEndNoRefusal() {
        var refusing = scheduler(wanting: 1...4)
        _ = run(&refusing, until: Self.start + 0.1) { _, _ in false }
        var random = TestRandom()
        want(5...5, pieceCount: 2, in: &refusing)
        _ = refusing.listArrived(blob(5), list(2), from: nil, now: Self.start)
        let later = Self.start + 1
        _ = refusing.assign(now: later, using: &random)
        _ = refusing.receivingBegan(blob(5), held: [false, false], now: later)
        _ = refusing.assign(now: later, using: &random)
        for number in refusing.requests.keys.sorted() { _ = refusing.pieceStored(number, .stored, now: later) }
        #expect(refusing.wants[blob(5)]?.place == .committing && refusing.refusals.areOfAll)
        refusing.committed(blob(5))
        #expect(!refusing.refusals.areOfAll)
    }
}

/// The same of a whole engine, which is told of its deadlines alone.
extension DiskRefusalTests {
    /// Twenty photos are on their way when the disk begins to refuse all: half a minute costs some requests more, and all
    /// come when it works again.
    @Test func engineTriesAndRecovers() throws {
        var network = try TestNetwork.connected()
        network.slowNode = 0
        for number: UInt8 in 1...20 {
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
        }
        network.settle()
        network.nodes[1].isDiskFull = true
        network.slowNode = nil
        network.nodes[1].sent = []
        network.release()
        network.pass(until: network.now + 30)
        let inVain = network.nodes[1].sent.count { if case .request = $0 { true } else { false } }
        #expect((2...8).contains(inVain), "\(inVain) requests in vain")
        network.nodes[1].isDiskFull = false
        network.pass(until: network.now + EngineLimits().diskRetryInterval + 5)
        #expect(network.nodes[1].engine.held.count == 20)
    }
}
