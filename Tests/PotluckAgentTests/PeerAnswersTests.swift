import AlbumModel
import Dispatch
import Glibc
import Logging
import NIOCore
import NIOPosix
import PeerTransport
import PhotoStore
import SyncEngine
import Synchronization
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent

/// What a peer asks for waits at its end, not here, however much it is; and all of it is answered.
@Suite(.timeLimit(.minutes(2)))
struct PeerAnswersTests {
    private func blob(_ number: Int) -> BlobID {
        BlobID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 0, count: 24))!
    }

    /// A list is asked for once, however often, and lists beyond a peer's open blobs keep its reader waiting.
    @Test func listsAreBounded() {
        let limits = EngineLimits()
        var answers = PeerAnswers(limits: limits)
        let starts = (0..<10_000).map { _ in answers.add(PieceListQuestion(blob: blob(0), fitting: [])) }
        #expect(starts.count { $0 } == 1 && starts[0])
        #expect(answers.lists.count == 1 && !answers.isFull)
        var count = 1
        while !answers.isFull, count < 100_000 {
            _ = answers.add(PieceListQuestion(blob: blob(count), fitting: []))
            count += 1
        }
        #expect(count == limits.openBlobCountMax)
        let first = answers.takeList()
        #expect(first?.blob == blob(0) && !answers.isFull)
        while answers.takeList() != nil {}
        let mustBegin = answers.add(PieceListQuestion(blob: blob(0), fitting: []))
        #expect(mustBegin)
    }

    /// So do pieces beyond what a peer asks for at once.
    @Test func piecesAreBounded() {
        let limits = EngineLimits()
        var answers = PeerAnswers(limits: limits)
        for _ in 0..<limits.requestsPerLinkMax {
            #expect(!answers.isFull)
            answers.beginPiece()
        }
        #expect(answers.isFull)
        answers.finishPiece()
        #expect(!answers.isFull)
    }

    /// A member asks 20,000 times for the lists of 400 photos while no thread is free to read them: no more wait than
    /// a peer may have open, and what one look at its messages brought. Then all are answered, and it is not cut off.
    @Test(.slow) func floodOfListRequestsWaitsAtItsSender() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { running in
                var blobs: [BlobID] = []
                for number in 0..<400 {
                    let key = try await running.add(Array("photo \(number)".utf8), name: "\(number).jpg", to: "Flood")
                    blobs.append(key.blob)
                }
                try await withPeer(of: running) { [blobs] peer in
                    let gate = PoolGate(running.parts.servingPool)
                    defer { gate.open() }
                    peer.send(blobs.map { Message.pieceListRequest($0).encoded() })
                    try await untilFull(running)
                    for _ in 1..<50 { peer.send(blobs.map { Message.pieceListRequest($0).encoded() }) }
                    peer.send(Message.ping(4_711).encoded())
                    gate.open()
                    #expect(try await answered(to: peer, blobs.count, running) == Set(blobs))
                    #expect(peer.closeReason == nil)
                }
            }
        }
    }

    /// A laptop that receives much serves all the same: with all threads busy that write what comes, a piece is read.
    @Test func piecesAreServedWhileOthersAreWritten() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { running in
                let bytes = Array("a photo".utf8)
                let key = try await running.add(bytes, name: "1.jpg", to: "Album")
                try await withPeer(of: running) { peer in
                    let gate = PoolGate(running.parts.blobPool)
                    defer { gate.open() }
                    peer.expect(number: 1, byteCount: bytes.count)
                    let request = PieceRequest(
                        number: 1, blob: key.blob, piece: 0, byteCount: bytes.count, blobClass: .original)
                    peer.send(Message.request(request).encoded())
                    #expect(await piece(1, from: peer) == bytes)
                }
            }
        }
    }

    /// A list that cannot be read now is answered by nothing, so that the peer asks again or elsewhere; that a photo is not
    /// here it is told where that is so, and only there.
    @Test func errorsAreNotToldAsAbsence() async throws {
        try await RunningAgent.withHome { path in
            let bytes = [UInt8](repeating: 7, count: Int(Pieces.byteCount) + 1)
            try await RunningAgent.run(path) { running in
                // Taken in without a list, which then has to be read from the file.
                _ = try running.parts.blobs.ingest(bytes: bytes)
                _ = try running.parts.blobs.ingest(bytes: [1])
            }
            try await RunningAgent.run(path) { running in
                let held = running.parts.blobs.held()
                let long = try #require(held.first { $0.value > 1 }).key
                let short = try #require(held.first { $0.value == 1 }).key
                let file = BlobStore.path(of: long, home: path)
                try #require(rename(file, path + "/away") == 0)
                // A process's own memory cannot be read at its beginning, by root neither.
                try #require(symlink("/proc/self/mem", file) == 0)
                try await withPeer(of: running) { peer in
                    peer.send([long, short].map { Message.pieceListRequest($0).encoded() })
                    peer.send(Message.ping(4_711).encoded())
                    let answers = try await answered(to: peer, 1, running)
                    #expect(answers == [short])
                    #expect(running.parts.blobs.contains(long))
                }
                try #require(unlink(file) == 0)
                try await withPeer(of: running) { peer in
                    peer.send(Message.pieceListRequest(long).encoded())
                    peer.send(Message.ping(4_711).encoded())
                    let answers = try await answered(to: peer, 1, running)
                    #expect(answers == [long])
                }
            }
        }
    }

    /// A photo's file cannot be read for a peer: the peer is told that this passes, and a person here that it is so, until it
    /// can be read. Catches an error that nobody hears of until the weekly look, and one that is told of until then.
    @Test func whatCannotBeReadIsLookedAt() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { running in
                let bytes = Array("a photo".utf8)
                let key = try await running.add(bytes, name: "1.jpg", to: "Album")
                let file = running.parts.blobs.path(of: key.blob)
                try #require(rename(file, path + "/away") == 0)
                try #require(symlink("/proc/self/mem", file) == 0)
                let home = AgentsHome(
                    path: path, services: running.services, signing: running.home.membership.signing, folderRoot: nil)
                let service = FailedReadService(
                    reads: running.services.failedReads, upkeep: Upkeep(home: home, pool: running.parts.blobPool),
                    problems: running.services.problems, logger: running.parts.logger, firstWait: .milliseconds(20))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await service.lookAtAll() }
                    defer { group.cancelAll() }
                    try await withPeer(of: running) { peer in
                        let request = PieceRequest(
                            number: 1, blob: key.blob, piece: 0, byteCount: bytes.count, blobClass: .original)
                        peer.send(Message.request(request).encoded())
                        let isPassing = try await refusal(1, from: peer)
                        #expect(isPassing == true)
                        let problems = running.services.problems
                        try await eventually("a person is told", within: .seconds(10)) {
                            .when(problems.all.contains { $0.hasPrefix("1.jpg cannot be read.") }, "\(problems.all)")
                        }
                        // It is the only copy that anybody knows of.
                        #expect(running.parts.blobs.contains(key.blob))
                        try #require(unlink(file) == 0)
                        try #require(rename(path + "/away", file) == 0)
                        try await eventually("it is over", within: .seconds(10)) {
                            .when(problems.all.isEmpty, "\(problems.all)")
                        }
                    }
                }
            }
        }
    }

    /// Long messages are read one after the other, however many come at one time.
    @Test func longMessagesAreReadOneAtATime() async {
        let meeting = Meeting()
        let longMessages = LongMessages { bytes in
            meeting.attend(bytes.count)
            return .unknown
        }
        await withTaskGroup(of: Void.self) { group in
            for bytes in [[1], [1, 2], [1, 2, 3]] as [[UInt8]] {
                group.addTask { _ = await longMessages.message(bytes) }
            }
        }
        #expect(meeting.attendances.sorted() == [1, 2, 3] && meeting.insideCountMax == 1)
    }

    /// Of two members that send a short message and a long one at the same time, one long one is read at a time: that is
    /// one of 64 KiB and more.
    @Test func longMessagesOfAllPeersWaitForEachOther() async throws {
        let meeting = Meeting()
        let longMessages = LongMessages { bytes in
            meeting.attend(bytes.count)
            return try Message(decoding: bytes)
        }
        let long = Self.message(byteCount: LongMessages.byteCountMin)
        let short = Self.message(byteCount: LongMessages.byteCountMin - 1)
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path, longMessages: longMessages) { running in
                try await withPeer(of: running) { anna in
                    try await withPeer(of: running) { ben in
                        for peer in [anna, ben] { peer.send([short, long, Message.ping(4_711).encoded()]) }
                        for peer in [anna, ben] {
                            _ = try await answered(to: peer, 0, running)
                            #expect(peer.closeReason == nil)
                        }
                    }
                }
            }
        }
        #expect(meeting.attendances == [long.count, long.count] && meeting.insideCountMax == 1)
    }

    /// A message of exactly so many bytes, without effect.
    private static func message(byteCount: Int) -> [UInt8] {
        func message(_ contentByteCount: Int) -> [UInt8] {
            let content = [UInt8](repeating: 0, count: contentByteCount)
            return Message.addresses([SignedStatement(content: content, signature: [])]).encoded()
        }
        let overhead = message(60_000).count - 60_000
        return message(byteCount - overhead)
    }

    /// The bytes that the peer was sent under this number; `nil` where its connection ends before.
    private func piece(_ number: UInt32, from peer: PeerConnection) async -> [UInt8]? {
        for await event in peer.events {
            if case .piece(number, let buffer) = event { return buffer.withUnsafeBytes { Array($0) } }
        }
        return nil
    }

    /// Whether the peer was told that this answer is refused only for now; `nil` where its connection ends before.
    private func refusal(_ number: UInt32, from peer: PeerConnection) async throws -> Bool? {
        for await event in peer.events {
            guard case .message(let bytes) = event else { continue }
            if case .refused(number, let isPassing) = try Message(decoding: bytes) { return isPassing }
        }
        return nil
    }

    /// The blobs whose lists the peer was sent, once there are so many and its ping was answered.
    private func answered(to peer: PeerConnection, _ count: Int, _ running: RunningAgent) async throws -> Set<BlobID> {
        var answered: Set<BlobID> = []
        var isOver = false
        for await event in peer.events {
            guard case .message(let bytes) = event else { continue }
            switch try Message(decoding: bytes) {
            case .ping(let number): peer.send(Message.pong(number).encoded())
            case .pieceList(let blob, _): answered.insert(blob)
            case .pong(4_711): isOver = true
            default: break
            }
            try await expectBounded(running)
            if isOver, answered.count == count { break }
        }
        return answered
    }

    private func answers(_ running: RunningAgent) -> [PeerAnswers] {
        running.services.network.state.withLock { $0.links.values.map(\.answers) }
    }

    private func expectBounded(_ running: RunningAgent) async throws {
        for answers in answers(running) {
            #expect(answers.lists.count <= EngineLimits().openBlobCountMax + 64)
        }
    }

    private func untilFull(_ running: RunningAgent) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !answers(running).contains(where: \.isFull) {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
        try await expectBounded(running)
    }

    /// A member that is connected to the services and has greeted it.
    private func withPeer(
        of running: RunningAgent, _ body: @Sendable (PeerConnection) async throws -> Void
    ) async throws {
        var limits = TransportLimits()
        limits.controlByteCountMax = 64 << 20
        let transport = try PeerTransport(
            identity: DeviceIdentity(), standing: running.home.standing, knownDevices: { _ in false },
            limits: limits, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, blockingPool: .singleton,
            logger: Logger(label: "test"))
        do {
            let port = try await running.parts.transport.listen(host: "127.0.0.1", port: 0)
            let peer = try await transport.dial([PeerAddress(host: "127.0.0.1", port: port)], expecting: nil)
            var inbound = running.parts.transport.inbound.makeAsyncIterator()
            let connection = try #require(await inbound.next(isolation: nil))
            await running.services.network.connected(connection, key: nil)
            peer.send(
                Message.hello(
                    Hello(
                        versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 0,
                        foldLevel: 1)
                ).encoded())
            try await body(peer)
        } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
    }
}

/// Notices whether several come at one time: who is alone waits a little for another.
private final class Meeting: Sendable {
    private struct State {
        var attendances: [Int] = []
        var insideCount = 0
        var insideCountMax = 0
    }

    private let state = Mutex(State())
    private let company = DispatchSemaphore(value: 0)

    /// What those who came said, in their order.
    var attendances: [Int] { state.withLock { $0.attendances } }
    var insideCountMax: Int { state.withLock { $0.insideCountMax } }

    func attend(_ name: Int) {
        let isAlone = state.withLock { state in
            state.attendances.append(name)
            state.insideCount += 1
            state.insideCountMax = max(state.insideCountMax, state.insideCount)
            return state.insideCount == 1
        }
        if isAlone { _ = company.wait(timeout: .now() + .milliseconds(100)) } else { company.signal() }
        state.withLock { $0.insideCount -= 1 }
    }
}

/// Keeps all threads of a pool busy until it is opened.
private final class PoolGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let threadCount = 16

    init(_ pool: NIOThreadPool) {
        let semaphore = semaphore
        for _ in 0..<threadCount {
            pool.submit { _ in
                semaphore.wait()
                semaphore.signal()
            }
        }
    }

    deinit { open() }

    func open() { semaphore.signal() }
}
