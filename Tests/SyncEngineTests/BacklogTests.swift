import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Batches that a peer lacks are found in the log when there is room for them, in an order in which they can be applied.
@Suite struct BacklogTests {
    private let limits = EngineLimits()
    private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

    /// A new laptop is sent 12,000 batches of three replicas, each once and after the one that it follows; none of them
    /// waits in a list.
    @Test func aNewLaptopIsSentEverythingOnce() throws {
        var peer = try PlayedPeer()
        var followed: [BatchID: BatchID] = [:]
        for number in 1...3 as ClosedRange<UInt64> {
            var replica = TestReplica(number)
            for index in 0..<4000 {
                let batch = replica.add(after: index == 0 ? nil : index - 1)
                followed[batch.id] = batch.batch.previous
                peer.engine.storing.log.insert(batch)
            }
        }
        peer.connect()
        #expect(peer.pages.count == limits.pageWindow)
        #expect(peer.engine.queueSizes.reconciliation.peerBacklog == 1)
        var came: Set<BatchID> = []
        while !peer.pages.isEmpty {
            for id in peer.acknowledge() {
                #expect(followed[id].map { came.contains($0) } ?? true)
                let isNew = came.insert(id).inserted
                #expect(isNew)
            }
        }
        #expect(came.count == 12_000)
        #expect(peer.engine.queueSizes.reconciliation.peerBacklog == 0)
        #expect(peer.sent.contains { if case .catalogDigest = $0 { true } else { false } })
    }

    /// More is stored than waits for a peer that does not acknowledge: once it has what was sent, vectors are compared,
    /// and it gets the rest.
    @Test func whatDoesNotWaitIsFoundAgain() throws {
        var log = BatchLog()
        var session = PeerSession(
            device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!, dialled: false, limits: limits, now: start)
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 9, foldLevel: 1)
        for message in [Message.hello(hello), .vector(VersionVector())] {
            _ = session.received(message, log: log, own: nil, now: start)
        }
        var replica = TestReplica(1)
        for index in 0..<limits.pushedBatchCountMax + 500 {
            log.insert(replica.add(after: index == 0 ? nil : index - 1))
        }
        var directives = session.push(replica.batches, replicas: [replica.id], log: log)
        #expect(session.backlogCount <= limits.pushedBatchCountMax)
        var came: [BatchID] = []
        var vectorCount = 0
        while let directive = directives.first {
            directives.removeFirst()
            switch directive {
            case .sendPage(let ids, let page):
                came += ids
                directives += session.received(.acknowledged(page: page), log: log, own: nil, now: start)
            case .send(.vector):
                vectorCount += 1
                let batch = try #require(replica.batches.first { $0.id == came.last })
                let reply = Message.vectorReply([replica.id: [batch.end]])
                directives += session.received(reply, log: log, own: nil, now: start)
            default: break
            }
        }
        #expect(came == replica.batches.map(\.id))
        #expect(vectorCount == 1)
    }

    /// What is under way is not sent again when the peer tells what it knows, and nothing overtakes what it follows.
    @Test func aVectorAmidstPagesRepeatsNothing() {
        var log = BatchLog()
        var replica = TestReplica(1)
        for index in 0..<20_000 { log.insert(replica.add(after: index == 0 ? nil : index - 1)) }
        var backlog = PeerBacklog(limits: limits)
        backlog.replace(by: BatchCursor([:], isWhole: true, log: log))
        var came: [BatchID] = []
        var pages: [UInt64] = []
        while let page = backlog.nextPage(log) {
            came += page.ids
            pages.append(page.page)
        }
        // It had stored the first page when it told its vector, and says so before.
        let first = pages.removeFirst()
        _ = backlog.acknowledge(first)
        let known = replica.batches[1000]
        let heads = [replica.id: [known.end]]
        backlog.replace(by: BatchCursor(heads, isWhole: true, log: log))
        var again: [BatchID] = []
        while !backlog.isDrained {
            while let page = backlog.nextPage(log) {
                again += page.ids
                pages.append(page.page)
            }
            let page = pages.removeFirst()
            let isSent = backlog.acknowledge(page)
            #expect(isSent)
        }
        let underWay = Set(came)
        #expect(Set(again).intersection(underWay).isSubset(of: came.prefix(2048)))
        #expect(underWay.union(again).count == 20_000)
        let places = Dictionary(uniqueKeysWithValues: replica.batches.enumerated().map { ($1.id, $0) })
        #expect(zip(again, again.dropFirst()).allSatisfy { places[$0]! < places[$1]! })
    }

    /// Points of more forked replicas than are remembered are asked for again.
    @Test func samplesAreBounded() {
        let log = BatchLog()
        var backlog = PeerBacklog(limits: limits)
        let replica = ReplicaID(bytes: [UInt8](repeating: 1, count: 16))!
        for _ in 0..<limits.samplesPerPeerMax {
            let isTaken = backlog.append(following: BatchCursor(following: [], of: replica, log: log))
            #expect(isTaken)
        }
        #expect(!backlog.isCut)
        let isTaken = backlog.append(following: BatchCursor(following: [], of: replica, log: log))
        #expect(!isTaken && backlog.isCut && backlog.waitingCount == limits.samplesPerPeerMax)
    }

    /// Replicas that go apart at random places, of which a peer has a random part: it is sent what it lacks, no more and no
    /// less, and each batch after the one that it follows.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func cursorsFindWhatIsLacking(seed: UInt64) {
        var random = TestRandom(state: seed)
        var (ours, theirs) = (BatchLog(), BatchLog())
        var lacking: Set<BatchID> = []
        var previous: [BatchID: BatchID] = [:]
        for number in 1...3 as ClosedRange<UInt64> {
            var replica = TestReplica(number)
            var known: Set<Int> = []
            for index in 0..<60 {
                let isFork = Int.random(in: 0..<4, using: &random) == 0
                let place = index == 0 ? nil : isFork ? Int.random(in: 0..<index, using: &random) : index - 1
                let batch = replica.add(after: place)
                previous[batch.id] = batch.batch.previous
                ours.insert(batch)
                let isKnown = place.map { known.contains($0) } ?? true
                if isKnown, Int.random(in: 0..<12, using: &random) > 0 {
                    theirs.insert(batch)
                    known.insert(index)
                } else {
                    lacking.insert(batch.id)
                }
            }
        }
        let heads = theirs.vector.heads
        #expect(ours.compare(with: heads, isWhole: true).isLacking == !lacking.isEmpty)
        var cursor = BatchCursor(heads, isWhole: true, log: ours)
        var found: Set<BatchID> = []
        while let reference = cursor.next(ours) {
            #expect(previous[reference.id].map { theirs.contains($0) || found.contains($0) } ?? true)
            let isNew = found.insert(reference.id).inserted
            #expect(isNew)
        }
        #expect(found == lacking)
        // In points of the peer's chains there may be some that are not known here.
        for replica in ours.replicas {
            let points = theirs.sample(of: replica) + [Head(sequence: 3, branch: 3)]
            var cursor = BatchCursor(following: points, of: replica, log: ours)
            var following: Set<BatchID> = []
            while let reference = cursor.next(ours) { following.insert(reference.id) }
            let lackingHere = lacking.filter { ours.chains[replica]?.indexOfBatch[$0] != nil }
            #expect(lackingHere.isSubset(of: following))
        }
    }

    /// A line is the way back from a head, whatever went apart beside it.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func linesLeadBackFromTheirHeads(seed: UInt64) throws {
        var random = TestRandom(state: seed)
        var log = BatchLog()
        var replica = TestReplica(1)
        var parents: [Int?] = []
        for index in 0..<80 {
            let isFork = Int.random(in: 0..<5, using: &random) == 0
            let place = index == 0 ? nil : isFork ? Int.random(in: 0..<index, using: &random) : index - 1
            parents.append(place)
            log.insert(replica.add(after: place, changeCount: Int.random(in: 1...4, using: &random)))
        }
        for (index, batch) in replica.batches.enumerated() {
            var way: Set<Int> = []
            var place: Int? = index
            while let next = place {
                way.insert(next)
                place = parents[next]
            }
            let line = try #require(log.line(to: batch.end, of: replica.id))
            for (other, passed) in replica.batches.enumerated() {
                for sequence in passed.batch.firstSequence...passed.batch.lastSequence {
                    #expect(line.contains(sequence, passed.id.prefix) == way.contains(other))
                }
            }
        }
    }

    /// A replica that goes apart without end: what is told of it fits into a message, and so do points of its chains.
    @Test func endlessBranchesFitIntoMessages() {
        var log = BatchLog()
        for number in 1...40 as ClosedRange<UInt64> {
            var replica = TestReplica(number)
            for index in 0..<100 { log.insert(replica.add(after: index == 0 ? nil : 0)) }
            #expect(log.sample(of: replica.id).count == WireLimits.samplePointCountMax)
        }
        #expect(log.vector.told.heads.values.allSatisfy { $0.count == WireLimits.headCountMax })
        let heads = (1...64).map { Head(sequence: .max - $0, branch: .max) }
        var many: [ReplicaID: [Head]] = [:]
        for number in 0..<4000 as Range<UInt64> { many[TestReplica(number).id] = heads }
        let told = VersionVector(heads: many).told
        #expect(told.heads.count == 4000)
        #expect(told.heads.values.allSatisfy { $0.last == heads.max() })
        #expect(Message.vector(told).encoded().count <= WireLimits.messageByteCountMax)
    }
}
