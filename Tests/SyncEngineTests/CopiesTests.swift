import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What counts as a copy on another device: only what that device said, of what it knew, lately enough, as another one.
@Suite struct CopiesTests {
    private func holders(_ network: TestNetwork, _ node: Int, _ number: UInt8) -> [DeviceID] {
        network.nodes[node].engine.copies(wall: network.nodes[node].wall).holders(of: file(number).blob)
    }

    private func add(_ network: inout TestNetwork, _ node: Int, _ numbers: ClosedRange<UInt8>) {
        for number in numbers {
            network.feed(
                node, .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
            network.settle()
        }
    }

    /// Who is connected and said that it has a photo counts; this device itself does not, nor does anybody before a word.
    @Test func aConnectedHolderCounts() throws {
        var network = try TestNetwork.pair()
        let (anna, ben) = (network.nodes[0].engine.device, network.nodes[1].engine.device)
        #expect(holders(network, 0, 1) == [ben])
        #expect(holders(network, 1, 1) == [anna])
        #expect(network.nodes[0].engine.isElsewhere(file(1).blob, wall: network.nodes[0].wall))
        #expect(!network.nodes[0].engine.isElsewhere(file(9).blob, wall: network.nodes[0].wall))
        // One other is not two.
        func isOnTwoOthers() -> Bool {
            network.nodes[0].engine.isElsewhere(file(1).blob, on: 2, wall: network.nodes[0].wall)
        }
        #expect(!isOnTwoOthers())
        try network.add(TestSigning(3))
        network.connect(0, 2)
        #expect(!isOnTwoOthers())
        network.settle()
        #expect(isOnTwoOthers())
    }

    /// A home that moved to another laptop goes on with another key. What its former key said is no second copy, neither
    /// here nor for others, before and after the new key's first batch; a copy whose original lives on counts both.
    @Test func aFormerLifeIsNoOtherCopy() throws {
        var network = try TestNetwork.pair()
        network.pass(until: network.now + 60)
        let former = network.nodes[0]
        network.cut(0, 1)
        var signing = TestSigning(3)
        signing.formerDevice = former.engine.device
        signing.makeSuccession = { publicKey, nonce in
            let message = Succession.message(publicKey: publicKey, nonce: nonce)
            let key = TestSigning(1)
            return Succession(formerKey: key.publicKey, signature: key.signature(over: message))
        }
        // It remembers what its former key told in summaries, as others passed it on.
        let own = try #require(network.nodes[1].engine.holdingsRecord(of: former.engine.device))
        try network.add(
            signing, journal: former.journal, held: former.engine.held, records: [former.engine.device: own])
        #expect(holders(network, 2, 1).isEmpty)
        // Somebody who is away still knows of the former key.
        #expect(holders(network, 1, 1) == [former.engine.device])
        network.feed(2, .contribute(token: 5, .deviceName("Anna's new laptop")))
        network.connect(2, 1)
        network.settle()
        #expect(holders(network, 2, 1) == [network.nodes[1].engine.device])
        #expect(holders(network, 1, 1) == [network.nodes[2].engine.device])
        // The home was copied, it turns out: the original is there too, and says so.
        network.connect(0, 1)
        network.settle()
        #expect(holders(network, 1, 1) == [former.engine.device, network.nodes[2].engine.device].sorted())
    }

    /// A replica that went apart: whoever holds the photos of one branch holds nothing of the other, though the numbers
    /// are the same. Once both branches are known, each laptop tells what it holds of each, without naming blobs.
    @Test func runsHoldOnTheirOwnBranch() throws {
        var network = TestNetwork()
        try network.add(TestSigning(1))
        try network.add(TestSigning(2))
        add(&network, 0, 1...1)
        let backup = network.nodes[0]
        network.connect(0, 1)
        network.settle()
        add(&network, 0, 2...4)
        network.pass(until: network.now + 60)
        let replica = try #require(network.nodes[0].engine.storing.own.id)
        // The laptop is restored from its backup, without noticing, and adds other photos under the same numbers.
        let record = try #require(network.nodes[0].engine.holdingsRecord(of: network.nodes[1].engine.device))
        let device = network.nodes[1].engine.device
        try network.add(
            TestSigning(1), journal: backup.journal, replica: replica, held: backup.engine.held,
            records: [device: record])
        add(&network, 2, 12...14)
        #expect(holders(network, 2, 1) == [device])
        for number in 12...14 as ClosedRange<UInt8> { #expect(holders(network, 2, number).isEmpty) }
        #expect(network.nodes[2].engine.copies(wall: network.nodes[2].wall).counts(of: [file(13).blob]).photos == [0])
        // Ben has branch A; he learns of branch B and pulls its photos, and then he counts for both.
        network.cut(0, 1)
        network.connect(2, 1)
        network.settle()
        network.pass(until: network.now + 120)
        #expect(network.nodes[1].engine.log.isForked(replica))
        for number in [1, 12, 13, 14] as [UInt8] { #expect(holders(network, 2, number) == [device]) }
        var engine = network.nodes[1].engine
        let presence = engine.presence.own.whole(engine.log)
        #expect(presence.others.isEmpty)
        #expect(presence.branches.count { $0.replica == replica } == 2)
    }

    /// A photo that was removed before somebody had pulled it is not there, although photos around it are: whoever has not
    /// heard of the removal must not count it, and neither must the trash.
    @Test func withdrawnAddsAreNotBridged() throws {
        var network = TestNetwork()
        for number in 1...3 as ClosedRange<UInt8> { try network.add(TestSigning(number)) }
        // Whoever never said anything has no key that is known, and signs in vain.
        network.feed(1, .contribute(token: 1, .deviceName("Ben")))
        network.settle()
        network.slowNode = 0
        network.connect(0, 2)
        network.settle()
        add(&network, 0, 1...3)
        network.cut(0, 2)
        let album = try #require(network.nodes[0].engine.catalog.albums.keys.first)
        network.feed(0, .contribute(token: 9, .photoWithdrawal(album, file(2).blob)))
        network.slowNode = nil
        network.settle()
        network.connect(0, 1)
        network.settle()
        let ben = network.nodes[1].engine.device
        #expect(network.nodes[1].engine.held == [file(1).blob, file(3).blob])
        // Cleo has the batches of before the removal, and hears of Ben by his summary alone.
        network.pass(until: network.now + 60)
        let summary = try #require(network.nodes[0].engine.holdings.summary(of: ben))
        let presence = try PresenceSummary(decoding: summary.statement.content)
        #expect(presence.presence.branches.map(\.runs.count) == [2])
        #expect(holders(network, 0, 2).isEmpty)
        #expect(holders(network, 0, 1) == [ben] && holders(network, 0, 3) == [ben])
    }

    /// Of a month ago nothing counts, also not once the device says hello: it has to say what it holds.
    @Test func aGreetingProvesNothing() throws {
        var network = try TestNetwork.pair()
        network.cut(0, 1)
        let (anna, ben) = (network.nodes[0].engine, network.nodes[1].engine.device)
        #expect(holders(network, 0, 1) == [ben])
        let position = try #require(anna.holdings.entries[ben]?.position)
        network.nodes[0].wall += 30 * 24 * 3600 * 1_000_000
        #expect(holders(network, 0, 1).isEmpty)
        #expect(!network.nodes[0].engine.copies(wall: network.nodes[0].wall).isHolder(ben, of: file(1).blob))
        #expect(network.nodes[0].engine.formerHolders(of: file(1).blob, wall: network.nodes[0].wall) == [ben])
        // Somebody with Ben's key connects and greets; the word about what is held is still on its way.
        let link = LinkID(number: 900)
        let (peer, address) = (AdmittedPeer(ben, provenUnder: nil), PeerAddress(host: "10.0.0.2", port: 1))
        network.feed(0, .connected(link, peer, address: address, key: nil))
        network.receive(
            .hello(
                Hello(
                    versions: WireLimits.protocolVersions, run: position.run, port: 1, foldLevel: UInt32(Catalog.level))
            ), at: 0,
            over: link)
        #expect(network.nodes[0].engine.connectedDevices == [ben])
        #expect(holders(network, 0, 1).isEmpty)
        // Nothing has changed, and he says so.
        network.receive(
            .presenceChanged(PresenceChange(held: [], lost: [], counter: position.counter)), at: 0, over: link)
        #expect(holders(network, 0, 1) == [ben])
        // When he leaves, his word is of that moment.
        network.feed(0, .disconnected(link))
        network.settle()
        network.nodes[0].wall += 6 * 24 * 3600 * 1_000_000
        #expect(holders(network, 0, 1) == [ben])
    }

    /// Who reconnects and has nothing new to tell says that.
    @Test func nothingNewIsSaid() throws {
        var network = try TestNetwork.pair()
        network.cut(0, 1)
        network.nodes[1].sent = []
        network.connect(0, 1)
        network.settle()
        let changes = network.nodes[1].sent.compactMap { message -> PresenceChange? in
            if case .presenceChanged(let change) = message { change } else { nil }
        }
        #expect(changes.contains { $0.held.isEmpty && $0.lost.isEmpty })
    }

    /// What was heard over a connection is known in the next run, after a crash and after a clean end.
    @Test func wordsSurviveRestarts() throws {
        var network = try TestNetwork.pair()
        let ben = network.nodes[1].engine.device
        // A clean end asks for all records.
        let clean = try #require(network.nodes[0].engine.holdingsRecord(of: ben))
        network.pass(until: network.now + EngineLimits().rememberInterval + 1)
        let crashed = try #require(network.nodes[0].records[ben])
        for record in [clean, crashed] {
            var next = TestNetwork()
            try next.add(
                TestSigning(1), journal: network.nodes[0].journal, held: network.nodes[0].engine.held,
                records: [ben: record])
            #expect(holders(next, 0, 1) == [ben])
        }
    }

    /// Who denied a photo and then sends a right piece of it has it, even if the request was taken back while the piece was
    /// written, as another laptop was faster.
    @Test(arguments: [false, true])
    func aRightPieceTakesBackADenial(isCancelled: Bool) throws {
        let journal = try TestNetwork.pair().nodes[0].journal.map { $0.signed }
        let blob = file(1).blob
        var peer = try PlayedPeer(log: journal)
        peer.connect()
        peer.receive(.presence(Presence(branches: [], others: [blob]), counter: 1))
        let number = try #require(peer.engine.pull.scheduler.requests.first { $0.value.blob == blob }).key
        peer.engine.presence.holdings.deny(peer.device, blob)
        #expect(peer.engine.holdingsRecord(of: peer.device)?.denied == [blob])
        if isCancelled { _ = peer.engine.pull.scheduler.cancelRequests(of: blob) }
        peer.feed(.pieceStored(PlayedPeer.link, number: number, .stored))
        #expect(peer.engine.holdingsRecord(of: peer.device)?.denied == [])
    }

    /// A loss is remembered at once: a crash must not bring the copy back.
    @Test func lossesAreRememberedAtOnce() throws {
        var network = try TestNetwork.pair()
        let ben = network.nodes[1].engine.device
        network.pass(until: network.now + EngineLimits().rememberInterval + 1)
        network.feed(1, .blobLost(file(1).blob))
        network.settle()
        let record = try #require(network.nodes[0].records[ben])
        #expect(record.lost == [file(1).blob] || record.presence.branches.isEmpty)
        var next = TestNetwork()
        try next.add(
            TestSigning(1), journal: network.nodes[0].journal, held: network.nodes[0].engine.held,
            records: [ben: record])
        #expect(holders(next, 0, 1).isEmpty)
    }

    /// Counting many photos at once says the same as asking for each: with forks, duplicates, losses, denials and words
    /// about single blobs.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func countsAgreeWithHolders(seed: UInt64) throws {
        var random = TestRandom(state: seed)
        var network = TestNetwork()
        for number in 1...5 as ClosedRange<UInt8> { try network.add(TestSigning(number)) }
        for step in 0..<60 {
            let node = Int.random(in: 0..<5, using: &random)
            let photo = UInt8.random(in: 1...40, using: &random)
            let album = Bool.random(using: &random) ? "Beach" : "Forest"
            switch Int.random(in: 0..<10, using: &random) {
            case 0...5:
                network.feed(node, .contribute(token: UInt64(step), .photo(albumName: album, file(photo))))
            case 6:
                if let id = network.nodes[node].engine.catalog.albums.keys.sorted().first {
                    network.feed(node, .contribute(token: UInt64(step), .photoRemoval(id, file(photo).blob)))
                }
            case 7: network.feed(node, .blobLost(file(photo).blob))
            case 8: network.connect(node, (node + 1) % 5)
            default: network.cut(node, (node + 1) % 5)
            }
            network.settle()
            if step % 20 == 7 { network.pass(until: network.now + 30) }
        }
        for node in network.nodes {
            let copies = node.engine.copies(wall: node.wall)
            let blobs = (1...40 as ClosedRange<UInt8>).map { file($0).blob }
            let (counts, devices) = copies.counts(of: blobs)
            #expect(counts == blobs.map { copies.holders(of: $0).count })
            for device in copies.devices {
                #expect(devices[device] == blobs.count { copies.holders(of: $0).contains(device) })
                #expect(blobs.allSatisfy { copies.isHolder(device, of: $0) == copies.holders(of: $0).contains(device) })
            }
        }
    }
}
