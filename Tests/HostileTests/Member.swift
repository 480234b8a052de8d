import AlbumModel
import Synchronization
import TestSupport
import WireFormat

/// A connection to an agent as a member of the gathering has it: admitted and greeted. It answers what a member answers,
/// and sends whatever it is told to.
final class Member: Sendable {
    /// How it answers.
    struct Manners: Sendable {
        /// Whether it says that pages have come.
        var acknowledges = true
        /// Whether it looks at the batches that come.
        var learns = false
        /// Photos that it has.
        var blobs: [BlobID: [UInt8]] = [:]
        var answer = Answer.right
    }

    enum Answer: CaseIterable, Sendable {
        case right
        case wrongBytes
        case refusal
        case silence
    }

    private struct State: Sendable {
        /// Numbers of pages that were sent and not acknowledged.
        var pages: Set<UInt64> = []
        var pageCount: UInt64 = 0
        var pingCount: UInt64 = 0
        var pongNumber: UInt64 = 0
        var vectorReply: [ReplicaID: [Head]]?
        var pieceByteCount = 0
        /// The last change of each replica that it learnt of.
        var replicas: [ReplicaID: UInt64] = [:]
        /// Messages of each kind, by their first byte.
        var counts: [UInt8: Int] = [:]
    }

    let raw: RawConnection
    private let manners: Mutex<Manners>
    private let state = Mutex(State())

    private init(raw: RawConnection, manners: Manners) {
        self.raw = raw
        self.manners = Mutex(manners)
    }

    /// - Parameter isGreeting: it says hello, as every member does first.
    static func connect(
        to laptop: Laptop, as credentials: Credentials? = nil, from source: String = "127.0.0.1",
        manners: Manners = Manners(), isGreeting: Bool = true
    ) async throws -> Member {
        let credentials = try credentials ?? Credentials()
        let raw = try await RawConnection.open(to: laptop, from: source, as: credentials)
        do {
            try await raw.admit(credentials)
        } catch {
            raw.close()
            throw error
        }
        let member = Member(raw: raw, manners: manners)
        if isGreeting { member.send(.hello(Self.hello())) }
        // It ends with the connection.
        Task { await member.receive() }
        return member
    }

    private static func hello() -> Hello {
        Hello(
            versions: WireLimits.protocolVersions, run: randomBytes(16), port: 0, foldLevel: UInt32(Catalog.level),
            takesDifferences: true)
    }

    func close() { raw.close() }

    func send(_ message: Message) { raw.send(RawConnection.frames(ofMessage: message.encoded())) }

    // MARK: What it asks for

    /// How long the agent takes to answer.
    func ping() async throws -> Duration {
        let number = state.withLock { state in
            state.pingCount += 1
            return state.pingCount
        }
        let begin = ContinuousClock.now
        send(.ping(number))
        while state.withLock({ $0.pongNumber }) < number {
            guard raw.isOpen else { throw TestFailure("the agent cut off a member that only pings") }
            guard .now - begin < .seconds(30) else { throw TestFailure("a ping is not answered within 30 s") }
            try await Task.sleep(for: .milliseconds(2))
        }
        return .now - begin
    }

    /// Brings signed batches, and returns once the agent has them for good.
    func push(_ batches: [SignedBatch], within limit: Duration = .seconds(60)) async throws {
        var rest = batches[...]
        while !rest.isEmpty {
            var byteCount = 0
            let page = rest.prefix { batch in
                byteCount += batch.content.count
                return byteCount <= WireLimits.pageByteCountMax
            }.prefix(WireLimits.pageBatchCountMax)
            rest = rest.dropFirst(page.count)
            try await awaitPages(fewerThan: Self.pageWindow, within: limit)
            sendPage(Array(page))
        }
        try await awaitPages(fewerThan: 1, within: limit)
    }

    /// Pages that a member may have on their way.
    private static let pageWindow = 4

    /// One page, whatever is on its way.
    func sendPage(_ batches: [SignedBatch]) {
        let number = state.withLock { state in
            state.pageCount += 1
            state.pages.insert(state.pageCount)
            return state.pageCount
        }
        send(.batches(BatchPage(batches: batches, page: number)))
    }

    private func awaitPages(fewerThan count: Int, within limit: Duration) async throws {
        try await eventually("the agent takes pages", within: limit) {
            guard raw.isOpen else { throw TestFailure("the agent cut off whoever brings well-formed batches") }
            let waiting = state.withLock { $0.pages.count }
            return .when(waiting < count, "\(waiting) are not acknowledged")
        }
    }

    /// Whether the agent knows this end of a replica; asked once, since it answers with all that this side lacks.
    func isKnown(_ head: Head, of replica: ReplicaID) async throws -> Bool {
        state.withLock { $0.vectorReply = nil }
        send(.vector(VersionVector(heads: [replica: [head]])))
        let reply = try await eventually("the agent answers a vector") { () -> Attempt<[ReplicaID: [Head]]> in
            guard raw.isOpen else { throw TestFailure("the agent cut off a member that asks") }
            return state.withLock { $0.vectorReply }.map { .done($0) } ?? .notYet("no answer")
        }
        return reply[replica] == nil
    }

    // MARK: What came

    var replicas: [ReplicaID: UInt64] { state.withLock { $0.replicas } }

    /// Bytes of pieces that it asked for.
    var pieceByteCount: Int { state.withLock { $0.pieceByteCount } }

    /// Messages of a kind, by its number in the schema, below 16.
    func count(ofKind number: UInt8) -> Int { state.withLock { $0.counts[number << 3 | 2] ?? 0 } }

    private func receive() async {
        var message: [UInt8] = []
        for await frame in raw.frames {
            switch frame.kind {
            case 1: message += frame.payload
            case 2:
                take(message.isEmpty ? frame.payload : message + frame.payload)
                message = []
            default: state.withLock { $0.pieceByteCount += max(0, frame.payload.count - 8) }
            }
        }
    }

    /// First bytes of the messages that are looked at: this side is built without optimisation.
    private static let heeded: Set<UInt8> = [
        3 << 3 | 2, 7 << 3 | 2, 12 << 3 | 2, 13 << 3 | 2, 15 << 3 | 2,
        // The tag of number 16 takes two bytes.
        0x82,
    ]

    private func take(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        state.withLock { $0.counts[first, default: 0] += 1 }
        // An agent sends nothing that cannot be read; if it does, what is waited for does not come.
        guard Self.heeded.contains(first), let message = try? Message(decoding: bytes) else { return }
        switch message {
        case .batches(let page):
            if manners.withLock({ $0.learns }) { learn(page) }
            if page.page != 0, manners.withLock({ $0.acknowledges }) { send(.acknowledged(page: page.page)) }
        case .request(let request): answer(request)
        case .ping(let number): send(.pong(number))
        case .pong(let number): state.withLock { $0.pongNumber = max($0.pongNumber, number) }
        case .acknowledged(let page): state.withLock { _ = $0.pages.remove(page) }
        case .vectorReply(let entries): state.withLock { $0.vectorReply = entries }
        default: break
        }
    }

    private func learn(_ page: BatchPage) {
        // What an agent sends can be read.
        for batch in page.batches.compactMap({ try? Batch(decoding: $0.content) }) {
            state.withLock { $0.replicas[batch.replica] = max($0.replicas[batch.replica] ?? 0, batch.lastSequence) }
        }
    }

    /// Says that it has one more photo.
    func hold(_ bytes: [UInt8]) {
        let blobs = manners.withLock { manners in
            manners.blobs[blobID(bytes)] = bytes
            return Set(manners.blobs.keys)
        }
        send(.presence(Presence(others: blobs), counter: UInt64(blobs.count)))
    }

    private func answer(_ request: PieceRequest) {
        let manners = manners.withLock { $0 }
        guard var bytes = manners.blobs[request.blob], manners.answer != .refusal else {
            return send(.refused(number: request.number, isPassing: false))
        }
        guard manners.answer != .silence else { return }
        if manners.answer == .wrongBytes { bytes = bytes.map { ~$0 } }
        let start = request.piece * Int(Pieces.byteCount)
        guard start < bytes.count else { return send(.refused(number: request.number, isPassing: false)) }
        let piece = bytes[start..<min(start + request.byteCount, bytes.count)]
        for offset in stride(from: 0, to: piece.count, by: 32 << 10) {
            let part = piece.dropFirst(offset).prefix(32 << 10)
            let head = BigEndian.bytes(request.number) + BigEndian.bytes(UInt32(offset))
            raw.send(RawConnection.frame(3, head + part))
        }
    }
}
