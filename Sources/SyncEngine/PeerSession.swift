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
    /// This device has as many links as it keeps.
    case full
    /// The peer has as many links as it keeps.
    case refusedAsFull
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
        /// The other side's hello: time to settle simultaneous connections, and to say what this device holds.
        case greeted(Hello)
        /// A message that is not about batches.
        case deliver(Message)
        /// The vectors were found equal.
        case levelWithPeer
        /// Everything that the peer lacked is durable there.
        case caughtUp
        /// Both sides have this vector now, which one of them told.
        case exchanged(VersionVector)
        case ownReplicaDiverged(ReplicaID)
        case close(CloseReason)
    }

    /// Transitions: waitingForHello → waitingForVector → reconciling → (waitingForVector, when grafted); each may end in
    /// closed.
    private enum State: Hashable, Sendable {
        case waitingForHello
        /// Whoever dialled tells its vector, and the other answers with what differs.
        case waitingForVector
        /// What the peer knows is known; new batches are pushed.
        case reconciling
        case closed
    }

    let device: DeviceID
    /// This device opened the connection.
    let dialled: Bool
    private(set) var hello: Hello?
    /// New batches are pushed over this link as soon as they are stored; over a lazy one they are only announced.
    var isEager = true
    /// The peer asked for an eager link; it is one once the vector that follows tells what the peer lacks.
    private var isGrafted = false
    /// The connection was kept when it was greeted.
    var isAccepted = false
    private var state = State.waitingForHello
    private let limits: EngineLimits
    /// The peer has acknowledged everything at least once.
    private var isCaughtUp = false
    /// What the peer was told last, until it has answered.
    private var told: VersionVector?
    /// How often it was told a vector and has not answered yet.
    private var unansweredCount = 0
    /// What both have from earlier connections, once both hellos named it.
    private var shared: SharedVector?

    /// Batches that the peer lacks, in order of sending.
    private var outgoing: [BatchLog.Reference] = []
    private var outgoingStart = 0
    private var queued: Set<BatchID> = []
    /// Pages sent and not acknowledged, by their numbers.
    private var unacknowledged: Set<UInt64> = []
    private var nextPage: UInt64 = 1
    /// When a chain sample about a replica was last sent on this connection.
    private var sampled: [ReplicaID: MonotonicInstant] = [:]
    /// What the own hello asks for the changes of, until the peer has answered.
    var base: HoldingsBook.Base?
    /// The peer has said over this connection what it holds.
    var hasSpoken = false { didSet { base = nil } }
    /// What the peer said that it does not pull.
    var notice = FetchingNotice()

    private var lastHeard: MonotonicInstant
    private var lastPing: MonotonicInstant
    private var pingNumber: UInt64 = 0

    /// - Parameter shared: what the own hello names.
    init(
        device: DeviceID, dialled: Bool, shared: SharedVector? = nil, limits: EngineLimits, now: MonotonicInstant
    ) {
        self.device = device
        self.dialled = dialled
        self.shared = shared
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
            guard hello.versions.overlaps(WireLimits.protocolVersions) else {
                return close(.otherVersion(hello.versions.upperBound))
            }
            self.hello = hello
            if hello.vectorBase != shared?.name { shared = nil }
            state = .waitingForVector
            return dialled ? [.greeted(hello), tell(log.vector)] : [.greeted(hello)]
        case .waitingForVector, .reconciling:
            return receivedGreeted(message, log: log, own: own, now: now)
        }
    }

    /// Bytes of a piece arrived, which are a sign of life as good as a message.
    mutating func heard(now: MonotonicInstant) { lastHeard = now }

    private mutating func receivedGreeted(
        _ message: Message, log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        switch message {
        case .hello: return close(.unexpectedMessage)
        case .vector(let vector): return receivedVector(vector, log: log, own: own, now: now)
        case .vectorDifference(let difference):
            guard let vector = shared?.applying(difference) else { return close(.unexpectedMessage) }
            return receivedVector(vector, log: log, own: own, now: now)
        case .vectorReply(let entries): return receivedReply(entries, log: log, own: own, now: now)
        case .batches(let page): return [.store(page)]
        case .chainSample(let replica, let points): return receivedSample(replica, points, log: log, now: now)
        case .acknowledged(let page):
            guard unacknowledged.remove(page) != nil else { return close(.unexpectedMessage) }
            let pages = sendPages()
            guard isDrained, !isCaughtUp else { return pages }
            isCaughtUp = true
            return pages + [.caughtUp]
        case .ping(let number): return [.send(.pong(number))]
        case .pong, .unknown: return []
        case .graft:
            isGrafted = !PlantedFault.isPlanted(.graftIgnored)
            return []
        case .prune:
            (isEager, isGrafted) = (false, false)
            return []
        case .farewell: return close(.refusedAsFull)
        default: return [.deliver(message)]
        }
    }

    private mutating func receivedVector(
        _ theirs: VersionVector, log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        state = .reconciling
        if isGrafted { (isEager, isGrafted) = (true, false) }
        let comparison = log.compare(with: theirs.heads, isWhole: true)
        let differing = Set(comparison.behind + comparison.diverged)
        let reply = Dictionary(uniqueKeysWithValues: differing.map { ($0, log.heads(of: $0)) })
        let isLevel = comparison.lacking.isEmpty && differing.isEmpty && isDrained
        return [.send(.vectorReply(reply)), .exchanged(theirs)] + follow(comparison, log: log, own: own, now: now)
            + (isLevel ? [.levelWithPeer] : [])
    }

    /// Tells what this device knows: what changed since a vector that both have, or everything.
    private mutating func tell(_ vector: VersionVector) -> Directive {
        told = vector
        unansweredCount += 1
        return .send(shared.map { .vectorDifference($0.difference(to: vector)) } ?? .vector(vector))
    }

    /// The peer lacks something of what is listed, or went apart there; of everything else it knows what it was told.
    private mutating func receivedReply(
        _ entries: [ReplicaID: [Head]], log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        unansweredCount = max(0, unansweredCount - 1)
        // Answers come in the order of the vectors: while another one is to come this is not that of the last.
        guard unansweredCount == 0, let told else {
            return follow(log.compare(with: entries, isWhole: false), log: log, own: own, now: now)
        }
        self.told = nil
        var theirs = entries
        let isFirst = state == .waitingForVector
        // Later, all that came to be stored since it was told was pushed.
        if isFirst { theirs = told.heads.merging(entries) { $1 } }
        state = .reconciling
        return [.exchanged(told)] + follow(log.compare(with: theirs, isWhole: isFirst), log: log, own: own, now: now)
    }

    private mutating func follow(
        _ comparison: BatchLog.Comparison, log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        var directives: [Directive] = []
        enqueue(comparison.lacking)
        for replica in comparison.diverged where !PlantedFault.isPlanted(.forksNeverSampled) {
            directives += sample(replica, log: log, now: now)
        }
        if let own, comparison.behind.contains(own) { directives.append(.ownReplicaDiverged(own)) }
        return directives + sendPages()
    }

    private mutating func receivedSample(
        _ replica: ReplicaID, _ points: [Head], log: BatchLog, now: MonotonicInstant
    ) -> [Directive] {
        enqueue(log.following(points, of: replica))
        return sample(replica, log: log, now: now) + sendPages()
    }

    /// Asks what the peer has of a replica that went apart. Not for ever: either side may learn more of it elsewhere.
    private mutating func sample(_ replica: ReplicaID, log: BatchLog, now: MonotonicInstant) -> [Directive] {
        let isOnce = PlantedFault.isPlanted(.chainsSampledOnce)
        if let last = sampled[replica], now < last + limits.sampleInterval || isOnce { return [] }
        sampled[replica] = now
        return [.send(.chainSample(replica, points: log.sample(of: replica)))]
    }

    /// Pushes batches that were just stored. What the peer has not told about yet waits for its vector.
    mutating func push(_ batches: [BatchLog.Reference]) -> [Directive] {
        guard state == .reconciling else { return [] }
        enqueue(batches)
        return sendPages()
    }

    /// A page of this peer's is durable.
    func pageStored(_ page: UInt64) -> [Directive] {
        page == 0 || state == .closed ? [] : [.send(.acknowledged(page: page))]
    }

    /// Makes the link eager. What was only announced over it the peer may lack: nothing is pushed before it has said.
    mutating func graft(log: BatchLog) -> [Directive] {
        isEager = true
        guard state == .reconciling else { return [.send(.graft)] }
        state = .waitingForVector
        return [.send(.graft), tell(log.vector)]
    }

    /// Asks the peer for what is new: it answers a vector with what this device lacks.
    mutating func askAgain(log: BatchLog) -> [Directive] {
        state == .reconciling ? [tell(log.vector)] : []
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
