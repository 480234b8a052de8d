import AlbumModel
import LANDiscovery
import Logging
import PeerTransport
import PhotoStore
import SyncEngine
import Synchronization
import WireFormat

/// The connections: what the engine sends over them, what comes over them, and dials.
///
/// What the engine directs is done on the host's actor, in its order; messages that one input gave rise to leave together.
final class NetworkService: Sendable {
    /// Batches to be read and sent; of one connection they keep their order.
    struct PageOrder: Sendable {
        var batches: [BatchID]
        var lists: [BlobID]
        var page: UInt64
    }

    struct Link {
        var connection: PeerConnection
        /// What had arrived on it at the last look.
        var receivedByteCount: UInt64 = 0
        /// What had left over it, as far as it was taken note of.
        var sentByteCount: UInt64 = 0
        var pages: AsyncStream<PageOrder>.Continuation
        var answers = PeerAnswers()
    }

    /// The dial of a key; the number tells it from one that was given up and has not ended yet.
    struct DialUnderWay {
        var number: UInt64
        /// Ending it gives the dial up.
        var cancellation: AsyncStream<Never>.Continuation
    }

    struct State {
        var links: [LinkID: Link] = [:]
        var nextLink: UInt64 = 1
        var nextDial: UInt64 = 1
        /// Messages that the input at hand, or several that came at one time, gave rise to.
        var gathered: [LinkID: [[UInt8]]] = [:]
        /// Pieces that were asked for, by their numbers.
        var expected: [UInt32: (link: LinkID, request: PieceRequest, isWhole: Bool)] = [:]
        /// Dials that are under way.
        var dials: [SyncEngine.PeerKey: DialUnderWay] = [:]
    }

    let host: EngineHost
    let parts: AgentParts
    let jobs: JobQueue
    let problems: Problems
    let peers: KnownPeers
    private let staging: StagingService
    private let transfers: TransferService
    let admissions: AdmissionService
    let failedReads: FailedReads
    /// Of all connections.
    let longMessages: LongMessages
    let state = Mutex(State())

    init(
        host: EngineHost, parts: AgentParts, jobs: JobQueue, problems: Problems, peers: KnownPeers,
        staging: StagingService, transfers: TransferService, admissions: AdmissionService, failedReads: FailedReads,
        longMessages: LongMessages
    ) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.problems = problems
        self.peers = peers
        self.staging = staging
        self.transfers = transfers
        self.admissions = admissions
        self.failedReads = failedReads
        self.longMessages = longMessages
    }

    func connection(_ link: LinkID) -> PeerConnection? { state.withLock { $0.links[link]?.connection } }

    // MARK: Links

    /// A connection was admitted; `key` is that of the dial that led to it.
    func connected(_ connection: PeerConnection, key: SyncEngine.PeerKey?) async {
        await connected(connection, key, on: host)
    }

    private func connected(
        _ connection: PeerConnection, _ key: SyncEngine.PeerKey?, on host: isolated EngineHost
    ) {
        guard !host.isStopping else { return connection.close("this laptop's agent stops") }
        let peer = AdmittedPeer(connection.device, provenUnder: connection.epoch)
        switch connection.purpose {
        case .link: link(connection, peer, key, on: host)
        case .catchUp:
            jobs.add { [admissions] in await admissions.catchUp(over: connection, with: peer, key: key) }
        }
    }

    private func link(
        _ connection: PeerConnection, _ peer: AdmittedPeer, _ key: SyncEngine.PeerKey?, on host: isolated EngineHost
    ) {
        // The engine keeps at most a window of pages waiting.
        let (pages, source) = AsyncStream.makeStream(of: PageOrder.self, bufferingPolicy: .unbounded)
        let link = state.withLock { state in
            let link = LinkID(number: state.nextLink)
            state.nextLink += 1
            state.links[link] = Link(connection: connection, pages: source)
            return link
        }
        jobs.add { await self.follow(link, connection, pages) }
        host.feed(.connected(link, peer, address: connection.remoteAddress, key: key))
    }

    func ended(_ link: LinkID, on host: isolated EngineHost) {
        let pages = state.withLock { state in
            state.expected = state.expected.filter { $0.value.link != link }
            return state.links.removeValue(forKey: link)?.pages
        }
        pages?.finish()
        host.feed(.disconnected(link))
    }

    /// The agent stops: says goodbye to all peers.
    ///
    /// - Parameter devices: Those that are connected as far as the engine knows.
    func close(_ devices: Set<DeviceID>) {
        let connections = state.withLock { $0.links.values.map(\.connection) }
        for connection in connections { connection.close("this laptop's agent stops") }
        for device in devices { saw(device) }
    }

    /// The device is connected at this moment, or was until now.
    func saw(_ device: DeviceID) { peers.saw(device, at: parts.clock.wall) }

    func close(_ link: LinkID, _ reason: CloseReason) {
        sendGathered(link)
        // Nobody hears a goodbye of a connection that died.
        if reason == .silent {
            connection(link)?.drop("\(reason)")
        } else {
            connection(link)?.close("\(reason)")
        }
    }

    // MARK: Messages

    func send(_ message: Message, _ link: LinkID) {
        let bytes = message.encoded()
        guard bytes.count <= WireLimits.messageByteCountMax else {
            connection(link)?.close("a message became too long")
            return
        }
        parts.logger.trace("sent", message, byteCount: bytes.count, link)
        gather(bytes, link)
    }

    private func gather(_ bytes: [UInt8], _ link: LinkID) {
        state.withLock { $0.gathered[link, default: []].append(bytes) }
    }

    /// All directives of an input are performed: what they gathered leaves.
    func sendGathered() {
        for link in state.withLock({ Array($0.gathered.keys) }) { sendGathered(link) }
    }

    private func sendGathered(_ link: LinkID) {
        let (messages, connection) = state.withLock { state in
            (state.gathered.removeValue(forKey: link), state.links[link]?.connection)
        }
        if let messages { connection?.send(messages) }
    }

    func sendPage(_ order: PageOrder, _ link: LinkID) {
        state.withLock { $0.links[link]?.pages }?.yield(order)
    }

    func sendPieceList(_ question: PieceListQuestion, _ link: LinkID) {
        let isFirst = state.withLock { $0.links[link]?.answers.add(question) }
        if isFirst == true { jobs.add { await self.sendPieceLists(link) } }
    }

    func request(_ request: PieceRequest, isWhole: Bool, _ link: LinkID) {
        let connection = state.withLock { state in
            state.expected[request.number] = (link, request, isWhole)
            return state.links[link]?.connection
        }
        connection?.expect(number: request.number, byteCount: request.byteCount)
        parts.logger.trace(request, of: connection?.device)
        gather(Message.request(request).encoded(), link)
    }

    func cancel(_ number: UInt32, _ link: LinkID) {
        let connection = state.withLock { state in
            state.expected[number] = nil
            return state.links[link]?.connection
        }
        connection?.forget(number: number)
        gather(Message.cancelled(number: number).encoded(), link)
    }

    /// Of what a peer waits for, the newest photo goes first: it may have asked for others long before.
    ///
    /// - Parameters:
    ///   - partial: the blob's open file in staging, where the piece is of one that is being received.
    ///   - precedence: answers of more go before those of less.
    func serve(_ request: PieceRequest, from partial: PartialBlob?, precedence: UInt64, _ link: LinkID) {
        state.withLock { $0.links[link]?.answers.beginPiece() }
        jobs.add {
            await self.serve(link, request, from: partial, precedence: precedence)
            self.answered(link)
        }
    }

    func cancelServe(_ number: UInt32, _ link: LinkID) { connection(link)?.cancelServe(number: number) }

    /// Of what the peer asked for, originals of less precedence wait.
    func yield(to precedence: UInt64, _ link: LinkID) { connection(link)?.yield(to: precedence) }

    // MARK: What comes

    /// Something that came over a link.
    enum Arrival: Sendable {
        case message(Message)
        case piece(number: UInt32, PieceBuffer)
    }

    /// Gives the engine what came over a link at one time, but for pieces, which are written first. Where nothing else
    /// came, it is left alone: each judgement looks at all that is being pulled.
    func take(_ arrivals: [Arrival], from link: LinkID, on host: isolated EngineHost) {
        var inputs: [EngineInput] = []
        var pieces: [ArrivedPiece] = []
        for arrival in arrivals {
            switch arrival {
            case .message(let message):
                if case .refused(let number, _) = message { refused(number, by: link) }
                inputs.append(.received(link, message))
            case .piece(let number, let buffer):
                if let (_, request, isWhole) = state.withLock({ $0.expected.removeValue(forKey: number) }) {
                    pieces.append(ArrivedPiece(request: request, isWhole: isWhole, buffer: buffer))
                }
            }
        }
        inputs += staging.write(pieces, from: link)
        if !inputs.isEmpty { host.feed(inputs) }
    }

    /// Only whoever was asked for a piece refuses it.
    private func refused(_ number: UInt32, by link: LinkID) {
        state.withLock { state in
            if state.expected[number]?.link == link { state.expected[number] = nil }
        }
    }

    /// What came over each link and left over it since the last look, and whose pieces are being written; ordered.
    func progress() -> [EngineInput] {
        var inputs = staging.writingLinks.map { EngineInput.writing($0) }
        for (link, known) in state.withLock({ $0.links }).sorted(by: { $0.key < $1.key }) {
            let received = known.connection.bytesReceived
            inputs.append(.heard(link, byteCount: received - known.receivedByteCount))
            let sent = known.connection.bytesSent - known.sentByteCount
            inputs.append(.taken(link, byteCount: sent))
            let noted = transfers.noteSent(sent)
            state.withLock { state in
                state.links[link]?.receivedByteCount = received
                state.links[link]?.sentByteCount += noted
            }
        }
        return inputs
    }
}
