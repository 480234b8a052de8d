import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Receivers of the same photos fetch different pieces and serve each other.
@Suite struct SwarmTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let source = LinkID(number: 1)
    private let friend = LinkID(number: 2)

    private func device(_ number: UInt8) -> DeviceID { DeviceID(bytes: [UInt8](repeating: number, count: 32))! }
    private func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    private func list(_ count: Int) -> PieceList { PieceList(hashes: (0..<count).map { blob(UInt8(100 + $0)) }) }

    /// A scheduler that receives one blob of so many pieces, with the source connected and a friend who lacks it too.
    private func receiving(_ number: UInt8, pieceCount: Int, own: UInt8 = 9) -> PullScheduler {
        var scheduler = PullScheduler(own: device(own), limits: EngineLimits())
        scheduler.linkOpened(source, device: device(1))
        scheduler.linkOpened(friend, device: device(2))
        let claim = BlobClaim(
            byteCount: UInt64(pieceCount) * Pieces.byteCount, pieceListHash: list(pieceCount).listHash)
        scheduler.want(blob(number), blobClass: .original, urgency: .zero, claims: [claim])
        scheduler.setHolder(source, of: blob(number), true)
        _ = scheduler.listArrived(blob(number), list(pieceCount), from: nil, now: Self.start)
        return scheduler
    }

    private func open(_ scheduler: inout PullScheduler, _ number: UInt8, pieceCount: Int) {
        _ = scheduler.receivingBegan(blob(number), held: [Bool](repeating: false, count: pieceCount), now: Self.start)
    }

    private func asked(
        _ scheduler: inout PullScheduler, at now: MonotonicInstant = start, seed: UInt64 = 1
    ) -> [(link: LinkID, request: PieceRequest)] {
        var random = TestRandom(state: seed)
        return scheduler.assign(now: now, using: &random).compactMap {
            if case .request(let link, let request) = $0 { (link, request) } else { nil }
        }
    }

    /// Of a blob that one peer has, two receivers begin with different pieces without a word to each other.
    @Test func receiversFetchDifferentPieces() {
        var mine = receiving(7, pieceCount: 8, own: 9)
        _ = asked(&mine)
        open(&mine, 7, pieceCount: 8)
        var theirs = PullScheduler(own: device(2), limits: EngineLimits())
        theirs.linkOpened(source, device: device(1))
        theirs.linkOpened(friend, device: device(9))
        let claim = BlobClaim(byteCount: 8 * Pieces.byteCount, pieceListHash: list(8).listHash)
        theirs.want(blob(7), blobClass: .original, urgency: .zero, claims: [claim])
        theirs.setHolder(source, of: blob(7), true)
        _ = theirs.listArrived(blob(7), list(8), from: nil, now: Self.start)
        _ = asked(&theirs)
        open(&theirs, 7, pieceCount: 8)
        let (first, second) = (asked(&mine), asked(&theirs))
        #expect(first.count == 4 && second.count == 4)
        #expect(Set(first.map(\.request.piece)).isDisjoint(with: second.map(\.request.piece)))
    }

    /// What is left to others is fetched all the same when the link has nothing else to do: nobody waits for a receiver
    /// that hangs.
    @Test func leftPiecesAreFetchedByTheIdle() {
        var scheduler = receiving(7, pieceCount: 8)
        _ = asked(&scheduler)
        open(&scheduler, 7, pieceCount: 8)
        var pieces: Set<Int> = []
        let share = asked(&scheduler)
        #expect(share.count == 4)
        for (count, (_, request)) in share.enumerated() {
            pieces.insert(request.piece)
            _ = scheduler.pieceStored(request.number, .stored, now: Self.start + 0.1 * Double(count + 1))
        }
        #expect(asked(&scheduler, at: Self.start + 0.5).isEmpty)
        let later = Self.start + EngineLimits().sharePatience.upperBound
        #expect(scheduler.nextDeadline == later)
        for _ in 0..<20 {
            let requests = asked(&scheduler, at: later)
            for (_, request) in requests {
                pieces.insert(request.piece)
                _ = scheduler.pieceStored(request.number, .stored, now: Self.start)
            }
        }
        #expect(pieces.count == 8)
    }

    /// A piece that a friend has already comes from there, and the source's uplink is spared.
    @Test func partsComeFromFriends() {
        var scheduler = receiving(7, pieceCount: 2)
        _ = asked(&scheduler)
        open(&scheduler, 7, pieceCount: 2)
        scheduler.setPart(friend, PartHeld(blob: blob(7), pieces: [true, true]), now: Self.start)
        scheduler.setHolder(source, of: blob(7), false)
        #expect(asked(&scheduler).allSatisfy { $0.link == friend })
    }

    /// A scheduler whose friend said that both pieces of the blob are on their way to it.
    private func awaitingFriend() -> PullScheduler {
        var scheduler = receiving(7, pieceCount: 2)
        _ = asked(&scheduler)
        open(&scheduler, 7, pieceCount: 2)
        let part = PartHeld(blob: blob(7), pieces: [], coming: [true, true])
        scheduler.setPart(friend, part, now: Self.start)
        return scheduler
    }

    /// What a friend said is on its way to it is asked of it ahead, and nobody else is told that it comes here, too:
    /// two must not wait for each other. After a while it is asked elsewhere.
    @Test func comingPiecesAreAskedAhead() {
        var scheduler = awaitingFriend()
        let ahead = asked(&scheduler)
        #expect(ahead.map(\.link) == [friend, friend])
        #expect(scheduler.takeChangedParts().allSatisfy { !$0.coming.contains(true) })
        #expect(ahead.allSatisfy { !scheduler.canPromise($0.request) })
        let later = Self.start + EngineLimits().comingPatience
        #expect(scheduler.nextDeadline == later)
        #expect(asked(&scheduler, at: later).map(\.link) == [source])
    }

    /// A blob that nobody here has leaves the working set, and nothing of it is asked ahead any more.
    @Test func whatNobodyHasIsNotAskedAhead() {
        var scheduler = awaitingFriend()
        scheduler.setHolder(source, of: blob(7), false)
        #expect(asked(&scheduler).isEmpty)
        #expect(scheduler.wants[blob(7)]?.pieces.asked.isEmpty == true && scheduler.wants[blob(7)]?.place == .parked)
    }

    /// A piece that the friend promised to somebody else is left to it, for a while.
    @Test func comingPiecesAreLeft() {
        var scheduler = awaitingFriend()
        for (link, request) in asked(&scheduler) {
            #expect(scheduler.refused(request.number, link: link, now: Self.start).lacking == nil)
        }
        #expect(asked(&scheduler).isEmpty)
        let later = Self.start + EngineLimits().comingPatience
        #expect(asked(&scheduler, at: later).count == 1)
    }

    /// What was asked ahead is a request like others once the friend has it: it is waited for as long as anything comes.
    @Test func friendsHaveTime() {
        var scheduler = awaitingFriend()
        let ahead = asked(&scheduler)
        let soon = Self.start + 0.5 * EngineLimits().comingPatience
        scheduler.setPart(friend, PartHeld(blob: blob(7), pieces: [true, true]), now: soon)
        #expect(scheduler.links[friend]?.outstandingCount == 2 && scheduler.links[friend]?.aheadByteCount == 0)
        let later = Self.start + EngineLimits().comingPatience
        #expect(asked(&scheduler, at: later).isEmpty)
        for (_, request) in ahead { _ = scheduler.pieceStored(request.number, .stored, now: later) }
        #expect(scheduler.links[friend]?.outstandingCount == 0)
        #expect(scheduler.wants[blob(7)]?.place == .committing)
    }

    /// The piece that fewest have goes first.
    @Test func rarestFirst() {
        var limits = EngineLimits()
        limits.windowByteCountMin = Int(Pieces.byteCount) / 2
        var scheduler = PullScheduler(own: device(9), limits: limits)
        for number in 1...4 { scheduler.linkOpened(LinkID(number: UInt64(number)), device: device(UInt8(number))) }
        let claim = BlobClaim(byteCount: 4 * Pieces.byteCount, pieceListHash: list(4).listHash)
        scheduler.want(blob(7), blobClass: .original, urgency: .zero, claims: [claim])
        scheduler.setPart(
            LinkID(number: 1), PartHeld(blob: blob(7), pieces: [true, true, true, true]), now: Self.start)
        scheduler.setPart(
            LinkID(number: 2), PartHeld(blob: blob(7), pieces: [true, true, false, true]), now: Self.start)
        scheduler.setPart(
            LinkID(number: 3), PartHeld(blob: blob(7), pieces: [true, true, false, false]), now: Self.start)
        scheduler.setPart(
            LinkID(number: 4), PartHeld(blob: blob(7), pieces: [true, false, false, false]), now: Self.start)
        _ = scheduler.listArrived(blob(7), list(4), from: nil, now: Self.start)
        _ = asked(&scheduler)
        open(&scheduler, 7, pieceCount: 4)
        let pieces = Dictionary(asked(&scheduler).map { ($0.request.piece, $0.link) }) { first, _ in first }
        // Each link has room for one piece: the rare ones take the links that alone have them.
        #expect(pieces.count >= 3)
        #expect(pieces[3] != nil)
    }

    /// The last piece, slow to come from one peer, is asked of a second one, never of the only full holder.
    @Test func lastPieceIsAskedTwice() throws {
        var scheduler = receiving(7, pieceCount: 2)
        _ = asked(&scheduler)
        open(&scheduler, 7, pieceCount: 2)
        let first = try #require(asked(&scheduler).first)
        #expect(first.link == source)
        scheduler.setPart(friend, PartHeld(blob: blob(7), pieces: [true, true]), now: Self.start)
        for (_, request) in asked(&scheduler) where request.piece != first.request.piece {
            _ = scheduler.pieceStored(request.number, .stored, now: Self.start)
        }
        let later = Self.start + EngineLimits().twinPatience
        let twins = asked(&scheduler, at: later)
        #expect(twins.map(\.link) == [friend])
        #expect(twins.map(\.request.piece) == [first.request.piece])
        // The winner's twin is taken back.
        let outcome = scheduler.pieceStored(try #require(twins.first).request.number, .stored, now: later)
        #expect(outcome.contains(.cancel(source, number: first.request.number)))
        #expect(outcome.contains(.commit(blob(7))))
    }

    /// A wrong piece condemns its sender although the right one came from elsewhere before.
    @Test func lateWrongPiecesCount() throws {
        var scheduler = receiving(7, pieceCount: 2)
        let other = LinkID(number: 3)
        scheduler.linkClosed(friend)
        scheduler.linkOpened(other, device: device(3))
        _ = asked(&scheduler)
        open(&scheduler, 7, pieceCount: 2)
        scheduler.setPart(other, PartHeld(blob: blob(7), pieces: [false, true]), now: Self.start)
        let requests = Dictionary(uniqueKeysWithValues: asked(&scheduler).map { ($0.request.piece, $0) })
        let late = try #require(requests[0])
        #expect(late.link == source && requests[1]?.link == other)
        scheduler.linkOpened(friend, device: device(2))
        scheduler.setPart(friend, PartHeld(blob: blob(7), pieces: [true, false]), now: Self.start)
        let later = Self.start + EngineLimits().twinPatience
        let twin = try #require(asked(&scheduler, at: later).first { $0.request.piece == 0 })
        #expect(twin.link == friend)
        let outcome = scheduler.pieceStored(twin.request.number, .stored, now: later)
        #expect(outcome.contains(.cancel(source, number: late.request.number)))
        _ = scheduler.pieceStored(late.request.number, .wrongHash, now: later)
        // What only the other two have now is not asked of the liar.
        scheduler.linkClosed(other)
        #expect(asked(&scheduler, at: later).isEmpty)
    }

    /// Pieces are servable while the rest is still on its way, and no longer when the claim turned out wrong.
    @Test func partsAreServed() throws {
        var scheduler = receiving(7, pieceCount: 2)
        _ = asked(&scheduler)
        open(&scheduler, 7, pieceCount: 2)
        let first = try #require(asked(&scheduler).first?.request)
        var asks = PieceRequest(
            number: 1, blob: blob(7), piece: first.piece, byteCount: first.byteCount, blobClass: .original)
        #expect(!scheduler.canServe(asks))
        _ = scheduler.pieceStored(first.number, .stored, now: Self.start)
        #expect(scheduler.canServe(asks))
        let changed = scheduler.takeChangedParts()
        #expect(changed.map(\.blob) == [blob(7)])
        #expect(changed.first?.pieces.count { $0 } == 1)
        #expect(scheduler.takeChangedParts().isEmpty)
        asks.piece = 1 - first.piece
        #expect(!scheduler.canServe(asks))
        asks.piece = 5
        #expect(!scheduler.canServe(asks))
    }

    /// A photo of one piece is announced while it is on its way, so that it can be asked ahead; a small one is not worth
    /// the word. What is promised of it is answered once it is durable.
    @Test(arguments: [(byteCount: 1_000_000 as UInt64, isAnnounced: true), (byteCount: 20_000, isAnnounced: false)])
    func singlePiecesAreAnnouncedAsComing(byteCount: UInt64, isAnnounced: Bool) throws {
        var scheduler = PullScheduler(own: device(9), limits: EngineLimits())
        scheduler.linkOpened(source, device: device(1))
        let claim = BlobClaim(byteCount: byteCount, pieceListHash: nil)
        scheduler.want(blob(7), blobClass: .original, urgency: .zero, claims: [claim])
        scheduler.setHolder(source, of: blob(7), true)
        let request = try #require(asked(&scheduler).first?.request)
        #expect(scheduler.takeChangedParts().map(\.coming) == (isAnnounced ? [[true]] : []))
        #expect(scheduler.canPromise(request) && !scheduler.canServe(request))
        #expect(scheduler.pieceStored(request.number, .committed(blob(7)), now: Self.start).isEmpty)
        #expect(!scheduler.canPromise(request) && scheduler.takeChangedParts().isEmpty)
    }
}
