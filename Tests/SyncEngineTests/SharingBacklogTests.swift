import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// How far what is added here is ahead of those who pull it.
@Suite struct SharingBacklogTests {
    private let beach = AlbumName.identifier("Beach")
    /// Allows one photo of `file(_:)` to be ahead, and not two.
    private var limits: EngineLimits {
        var limits = EngineLimits()
        limits.aheadByteCountMax = 1999
        return limits
    }

    private func peer(connected: Bool = true) throws -> PlayedPeer {
        var peer = try PlayedPeer(limits: limits)
        if connected { peer.connect() }
        return peer
    }

    /// One that has two photos to itself.
    private func peerThatIsBehind() throws -> PlayedPeer {
        var peer = try peer()
        peer.add(1)
        #expect(!peer.engine.isAhead)
        peer.add(2)
        #expect(peer.engine.isAhead)
        return peer
    }

    /// What nobody has yet counts, until somebody says that they hold it.
    @Test func whatNobodyHoldsIsAhead() throws {
        var peer = try peerThatIsBehind()
        peer.receive(.presenceChanged(PresenceChange(held: [file(2).blob], lost: [], counter: 1)))
        #expect(!peer.engine.isAhead)
        peer.add(3)
        #expect(peer.engine.isAhead)
        // Nothing is counted twice, nor is what was never missing.
        peer.receive(.presenceChanged(PresenceChange(held: [file(2).blob, file(9).blob], lost: [], counter: 2)))
        #expect(peer.engine.isAhead)
        peer.receive(.presenceChanged(PresenceChange(held: [file(1).blob, file(3).blob], lost: [], counter: 3)))
        #expect(peer.engine.pull.backlog.byteCount == 0)
    }

    /// So do those who tell everything that they hold.
    @Test func whatSomebodyTellsAnewIsNotAhead() throws {
        var peer = try peerThatIsBehind()
        peer.receive(.presence(Presence(branches: [], others: [file(9).blob]), counter: 1))
        #expect(peer.engine.isAhead)
        peer.receive(.presence(Presence(branches: [], others: [file(1).blob]), counter: 2))
        #expect(peer.engine.pull.backlog.byteCount == 1000)
    }

    /// Those who come later, and those who left, wait for nothing.
    @Test func nobodyIsWaitedForWhoIsNotThere() throws {
        var peer = try peer(connected: false)
        peer.add(1)
        peer.add(2)
        #expect(!peer.engine.isAhead)
        peer.connect()
        #expect(!peer.engine.isAhead)

        peer = try peerThatIsBehind()
        peer.feed(.disconnected(PlayedPeer.link))
        #expect(!peer.engine.isAhead)

        peer = try peerThatIsBehind()
        peer.receive(.farewell(.full))
        #expect(!peer.engine.isAhead)
    }

    /// Who does not pull, or leaves an album out, waits for none of it.
    @Test func thoseWhoDoNotPullDoNotWait() throws {
        for notice in [FetchingNotice(isPaused: true), FetchingNotice(leftOut: [beach])] {
            var peer = try peerThatIsBehind()
            peer.receive(.fetching(notice))
            #expect(!peer.engine.isAhead)
            peer.add(3)
            peer.add(4)
            #expect(!peer.engine.isAhead)
            peer.receive(.fetching(FetchingNotice()))
            peer.add(5)
            peer.add(6)
            #expect(peer.engine.isAhead)
        }
    }

    /// What is removed, and what is lost, nobody gets from here.
    @Test func whatIsGoneIsNotAhead() throws {
        var peer = try peerThatIsBehind()
        peer.feed(.contribute(token: 9, .photoRemoval(beach, file(1).blob)))
        #expect(!peer.engine.isAhead)

        peer = try peerThatIsBehind()
        peer.feed(.blobLost(file(2).blob))
        #expect(!peer.engine.isAhead)
    }

    /// A photo that somebody has already, and that is added to a further album, is nothing to wait for.
    @Test func whatSomebodyHasIsNotAhead() throws {
        var network = TestNetwork()
        try network.add(TestSigning(1), limits: limits)
        try network.add(TestSigning(2), limits: limits)
        network.connect(0, 1)
        network.settle()
        for number in 1...3 as ClosedRange<UInt8> {
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
        }
        network.settle()
        #expect(network.nodes[1].engine.held.count == 3)
        #expect(!network.nodes.contains { $0.engine.isAhead })
        #expect(network.nodes[0].engine.pull.backlog.byteCount == 0)
        for number in 1...3 as ClosedRange<UInt8> {
            network.feed(0, .contribute(token: UInt64(number), .photo(albumName: "Forest", file(number))))
        }
        #expect(network.nodes[0].engine.pull.backlog.byteCount == 0)
        // What others added never counts.
        #expect(network.nodes[1].engine.pull.backlog.byteCount == 0)
    }
}

extension PlayedPeer {
    fileprivate mutating func add(_ number: UInt8) {
        feed(.contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
    }
}
