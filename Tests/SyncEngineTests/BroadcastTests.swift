import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Over which links batches are pushed, announced or asked for, without sessions.
@Suite struct BroadcastTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private struct Side {
        var broadcast = Broadcast(limits: EngineLimits())
        var log = BatchLog()
        private var random = TestRandom()

        mutating func feed(_ input: Broadcast.Input, after seconds: Double = 0) -> [Broadcast.Directive] {
            broadcast.handle(input, log: log, now: BroadcastTests.start + seconds, using: &random)
        }

        mutating func store(
            _ batch: AcceptedBatch, from source: LinkID? = nil, unsettled: Set<LinkID> = [], isMeshPartial: Bool = true
        ) -> [Broadcast.Directive] {
            let sources = source.map { [batch.id: $0] } ?? [:]
            return feed(
                .stored([batch], sources: sources, unsettled: unsettled, isMeshPartial: isMeshPartial))
        }
    }

    private func link(_ number: UInt64) -> LinkID { LinkID(number: number) }

    /// Links whose vectors were compared, to devices of other numbers than the author of ``TestReplica``.
    private func side(_ count: UInt64, lazy: [UInt64] = []) -> Side {
        var side = Side()
        for number in 1...count {
            let device = BatchSignature.deviceID(publicKey: TestSigning(UInt8(number)).publicKey)
            _ = side.feed(.opened(link(number), device))
            _ = side.feed(.compared(link(number), isPeersVector: number % 2 == 0))
        }
        for number in lazy { _ = side.feed(.pruned(link(number))) }
        return side
    }

    private func pushed(_ directives: [Broadcast.Directive]) -> [LinkID] {
        directives.compactMap { if case .push(let link, let batches, _) = $0, !batches.isEmpty { link } else { nil } }
    }

    private func grafted(_ directives: [Broadcast.Directive]) -> [LinkID] {
        directives.compactMap { if case .graft(let link) = $0 { link } else { nil } }
    }

    private func pruned(_ directives: [Broadcast.Directive]) -> [LinkID] {
        directives.compactMap { if case .prune(let link) = $0 { link } else { nil } }
    }

    /// A batch leaves over all eager links but the one that brought it, and over that to its author; over lazy ones its end
    /// is announced.
    @Test func batchesArePushedOrAnnounced() {
        var side = side(4, lazy: [3])
        var replica = TestReplica(1)
        let batch = replica.add(after: nil)
        #expect(pushed(side.store(batch, from: link(2))) == [link(1), link(4)])
        #expect(side.broadcast.hasAnnouncements)
        #expect(side.broadcast.nextMessage(for: link(3)) == nil)
        #expect(side.feed(.announce).isEmpty && !side.broadcast.hasAnnouncements)
        #expect(side.broadcast.nextMessage(for: link(3)) == .announced([replica.id: [batch.end]]))
        for number in 1...4 as ClosedRange<UInt64> { #expect(side.broadcast.nextMessage(for: link(number)) == nil) }
        _ = side.feed(.opened(link(5), batch.author))
        #expect(!pushed(side.store(batch)).contains(link(5)))
        // Nothing of it is for the source; something else may be.
        let settled = side.store(batch, from: link(1), unsettled: [link(1)])
        #expect(settled.contains { if case .push(link(1), [], [replica.id]) = $0 { true } else { false } })
    }

    /// Where everybody is connected to everybody no link is pruned, and elsewhere never the last eager one.
    @Test func slowerLinksLeaveTheTree() {
        var side = side(2)
        #expect(side.feed(.broughtNothing(link(1), isMeshPartial: false)).isEmpty)
        #expect(pruned(side.feed(.broughtNothing(link(1), isMeshPartial: true))) == [link(1)])
        #expect(side.broadcast.treeLinks == [link(2)])
        #expect(side.feed(.broughtNothing(link(1), isMeshPartial: true)).isEmpty)
        #expect(side.feed(.broughtNothing(link(2), isMeshPartial: true)).isEmpty)
        #expect(side.broadcast.treeLinks == [link(2)])
    }

    /// What is not compared yet may bring what is known without being slow.
    @Test func linksThatAreNotComparedAreNotPruned() {
        var side = side(2)
        _ = side.feed(.opened(link(3), BatchSignature.deviceID(publicKey: TestSigning(3).publicKey)))
        #expect(side.feed(.broughtNothing(link(3), isMeshPartial: true)).isEmpty)
        #expect(side.broadcast.treeLinks == [link(1), link(2), link(3)])
    }

    /// The other side pushes only once the vector has come that follows a graft; an answer is not that.
    @Test func graftsTakeEffectWithTheVector() {
        var side = side(2, lazy: [1])
        _ = side.feed(.grafted(link(1)))
        _ = side.feed(.compared(link(1), isPeersVector: false))
        #expect(side.broadcast.treeLinks == [link(2)])
        _ = side.feed(.compared(link(1), isPeersVector: true))
        #expect(side.broadcast.treeLinks == [link(1), link(2)])
        _ = side.feed(.pruned(link(1)))
        _ = side.feed(.grafted(link(1)))
        _ = side.feed(.pruned(link(1)))
        _ = side.feed(.compared(link(1), isPeersVector: true))
        #expect(side.broadcast.treeLinks == [link(2)])
    }

    /// What was announced and does not come along the tree is asked for; who owes an answer is passed over.
    @Test func announcedBatchesAreFetched() {
        var side = side(3, lazy: [1, 2])
        let patience = EngineLimits().treePatience
        var replica = TestReplica(1)
        let batch = replica.add(after: nil)
        for number in 1...2 as ClosedRange<UInt64> {
            _ = side.feed(.announced(link(number), [replica.id: [batch.end]]))
        }
        #expect(side.broadcast.awaitedCount == 1 && side.broadcast.nextDeadline == Self.start + patience)
        #expect(side.feed(.deadlineReached(unanswered: []), after: patience / 2).isEmpty)
        let asked = side.feed(.deadlineReached(unanswered: [link(1)]), after: patience)
        #expect(grafted(asked) == [link(2)] && side.broadcast.treeLinks == [link(2), link(3)])
        side.log.insert(batch)
        #expect(side.feed(.deadlineReached(unanswered: []), after: 2 * patience).isEmpty)
        #expect(side.broadcast.awaitedCount == 0)
        _ = side.feed(.announced(link(1), [replica.id: [batch.end]]), after: 2 * patience)
        #expect(side.broadcast.awaitedCount == 0, "what is known is not awaited")
    }

    /// A lazy link takes the place of an eager one that broke, unless its device is connected otherwise; a lazy one needs no
    /// replacement.
    @Test func brokenLinksAreReplaced() {
        var side = side(4, lazy: [3, 4])
        #expect(side.feed(.disconnected(link(1), isLost: false)).isEmpty)
        #expect(side.feed(.disconnected(link(3), isLost: true)).isEmpty)
        _ = side.feed(.closing(link(2)))
        #expect(side.broadcast.treeLinks.isEmpty)
        #expect(grafted(side.feed(.disconnected(link(2), isLost: true))) == [link(4)])
        #expect(side.broadcast.treeLinks == [link(4)])
    }

    /// Something new that came over a lazy link makes it part of the tree, if others exist that are not connected.
    @Test func lazyLinksThatBringNewsAreGrafted() {
        var replica = TestReplica(1)
        let batch = replica.add(after: nil)
        var side = side(3, lazy: [1])
        #expect(grafted(side.store(batch, from: link(1), isMeshPartial: false)).isEmpty)
        #expect(grafted(side.store(batch, from: link(1))) == [link(1)])
        #expect(side.broadcast.treeLinks == [link(1), link(2), link(3)])
        // Until vectors were compared again it brings nothing that would count.
        #expect(side.feed(.broughtNothing(link(1), isMeshPartial: true)).isEmpty)
    }
}
