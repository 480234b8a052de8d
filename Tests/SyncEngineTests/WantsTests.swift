import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// A want is at one place, and every list of a place names those and no others.
@Suite struct WantsTests {
    private static let now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private static let places: [Want.Place] = [
        .parked, .queued, .suspended, .committing, .active(.needsList(asked: nil)), .active(.opening),
        .active(.receiving), .resting(.unanswered, until: now), .resting(.rejected, until: nil),
        .resting(.rejected, until: now + 1), .resting(.unwritten("full"), until: now + 2),
    ]

    private func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    private func wants(_ count: UInt8) -> Wants {
        var wants = Wants()
        for number in 0..<count {
            wants.add(
                Want(
                    blob: blob(number), blobClass: .original,
                    urgency: ClockReading(microseconds: UInt64(number) * 1_000_000),
                    claims: [BlobClaim(byteCount: 1, pieceListHash: nil)]))
        }
        return wants
    }

    /// What the lists must be, by the places alone.
    private func expectLists(of wants: Wants) {
        let all = Array(wants.all)
        func blobs(_ isMember: (Want) -> Bool) -> Set<BlobID> { Set(all.filter(isMember).map(\.blob)) }
        var queue = wants.queue
        var queued: [WantPriority] = []
        while let first = queue.first() {
            queued.append(first)
            queue.remove(first.blob)
        }
        #expect(Set(queued.map(\.blob)) == blobs { $0.place == .queued } && queued == queued.sorted())
        #expect(wants.queue.count == queued.count)
        #expect(Set(wants.active.map(\.blob)) == blobs(\.isActive) && wants.active == wants.active.sorted())
        #expect(wants.active.count == blobs(\.isActive).count)
        #expect(wants.suspended == blobs { $0.place == .suspended })
        #expect(Set(wants.restEnds.keys) == blobs { $0.wakesAt != nil })
        for want in all { #expect(wants.restEnds[want.blob] == want.wakesAt) }
    }

    /// Thousands of moves from any place to any other, with wants that come, go and are hastened between.
    @Test func listsFollowPlaces() {
        var wants = wants(12)
        var random = TestRandom()
        for step in 0..<4000 {
            let blob = blob(UInt8.random(in: 0..<12, using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0: wants.remove(blob)
            case 1: wants.add(Array(self.wants(12).all).first { $0.blob == blob }!)
            case 2: wants.hasten(blob, ClockReading(microseconds: UInt64(step) * 100_000))
            case 3: wants.queue(wants.blobs.filter { _ in Bool.random(using: &random) }.sorted())
            default: wants.move(blob, to: Self.places.randomElement(using: &random)!)
            }
            if step % 7 == 0 { expectLists(of: wants) }
        }
    }

    @Test func aMoveOfWhatIsNotWantedChangesNothing() {
        var wants = wants(1)
        wants.move(blob(7), to: .queued)
        #expect(wants.count == 1 && wants.queue.isEmpty)
        #expect(wants[blob(0)]?.place == .parked)
    }

    /// A step within the working set does not cost a want its rank.
    @Test func stepsKeepTheOrderOfTheWorkingSet() {
        var wants = wants(3)
        for number in 0..<3 as Range<UInt8> { wants.move(blob(number), to: .active(.opening)) }
        wants.hasten(blob(0), ClockReading(microseconds: 9_000_000))
        wants.move(blob(0), to: .active(.receiving))
        #expect(wants.active.map(\.blob) == [blob(2), blob(1), blob(0)])
        // Once it is queued, it comes in before the others.
        wants.move(blob(0), to: .queued)
        wants.move(blob(0), to: .active(.opening))
        #expect(wants.active.map(\.blob) == [blob(0), blob(2), blob(1)])
    }
}
