import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Which pieces are asked of whom.
@Suite struct PullSchedulerTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let anna = LinkID(number: 1)
    private let ben = LinkID(number: 2)

    private func device(_ number: UInt8) -> DeviceID { DeviceID(bytes: [UInt8](repeating: number, count: 32))! }
    private func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    private func list(_ count: Int) -> PieceList { PieceList(hashes: (0..<count).map { blob(UInt8(100 + $0)) }) }

    private func scheduler(links: Int = 2, limits: EngineLimits = EngineLimits()) -> PullScheduler {
        var scheduler = PullScheduler(own: device(9), limits: limits)
        scheduler.linkOpened(anna, device: device(1))
        if links > 1 { scheduler.linkOpened(ben, device: device(2)) }
        return scheduler
    }

    private func want(
        _ scheduler: inout PullScheduler, _ number: UInt8, age: UInt64 = 0, byteCount: UInt64 = 1000,
        holders: [LinkID]
    ) {
        let listHash = byteCount > Pieces.byteCount ? list(Pieces.count(blobByteCount: byteCount)).listHash : nil
        scheduler.want(
            blob(number), blobClass: .original, urgency: ClockReading(microseconds: age * 1_000_000),
            claims: [BlobClaim(byteCount: byteCount, pieceListHash: listHash)])
        for link in holders { scheduler.setHolder(link, of: blob(number), true) }
    }

    /// Lets the store answer, and collects what is asked.
    private func run(_ scheduler: inout PullScheduler, at now: MonotonicInstant = start) -> [PullScheduler.Directive] {
        var random = TestRandom()
        var all: [PullScheduler.Directive] = []
        var pending = scheduler.assign(now: now, using: &random)
        while !pending.isEmpty {
            all += pending
            var next: [PullScheduler.Directive] = []
            for directive in pending {
                switch directive {
                case .beginReceiving(let blob, let byteCount, _):
                    let held = [Bool](repeating: false, count: Pieces.count(blobByteCount: byteCount))
                    next += scheduler.receivingBegan(blob, held: held, now: now)
                case .askForList(_, let blob):
                    next += scheduler.listArrived(
                        blob, list(scheduler.wants[blob]!.pieceCount), from: nil, now: now)
                default: break
                }
            }
            pending = next + scheduler.assign(now: now, using: &random)
        }
        return all
    }

    private func assign(_ scheduler: inout PullScheduler) -> [PullScheduler.Directive] {
        var random = TestRandom()
        return scheduler.assign(now: Self.start, using: &random)
    }

    private func requests(_ directives: [PullScheduler.Directive]) -> [(link: LinkID, request: PieceRequest)] {
        directives.compactMap { if case .request(let link, let request) = $0 { (link, request) } else { nil } }
    }

    /// The newest photo before the rest, within one age the small before the huge.
    @Test func newestFirstThenSmall() {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, age: 10, holders: [anna])
        want(&scheduler, 2, age: 20, byteCount: 900_000, holders: [anna])
        want(&scheduler, 3, age: 20, byteCount: 1000, holders: [anna])
        #expect(requests(run(&scheduler)).map(\.request.blob) == [blob(3), blob(2), blob(1)])
    }

    /// What nobody is known to have is not in the queue, however much it is.
    @Test func wantsWaitUntilSomebodyHasThem() {
        var scheduler = scheduler()
        for number in 1...3 { want(&scheduler, UInt8(number), holders: []) }
        #expect(scheduler.wants.queue.isEmpty && scheduler.reason(for: blob(2)) == .nobodyConnected)
        #expect(run(&scheduler).isEmpty)
        scheduler.setHolder(ben, of: blob(2), true)
        _ = run(&scheduler)
        #expect(scheduler.wants.active.map(\.blob) == [blob(2)])
    }

    /// While somebody imports, each photo is newer than the last: the working set stays small all the same, and what
    /// has not begun makes room.
    @Test func newerPhotosReplaceOlderOnes() {
        var limits = EngineLimits()
        limits.workingPiecesPerLink = 8
        var scheduler = scheduler(links: 1, limits: limits)
        for number in 1...20 {
            want(&scheduler, UInt8(number), age: UInt64(number), byteCount: 4 << 20, holders: [anna])
            _ = run(&scheduler)
            #expect(scheduler.wants.active.first?.blob == blob(UInt8(number)))
        }
        let begun = scheduler.wants.all.count { !$0.pieces.asked.isEmpty }
        #expect(scheduler.wants.active.count <= begun + 2)
        #expect(scheduler.wants.active.count + scheduler.wants.queue.count == 20)
        for request in scheduler.requests.keys.sorted() { _ = scheduler.pieceStored(request, .stored, now: Self.start) }
        #expect(!requests(run(&scheduler)).isEmpty)
    }

    /// As many photos have begun as may be open at a time: the newest takes the place of the oldest of which nothing is
    /// on its way, and that one goes on with what it has.
    @Test func newestNeedsNoRoomAmongOpenOnes() {
        var limits = EngineLimits()
        limits.openBlobCountMax = 3
        limits.windowByteCountMax = limits.windowByteCountMin
        var scheduler = scheduler(links: 1, limits: limits)
        for number in 1...3 as ClosedRange<UInt8> {
            want(&scheduler, number, age: UInt64(number), byteCount: 32 << 20, holders: [anna])
            // Two pieces are asked, and arrive.
            for (_, request) in requests(run(&scheduler)) {
                _ = scheduler.pieceStored(request.number, .stored, now: Self.start)
            }
        }
        #expect(scheduler.wants.all.allSatisfy { $0.pieces.heldCount > 0 })
        _ = scheduler.takeChangedParts()
        want(&scheduler, 4, age: 4, byteCount: 32 << 20, holders: [anna])
        let directives = run(&scheduler)
        #expect(requests(directives).contains { $0.request.blob == blob(4) })
        #expect(directives.contains(.closeStaging(blob(1))) && scheduler.wants.active.count == 3)
        #expect(scheduler.takeChangedParts().contains { $0.blob == blob(1) && $0.pieces.isEmpty })
        // Room again: it goes on.
        _ = scheduler.forget(blob(4))
        #expect(run(&scheduler).contains { if case .beginReceiving(blob(1), _, _) = $0 { true } else { false } })
    }

    /// Who left took the rest of some photos along, and a friend has the same half of them: they keep nobody waiting, and
    /// the friend's word of what is here already does not bring them back.
    @Test func halvesThatNobodyCompletesLeaveRoom() throws {
        var limits = EngineLimits()
        limits.workingPiecesPerLink = 1
        var scheduler = scheduler(limits: limits)
        want(&scheduler, 2, age: 2, byteCount: 2 << 20, holders: [anna])
        let first = try #require(requests(run(&scheduler)).first?.request)
        _ = scheduler.pieceStored(first.number, .stored, now: Self.start)
        scheduler.linkClosed(anna)
        let half = PartHeld(blob: blob(2), pieces: [first.piece == 0, first.piece == 1])
        scheduler.setPart(ben, half, now: Self.start)
        want(&scheduler, 1, age: 1, holders: [ben])
        #expect(requests(run(&scheduler)).map(\.request.blob) == [blob(1)])
        #expect(scheduler.reason(for: blob(2)) == .nobodyConnected)
        scheduler.setPart(ben, half, now: Self.start)
        #expect(scheduler.wants[blob(2)]?.place != .queued)
        scheduler.setPart(ben, PartHeld(blob: blob(2), pieces: [true, true]), now: Self.start)
        #expect(requests(run(&scheduler)).contains { $0.request.blob == blob(2) })
    }

    /// What only a silent peer has leaves the working set until that one is asked again.
    @Test func silentPeersTakeNoRoom() throws {
        var limits = EngineLimits()
        limits.workingPiecesPerLink = 1
        var scheduler = scheduler(limits: limits)
        for number in 3...4 as ClosedRange<UInt8> {
            want(&scheduler, number, age: UInt64(number), byteCount: 32 << 20, holders: [anna])
        }
        want(&scheduler, 1, age: 1, holders: [ben])
        var requested = requests(run(&scheduler)).map(\.request.blob)
        #expect(!requested.contains(blob(1)))
        // First one of the two is asked for, and then the other.
        var now = Self.start
        for _ in 0..<4 {
            now = now + limits.requestPatience
            requested += requests(run(&scheduler, at: now)).map(\.request.blob)
        }
        #expect(requested.contains(blob(1)))
        requested = []
        for _ in 0..<4 {
            now = try #require(scheduler.nextDeadline)
            requested += requests(run(&scheduler, at: now)).map(\.request.blob)
        }
        #expect(requested.contains(blob(3)) && now <= Self.start + limits.restInterval + 5 * limits.requestPatience)
    }

    /// A blob's pieces are asked of every peer that has it.
    @Test func piecesComeFromAllHolders() {
        var scheduler = scheduler()
        want(&scheduler, 1, byteCount: 8 << 20, holders: [anna, ben])
        let asked = requests(run(&scheduler))
        #expect(Set(asked.map(\.link)) == [anna, ben])
        #expect(Set(asked.map(\.request.piece)).count == asked.count)
    }

    /// Of a lone peer photos are asked one after the other, each from its beginning. Asked at random, most pieces would have
    /// to be read back to be hashed.
    @Test func piecesOfALonePeerComeInOrder() {
        var limits = EngineLimits()
        limits.windowByteCountMin = 4 << 20
        var scheduler = scheduler(links: 1, limits: limits)
        for number in 1...2 as ClosedRange<UInt8> { want(&scheduler, number, byteCount: 4 << 20, holders: [anna]) }
        let asked = requests(run(&scheduler)).map(\.request)
        #expect(asked.map(\.piece) == [0, 1, 2, 3, 0, 1, 2, 3])
        #expect(asked.map(\.blob) == [1, 1, 1, 1, 2, 2, 2, 2].map { blob($0) })
    }

    /// The newest photo is asked for although older pieces fill the window: as much of it as the smallest window holds.
    @Test func newestWaitsForNoOlderPiece() {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, age: 10, byteCount: 60 << 20, holders: [anna])
        #expect(!run(&scheduler).isEmpty)
        #expect(requests(run(&scheduler)).isEmpty)
        want(&scheduler, 2, age: 20, byteCount: 8 << 20, holders: [anna])
        #expect(requests(run(&scheduler)).map(\.request.blob) == [blob(2), blob(2)])
        #expect(requests(run(&scheduler)).isEmpty)
    }

    /// The window bounds what is asked of one peer before anything has come.
    @Test func windowBoundsRequests() {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, byteCount: 60 << 20, holders: [anna])
        #expect(requests(run(&scheduler)).count == 4)
    }

    /// Thirteen peers have room for 52 MiB, and no more than 48 are asked of all of them: a further piece is asked when one
    /// has come.
    @Test func requestedBytesOfAllPeersAreBounded() throws {
        let limits = EngineLimits()
        var scheduler = scheduler(links: 1, limits: limits)
        let links = (1...13 as ClosedRange<UInt64>).map { LinkID(number: $0) }
        for link in links.dropFirst() { scheduler.linkOpened(link, device: device(UInt8(link.number + 100))) }
        want(&scheduler, 1, byteCount: 100 * Pieces.byteCount, holders: links)
        let asked = requests(run(&scheduler))
        #expect(asked.count == 48 && scheduler.outstandingByteCount == limits.outstandingByteCountMax)
        #expect(links.reduce(0) { $0 + scheduler.links[$1]!.room(limits) } >= 4 << 20)
        #expect(requests(assign(&scheduler)).isEmpty)
        _ = scheduler.pieceStored(try #require(asked.first).request.number, .stored, now: Self.start)
        #expect(requests(assign(&scheduler)).count == 1)
        #expect(scheduler.outstandingByteCount == limits.outstandingByteCountMax)
    }

    /// The bound holds for last pieces that are asked of a second peer, too: that waits until another one has come.
    @Test func lastPiecesWaitForRoom() throws {
        var limits = EngineLimits()
        limits.outstandingByteCountMax = 3 << 20
        var scheduler = scheduler(links: 1, limits: limits)
        for number in 1...3 as ClosedRange<UInt8> {
            want(&scheduler, number, byteCount: Pieces.byteCount, holders: [anna])
        }
        let asked = requests(run(&scheduler))
        #expect(asked.count == 3)
        scheduler.linkOpened(ben, device: device(2))
        for number in 1...3 as ClosedRange<UInt8> { scheduler.setHolder(ben, of: blob(number), true) }
        #expect(requests(run(&scheduler, at: Self.start + 2)).isEmpty)
        #expect(scheduler.outstandingByteCount == limits.outstandingByteCountMax)
        let first = asked[0].request
        _ = scheduler.pieceStored(first.number, .committed(first.blob), now: Self.start + 2)
        #expect(requests(run(&scheduler, at: Self.start + 15)).map(\.link) == [ben])
        #expect(scheduler.outstandingByteCount == limits.outstandingByteCountMax)
    }

    /// A wrong piece condemns its sender for that blob, and the piece is asked elsewhere.
    @Test func wrongPieceIsAskedElsewhere() throws {
        var scheduler = scheduler()
        want(&scheduler, 1, holders: [anna])
        let first = try #require(requests(run(&scheduler)).first)
        _ = scheduler.pieceStored(first.request.number, .wrongHash, now: Self.start)
        #expect(requests(run(&scheduler)).isEmpty)
        #expect(scheduler.reason(for: blob(1)) == .nobodyConnected)
        scheduler.setHolder(ben, of: blob(1), true)
        #expect(requests(run(&scheduler)).map(\.link) == [ben])
    }

    /// "Not here" moves the want to another peer.
    @Test func refusalMovesOn() throws {
        var scheduler = scheduler()
        want(&scheduler, 1, holders: [anna, ben])
        let first = try #require(requests(run(&scheduler)).first)
        let (lacking, _) = scheduler.refused(first.request.number, link: first.link, now: Self.start)
        #expect(lacking == blob(1))
        scheduler.setHolder(first.link, of: blob(1), false)
        // Whoever lacks it now might fetch it as well.
        let later = Self.start + EngineLimits().sharePatience.lowerBound
        #expect(requests(run(&scheduler, at: later)).map(\.link) == [first.link == anna ? ben : anna])
    }

    /// A lost connection gives its requests back.
    @Test func lostLinkIsReplaced() {
        var scheduler = scheduler()
        want(&scheduler, 1, byteCount: 4 << 20, holders: [anna])
        // The other two are for the other receiver to fetch first.
        #expect(requests(run(&scheduler)).count == 2)
        scheduler.linkClosed(anna)
        scheduler.setHolder(ben, of: blob(1), true)
        #expect(requests(run(&scheduler)).map(\.link) == [ben, ben, ben, ben])
    }

    /// A peer that answers nothing delays nobody: soon another is asked as well, and the first to answer will do.
    @Test func silentPeerIsReplaced() throws {
        var scheduler = scheduler()
        want(&scheduler, 1, holders: [anna, ben])
        let first = try #require(requests(run(&scheduler)).first)
        let later = Self.start + EngineLimits().twinPatience
        #expect(scheduler.nextDeadline == later)
        let second = try #require(requests(run(&scheduler, at: later)).first)
        #expect(second.link != first.link)
        let outcome = scheduler.pieceStored(second.request.number, .committed(blob(1)), now: later)
        #expect(outcome == [.cancel(first.link, number: first.request.number)])
        // Nothing is left that time alone could change.
        #expect(scheduler.nextDeadline == nil)
    }

    /// A blob of one piece is asked for at once, where one of several waits until its file is open.
    @Test func wholePiecesAreAskedAtOnce() {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, byteCount: Pieces.byteCount, holders: [anna])
        let asked = assign(&scheduler)
        #expect(requests(asked).map(\.request.blob) == [blob(1)] && asked.count == 1)
        want(&scheduler, 2, byteCount: 2 << 20, holders: [anna])
        _ = assign(&scheduler)
        let opened = scheduler.listArrived(blob(2), list(2), from: anna, now: Self.start)
        #expect(opened == [.beginReceiving(blob(2), byteCount: 2 << 20, list(2))])
        #expect(assign(&scheduler).isEmpty)
        let begun = scheduler.receivingBegan(blob(2), held: [true, false], now: Self.start)
        #expect(begun.isEmpty && requests(assign(&scheduler)).map(\.request.piece) == [1])
    }

    /// A blob that the store made durable with its only piece is done: nothing of it is committed or asked any more, its
    /// second request is taken back, and what it takes on the disk counts.
    @Test func aWholePieceIsCommittedAtOnce() throws {
        var scheduler = scheduler()
        _ = scheduler.setTerms(PullTerms(room: 5000))
        want(&scheduler, 1, holders: [anna, ben])
        let first = try #require(requests(run(&scheduler)).first)
        let later = Self.start + EngineLimits().twinPatience
        let second = try #require(requests(run(&scheduler, at: later)).first)
        let outcome = scheduler.pieceStored(second.request.number, .committed(blob(1)), now: later)
        #expect(outcome == [.cancel(first.link, number: first.request.number)])
        #expect(scheduler.wants[blob(1)] == nil && scheduler.requests.isEmpty)
        #expect(scheduler.outstandingByteCount == 0 && scheduler.terms.room == 4000)
        // The other answer was on its way to the disk already.
        #expect(scheduler.pieceStored(first.request.number, .committed(blob(1)), now: later).isEmpty)
        #expect(run(&scheduler, at: later).isEmpty && scheduler.nextDeadline == nil)
    }

    /// After a longer silence the request is taken back, so that its place in the window is free again.
    @Test func silentRequestIsTakenBack() throws {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, holders: [anna])
        let first = try #require(requests(run(&scheduler)).first)
        let later = Self.start + EngineLimits().requestPatience
        #expect(scheduler.nextDeadline == later)
        #expect(run(&scheduler, at: later).contains(.cancel(anna, number: first.request.number)))
    }

    /// A slow peer whose bytes keep coming is not given up, however long a piece takes.
    @Test func slowPeerIsNotGivenUp() throws {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, holders: [anna])
        _ = run(&scheduler)
        var now = Self.start
        for _ in 0..<10 {
            now = now + EngineLimits().requestPatience / 2
            scheduler.progressed(anna, now: now)
            #expect(run(&scheduler, at: now).isEmpty)
        }
    }

    /// A silent peer that alone has the blob is asked again after a rest, and is no reason to be busy meanwhile.
    @Test func silentSoleHolderIsAskedAgain() throws {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, holders: [anna])
        _ = run(&scheduler)
        let silent = Self.start + EngineLimits().requestPatience
        #expect(requests(run(&scheduler, at: silent)).isEmpty)
        let rested = silent + EngineLimits().restInterval
        #expect(scheduler.nextDeadline == rested)
        #expect(requests(run(&scheduler, at: rested)).count == 1)
    }

    /// One long video keeps neither the other photos nor a newer one waiting.
    @Test func longVideoLeavesRoom() {
        var scheduler = scheduler()
        want(&scheduler, 1, age: 20, byteCount: 100 << 20, holders: [anna])
        want(&scheduler, 2, age: 10, holders: [anna, ben])
        let first = requests(run(&scheduler))
        #expect(first.contains { $0.request.blob == blob(2) })
        want(&scheduler, 3, age: 30, holders: [anna, ben])
        #expect(requests(run(&scheduler)).map(\.request.blob) == [blob(3)])
    }

    /// Somebody's false description of a file does not keep the honest one from being tried.
    @Test func falseClaimIsFollowedByTheNext() throws {
        var scheduler = scheduler(links: 1)
        let truth = BlobClaim(byteCount: 1000, pieceListHash: nil)
        let lie = BlobClaim(byteCount: 900_000, pieceListHash: nil)
        scheduler.want(blob(1), blobClass: .original, urgency: .zero, claims: [lie, truth])
        scheduler.setHolder(anna, of: blob(1), true)
        let first = try #require(requests(run(&scheduler)).first)
        #expect(first.request.byteCount == 900_000)
        #expect(scheduler.pieceStored(first.request.number, .wrongHash, now: Self.start) == [.abandon(blob(1))])
        #expect(requests(run(&scheduler)).map(\.request.byteCount) == [1000])
    }

    /// "I have no list" is no offence: the peer is asked again once it says that it holds the blob.
    @Test func missingListIsNoOffence() {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, byteCount: 3 << 20, holders: [anna])
        #expect(assign(&scheduler) == [.askForList(anna, blob(1))])
        _ = scheduler.listArrived(blob(1), nil, from: anna, now: Self.start)
        scheduler.setHolder(anna, of: blob(1), false)
        #expect(assign(&scheduler).isEmpty)
        scheduler.setHolder(anna, of: blob(1), true)
        #expect(assign(&scheduler) == [.askForList(anna, blob(1))])
    }

    /// A list that does not fit what was signed is not used, and its sender not asked again.
    @Test func wrongListIsRefused() {
        var scheduler = scheduler()
        want(&scheduler, 1, byteCount: 3 << 20, holders: [anna, ben])
        let first = assign(&scheduler)
        #expect(first == [.askForList(anna, blob(1))])
        #expect(scheduler.listArrived(blob(1), list(2), from: anna, now: Self.start).isEmpty)
        #expect(assign(&scheduler) == [.askForList(ben, blob(1))])
    }

    /// Right pieces and a wrong whole condemn the list; another contributor's is tried, this one never again.
    @Test func wrongWholeTriesAnotherClaim() {
        var scheduler = scheduler(links: 1)
        let good = BlobClaim(byteCount: 2 << 20, pieceListHash: list(2).listHash)
        let bad = BlobClaim(byteCount: 2 << 20, pieceListHash: blob(77))
        scheduler.want(
            blob(1), blobClass: .original, urgency: ClockReading(microseconds: 0), claims: [good, bad])
        scheduler.setHolder(anna, of: blob(1), true)
        for (_, request) in requests(run(&scheduler)) {
            _ = scheduler.pieceStored(request.number, .stored, now: Self.start)
        }
        scheduler.commitRejected(blob(1), now: Self.start)
        #expect(scheduler.wants[blob(1)]!.claim == bad)
        scheduler.commitRejected(blob(1), now: Self.start)
        #expect(scheduler.reason(for: blob(1)) == .rejected)
        // Whoever adds the photo properly brings it back.
        let proper = BlobClaim(byteCount: 1000, pieceListHash: nil)
        scheduler.want(blob(1), blobClass: .original, urgency: .zero, claims: [proper])
        #expect(requests(run(&scheduler)).map(\.request.byteCount) == [1000])
    }

    /// A full disk pauses the blob, says why, and tries again.
    @Test func fullDiskIsRetried() {
        var scheduler = scheduler(links: 1)
        want(&scheduler, 1, holders: [anna])
        let first = requests(run(&scheduler))
        _ = scheduler.pieceStored(first[0].request.number, .failed("The disk is full."), now: Self.start)
        #expect(scheduler.reason(for: blob(1)) == .paused("The disk is full."))
        #expect(requests(run(&scheduler)).isEmpty)
        let later = Self.start + EngineLimits().diskRetryInterval
        #expect(scheduler.nextDeadline == later)
        #expect(requests(run(&scheduler, at: later)).count == 1)
    }
}
