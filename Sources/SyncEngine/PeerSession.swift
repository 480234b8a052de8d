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
        /// Both sides have this vector now, which one of them told: what the peer knows is known.
        case exchanged(VersionVector, isPeers: Bool)
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

    private var backlog: PeerBacklog
    /// Replicas of which the peer has something that is not known here, with the heads that it told. What it lacks of them
    /// is known once these heads are, or once it sent a sample: until then nothing of them is pushed, since it might not
    /// have what comes before.
    private var unsettled: [ReplicaID: [Head]] = [:]
    /// What is to be told besides batches.
    var outbox: PeerOutbox
    /// How much of that the peer has not read yet.
    private var reading = ReadingWindow()
    /// To compare vectors takes a look at every replica: a peer that tells its own again and again waits in between.
    private var comparesAt: MonotonicInstant
    private var waitingVector: VersionVector?
    /// When a chain sample about a replica was last sent on this connection.
    private var sampled: [ReplicaID: MonotonicInstant] = [:]

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
        backlog = PeerBacklog(limits: limits)
        outbox = PeerOutbox(limits: limits)
        comparesAt = now
        lastHeard = now
        lastPing = now
    }

    /// Whether the peer's hello and vector have come.
    var isReconciling: Bool { state == .reconciling }

    var isGreeted: Bool { hello != nil && state != .closed }

    /// The peer has not answered the last ping yet, or was about to be asked.
    func isQuiet(now: MonotonicInstant) -> Bool { lastHeard + limits.pingInterval < now }

    var unacknowledgedCount: Int { backlog.unacknowledgedCount }

    /// Places in the log and batches that wait to be sent.
    var backlogCount: Int { backlog.waitingCount }

    /// Bytes of what was told besides batches that the peer has not read, as far as it said.
    var unreadByteCount: Int { reading.byteCount }

    /// Nothing is left to send, as far as this side knows.
    var isDrained: Bool { backlog.isDrained }

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
            guard backlog.acknowledge(page) else { return close(.unexpectedMessage) }
            let pages = PlantedFault.isPlanted(.windowNeverRefilled) ? [] : sendPages(log)
            guard isDrained else { return pages }
            if backlog.isCut, !isAsked { return pages + askAgain(log: log) }
            guard !isCaughtUp else { return pages }
            isCaughtUp = true
            return pages + [.caughtUp]
        case .ping(let number): return [.send(.pong(number))]
        case .pong(let number):
            reading.answered(number)
            return []
        case .unknown: return []
        case .farewell: return close(.refusedAsFull)
        default: return [.deliver(message)]
        }
    }

    private mutating func receivedVector(
        _ theirs: VersionVector, log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        guard comparesAt <= now else {
            // The latest says all that the ones before it said; these are answered with nothing.
            defer { waitingVector = theirs }
            return waitingVector == nil ? [] : [.send(.vectorReply([:]))]
        }
        comparesAt = now + limits.secondsPerEntry * Double(log.replicas.count)
        state = .reconciling
        let comparison = log.compare(with: theirs.heads, isWhole: true)
        let differing = Set(comparison.behind + comparison.diverged)
        var reply = Dictionary(uniqueKeysWithValues: differing.map { ($0, log.heads(of: $0)) })
        reply = VersionVector.told(reply) ?? reply
        backlog.replace(by: comparison.isLacking ? BatchCursor(theirs.heads, isWhole: true, log: log) : nil)
        unsettled = theirs.heads.filter { differing.contains($0.key) }
        let following = follow(comparison, log: log, own: own, now: now)
        let isLevel = differing.isEmpty && isDrained
        return [.send(.vectorReply(reply)), .exchanged(theirs, isPeers: true)] + following
            + (isLevel ? [.levelWithPeer] : [])
    }

    /// Answers the vector that came too soon after another.
    mutating func compareWaiting(log: BatchLog, own: ReplicaID?, now: MonotonicInstant) -> [Directive] {
        guard state != .closed, comparesAt <= now, let vector = waitingVector.take() else { return [] }
        return receivedVector(vector, log: log, own: own, now: now)
    }

    /// The peer has not answered a vector yet.
    var isAsked: Bool { unansweredCount > 0 }

    /// Tells what this device knows: what changed since a vector that both have, or everything.
    private mutating func tell(_ vector: VersionVector) -> Directive {
        unansweredCount += 1
        let part = vector.told
        told = part
        // What is left out the peer may lack: it is sent once more.
        guard part == vector, let difference = shared?.difference(to: vector),
            difference.changed.count <= WireLimits.replicaCountMax
        else { return .send(.vector(part)) }
        return .send(.vectorDifference(difference))
    }

    /// The peer lacks something of what is listed, or went apart there; of everything else it knows what it was told.
    private mutating func receivedReply(
        _ entries: [ReplicaID: [Head]], log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        // Nobody asked.
        guard unansweredCount > 0 else { return [] }
        unansweredCount -= 1
        // Answers come in the order of the vectors: while another one is to come this is not that of the last, which says
        // what the peer lacks.
        guard unansweredCount == 0, let told else {
            let comparison = log.compare(with: entries, isWhole: false)
            for replica in comparison.behind { unsettled[replica] = entries[replica] }
            return follow(comparison, log: log, own: own, now: now)
        }
        self.told = nil
        // Later, all that came to be stored since it was told was pushed; where that still waits, or was left out, it is
        // found again.
        let isWhole = state == .waitingForVector || !backlog.isEmpty || backlog.isCut || !unsettled.isEmpty
        let theirs = isWhole ? told.heads.merging(entries) { $1 } : entries
        state = .reconciling
        let comparison = log.compare(with: theirs, isWhole: isWhole)
        backlog.replace(by: comparison.isLacking ? BatchCursor(theirs, isWhole: isWhole, log: log) : nil)
        let behind = Set(comparison.behind)
        unsettled = theirs.filter { behind.contains($0.key) }
        return [.exchanged(told, isPeers: false)] + follow(comparison, log: log, own: own, now: now)
    }

    private mutating func follow(
        _ comparison: BatchLog.Comparison, log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        var directives: [Directive] = []
        for replica in comparison.diverged where !PlantedFault.isPlanted(.forksNeverSampled) {
            directives += sample(replica, log: log, now: now)
        }
        if let own, comparison.behind.contains(own) { directives.append(.ownReplicaDiverged(own)) }
        return directives + sendPages(log)
    }

    private mutating func receivedSample(
        _ replica: ReplicaID, _ points: [Head], log: BatchLog, now: MonotonicInstant
    ) -> [Directive] {
        // Of what nobody here knows there is nothing to say.
        guard log.chains[replica] != nil else { return [] }
        if backlog.append(following: BatchCursor(following: points, of: replica, log: log)) { unsettled[replica] = nil }
        return sample(replica, log: log, now: now) + sendPages(log)
    }

    /// Asks what the peer has of a replica that went apart. Not for ever: either side may learn more of it elsewhere.
    private mutating func sample(_ replica: ReplicaID, log: BatchLog, now: MonotonicInstant) -> [Directive] {
        let isOnce = PlantedFault.isPlanted(.chainsSampledOnce)
        if let last = sampled[replica], now < last + limits.sampleInterval || isOnce { return [] }
        // Whoever samples more replicas in one interval than are remembered is answered again.
        if sampled.count >= limits.samplesPerPeerMax {
            sampled = sampled.filter { now < $0.value + limits.sampleInterval }
        }
        if sampled.count >= limits.samplesPerPeerMax { sampled.removeAll() }
        sampled[replica] = now
        return [.send(.chainSample(replica, points: log.sample(of: replica)))]
    }

    /// Whether ``push(_:replicas:log:)`` may find something to send though none of the batches is for the peer.
    func isUnsettled(_ replicas: Set<ReplicaID>) -> Bool { replicas.contains { unsettled[$0] != nil } }

    /// Pushes batches that were just stored. What the peer has not told about yet waits for its vector.
    ///
    /// - Parameter replicas: All that something was stored of, from whichever peer.
    mutating func push(_ batches: [AcceptedBatch], replicas: Set<ReplicaID>, log: BatchLog) -> [Directive] {
        guard state == .reconciling else { return [] }
        let settled = unsettled.isEmpty ? [:] : settle(replicas, log: log)
        backlog.append(
            batches.filter { unsettled[$0.batch.replica] == nil && settled[$0.batch.replica] == nil }.map(\.reference))
        return sendPages(log)
    }

    /// Of which replicas everything is known now that the peer said it has; what it lacks of them is sent.
    private mutating func settle(_ replicas: Set<ReplicaID>, log: BatchLog) -> [ReplicaID: [Head]] {
        let settled = unsettled.filter { replica, heads in
            replicas.contains(replica) && heads.allSatisfy { log.contains($0, of: replica) }
        }
        for replica in settled.keys { unsettled[replica] = nil }
        if !settled.isEmpty { backlog.append(BatchCursor(settled, isWhole: false, log: log)) }
        return settled
    }

    /// A page of this peer's is durable.
    func pageStored(_ page: UInt64) -> [Directive] {
        page == 0 || state == .closed ? [] : [.send(.acknowledged(page: page))]
    }

    /// Asks for an eager link. What was only announced over this one the peer may lack: nothing is pushed before it has
    /// said.
    mutating func graft(log: BatchLog) -> [Directive] {
        guard state == .reconciling else { return [.send(.graft)] }
        state = .waitingForVector
        return [.send(.graft), tell(log.vector)]
    }

    /// Asks the peer for what is new: it answers a vector with what this device lacks.
    mutating func askAgain(log: BatchLog) -> [Directive] {
        state == .reconciling ? [tell(log.vector)] : []
    }

    // MARK: Pages

    /// Fills the window with pages.
    private mutating func sendPages(_ log: BatchLog) -> [Directive] {
        var directives: [Directive] = []
        while let (ids, page) = backlog.nextPage(log) { directives.append(.sendPage(ids, page: page)) }
        return directives
    }

    // MARK: What is told besides

    /// Whether the peer reads what it is told, so that it may be told more.
    var mayTell: Bool { isGreeted && reading.byteCount < limits.unreadByteCountMax }

    /// Takes note of a message from the outbox.
    ///
    /// - Returns: a question whose answer shows that the peer has read everything before it; now and then.
    mutating func noteTold(_ byteCount: Int, now: MonotonicInstant) -> Message? {
        reading.told(byteCount)
        guard reading.unmarkedByteCount >= limits.markedByteCount else { return nil }
        pingNumber += 1
        lastPing = now
        reading.mark(pingNumber)
        return .ping(pingNumber)
    }

    /// The network took many bytes of what is meant for the peer: slow as it may be, it reads.
    mutating func took(now: MonotonicInstant) {
        let isAwaited = reading.markedByteCount >= limits.markedByteCount || backlog.unacknowledgedCount > 0
        if isAwaited, state != .closed { lastHeard = now }
    }

    // MARK: Time

    /// When to call ``deadlineReached(now:)``.
    var nextDeadline: MonotonicInstant? {
        guard state != .closed else { return nil }
        return min(max(lastHeard, lastPing) + limits.pingInterval, lastHeard + limits.silenceMax)
    }

    /// The same, and when the peer is answered that waits for it.
    var deadlines: [MonotonicInstant] {
        state == .closed ? [] : [nextDeadline, waitingVector == nil ? nil : comparesAt].compactMap { $0 }
    }

    mutating func deadlineReached(now: MonotonicInstant) -> [Directive] {
        guard state != .closed else { return [] }
        if now >= lastHeard + limits.silenceMax, !PlantedFault.isPlanted(.silentLinkKept) { return close(.silent) }
        guard now >= max(lastHeard, lastPing) + limits.pingInterval else { return [] }
        lastPing = now
        pingNumber += 1
        guard isGreeted else { return [] }
        reading.mark(pingNumber)
        return [.send(.ping(pingNumber))]
    }

    mutating func close(_ reason: CloseReason) -> [Directive] {
        guard state != .closed else { return [] }
        state = .closed
        return [.close(reason)]
    }
}
