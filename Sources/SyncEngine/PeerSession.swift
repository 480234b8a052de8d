import AlbumModel
import WireFormat

/// Why a connection is ended.
public enum CloseReason: Hashable, Sendable {
    /// Another connection to the same device is kept.
    case duplicate
    /// The device's agent was started again and connected anew.
    case replaced
    case silent
    case otherVersion(UInt32)
    case unexpectedMessage
    case refusedBatch(BatchRefusal)
    case storageFailed
    case stopping
}

/// Reconciles this device's knowledge with one connected peer's.
///
/// A value type without I/O: equal inputs give equal directives.
public struct PeerSession: Sendable {
    enum Directive: Hashable, Sendable {
        case send(Message)
        /// Read these from the journal and send them as one page.
        case sendPage([BatchID], page: UInt64)
        /// Store what a page holds, then call ``PeerSession/pageStored(_:)``.
        case store(BatchPage)
        case replacePresence(Presence)
        case gained([BlobID])
        case pieceListArrived(BlobID, PieceList?)
        case serve(PieceRequest)
        case sendPieceList(BlobID)
        case refused(number: UInt32)
        case cancelServe(number: UInt32)
        case compareDigests([AlbumDigest], vectorHash: [UInt8])
        /// The other side's hello: time to settle simultaneous connections, and to say what this device holds.
        case greeted(Hello)
        /// The vectors were found equal.
        case levelWithPeer
        case ownReplicaDiverged(ReplicaID)
        case close(CloseReason)
    }

    /// Transitions: waitingForHello → waitingForVector → reconciling; each may end in closed.
    private enum State: Hashable, Sendable {
        case waitingForHello
        case waitingForVector
        /// The peer's vector is known; new batches are pushed.
        case reconciling
        case closed
    }

    let device: DeviceID
    /// This device opened the connection.
    let dialled: Bool
    private(set) var hello: Hello?
    private var state = State.waitingForHello
    private let limits: EngineLimits

    /// Batches that the peer lacks, in order of sending.
    private var outgoing: [BatchLog.Reference] = []
    private var outgoingStart = 0
    private var queued: Set<BatchID> = []
    /// Pages sent and not acknowledged, by their numbers.
    private var unacknowledged: Set<UInt64> = []
    private var nextPage: UInt64 = 1
    /// Replicas about which a chain sample was sent on this connection.
    private var sampled: Set<ReplicaID> = []

    private var lastHeard: MonotonicInstant
    private var lastPing: MonotonicInstant
    private var pingNumber: UInt64 = 0

    init(device: DeviceID, dialled: Bool, limits: EngineLimits, now: MonotonicInstant) {
        self.device = device
        self.dialled = dialled
        self.limits = limits
        lastHeard = now
        lastPing = now
    }

    /// Whether the peer's hello and vector have come.
    var isReconciling: Bool { state == .reconciling }

    var isGreeted: Bool { hello != nil && state != .closed }

    /// The peer has not answered the last ping yet, or was about to be asked.
    func isQuiet(now: MonotonicInstant) -> Bool { lastHeard + limits.pingInterval < now }

    var unacknowledgedCount: Int { unacknowledged.count }

    /// Nothing is left to send, as far as this side knows.
    var isDrained: Bool { outgoingStart == outgoing.count && unacknowledged.isEmpty }

    // MARK: Input

    mutating func received(_ message: Message, log: BatchLog, own: ReplicaID?, now: MonotonicInstant) -> [Directive] {
        lastHeard = now
        switch state {
        case .closed: return []
        case .waitingForHello:
            guard case .hello(let hello) = message else { return close(.unexpectedMessage) }
            guard hello.version == WireLimits.protocolVersion else { return close(.otherVersion(hello.version)) }
            self.hello = hello
            state = .waitingForVector
            return [.greeted(hello), .send(.vector(log.vector))]
        case .waitingForVector, .reconciling:
            return receivedGreeted(message, log: log, own: own)
        }
    }

    /// Bytes of a piece arrived, which are a sign of life as good as a message.
    mutating func heard(now: MonotonicInstant) { lastHeard = now }

    private mutating func receivedGreeted(_ message: Message, log: BatchLog, own: ReplicaID?) -> [Directive] {
        switch message {
        case .hello: return close(.unexpectedMessage)
        case .vector(let vector): return receivedVector(vector, log: log, own: own)
        case .batches(let page): return [.store(page)]
        case .chainSample(let replica, let points): return receivedSample(replica, points, log: log)
        case .acknowledged(let page):
            guard unacknowledged.remove(page) != nil else { return close(.unexpectedMessage) }
            return sendPages()
        case .presence(let presence): return [.replacePresence(presence)]
        case .held(let blobs): return [.gained(blobs)]
        case .request(let request): return [.serve(request)]
        case .refused(let number): return [.refused(number: number)]
        case .cancelled(let number): return [.cancelServe(number: number)]
        case .pieceListRequest(let blob): return [.sendPieceList(blob)]
        case .pieceList(let blob, let list): return [.pieceListArrived(blob, list)]
        case .ping(let number): return [.send(.pong(number))]
        case .pong: return []
        case .digests(let digests, let vectorHash): return [.compareDigests(digests, vectorHash: vectorHash)]
        }
    }

    private mutating func receivedVector(_ theirs: VersionVector, log: BatchLog, own: ReplicaID?) -> [Directive] {
        state = .reconciling
        let comparison = log.compare(with: theirs)
        var directives: [Directive] = []
        enqueue(comparison.lacking)
        for replica in comparison.diverged where sampled.insert(replica).inserted {
            directives.append(.send(.chainSample(replica, points: log.sample(of: replica))))
        }
        if let own, comparison.behind.contains(own) { directives.append(.ownReplicaDiverged(own)) }
        if comparison.lacking.isEmpty, comparison.behind.isEmpty, isDrained { directives.append(.levelWithPeer) }
        return directives + sendPages()
    }

    private mutating func receivedSample(_ replica: ReplicaID, _ points: [Head], log: BatchLog) -> [Directive] {
        var directives: [Directive] = []
        enqueue(log.following(points, of: replica))
        if sampled.insert(replica).inserted {
            directives.append(.send(.chainSample(replica, points: log.sample(of: replica))))
        }
        return directives + sendPages()
    }

    /// Offers batches that were just stored. What the peer has not told about yet waits for its vector.
    mutating func offer(_ batches: [BatchLog.Reference]) -> [Directive] {
        guard state == .reconciling else { return [] }
        enqueue(batches)
        return sendPages()
    }

    /// A page of this peer's is durable.
    func pageStored(_ page: UInt64) -> [Directive] {
        page == 0 || state == .closed ? [] : [.send(.acknowledged(page: page))]
    }

    /// Asks the peer for what is new: it answers a vector with what this device lacks.
    func askAgain(log: BatchLog) -> [Directive] {
        state == .reconciling ? [.send(.vector(log.vector))] : []
    }

    // MARK: Pages

    private mutating func enqueue(_ batches: [BatchLog.Reference]) {
        for reference in batches where queued.insert(reference.id).inserted { outgoing.append(reference) }
    }

    /// Fills the window with pages.
    private mutating func sendPages() -> [Directive] {
        var directives: [Directive] = []
        while outgoingStart < outgoing.count, unacknowledged.count < limits.pageWindow {
            directives.append(.sendPage(nextBatches(), page: nextPage))
            unacknowledged.insert(nextPage)
            nextPage += 1
        }
        if outgoingStart == outgoing.count {
            outgoing.removeAll(keepingCapacity: true)
            outgoingStart = 0
            if unacknowledged.isEmpty { queued.removeAll() }
        }
        return directives
    }

    /// As many batches as one page may hold, and at least one.
    private mutating func nextBatches() -> [BatchID] {
        var ids: [BatchID] = []
        var byteCount = 0
        while outgoingStart < outgoing.count, ids.count < WireLimits.pageBatchCountMax {
            byteCount += outgoing[outgoingStart].byteCount
            guard ids.isEmpty || byteCount <= WireLimits.pageByteCountMax else { break }
            ids.append(outgoing[outgoingStart].id)
            outgoingStart += 1
        }
        return ids
    }

    // MARK: Time

    /// When to call ``deadlineReached(now:)``.
    var nextDeadline: MonotonicInstant? {
        guard state != .closed else { return nil }
        return min(max(lastHeard, lastPing) + limits.pingInterval, lastHeard + limits.silenceMax)
    }

    mutating func deadlineReached(now: MonotonicInstant) -> [Directive] {
        guard state != .closed else { return [] }
        if now >= lastHeard + limits.silenceMax { return close(.silent) }
        guard now >= max(lastHeard, lastPing) + limits.pingInterval else { return [] }
        lastPing = now
        pingNumber += 1
        return isGreeted ? [.send(.ping(pingNumber))] : []
    }

    mutating func close(_ reason: CloseReason) -> [Directive] {
        guard state != .closed else { return [] }
        state = .closed
        return [.close(reason)]
    }
}
