import AlbumModel
import WireFormat

/// Reconciles this device's knowledge with one connected peer's.
///
/// A value type without I/O: equal inputs give equal directives.
struct PeerSession: Sendable {
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

    /// What the peer is to be told besides batches and answers.
    struct Owed: Hashable, Sendable {
        /// The digest of all albums …
        var digest = false
        /// … and, where that differs, of each.
        var albumDigests = false
        var vector = false

        var count: Int { [digest, albumDigests, vector].count { $0 } }
    }

    let device: DeviceID
    /// This device opened the connection.
    let dialled: Bool
    private(set) var hello: Hello?
    private var state = State.waitingForHello
    private let limits: EngineLimits
    /// The peer has acknowledged everything at least once.
    private var isCaughtUp = false
    private(set) var vectors: VectorTelling
    private var sampling: ChainSampling
    var liveness: Liveness
    var owed = Owed()
    private var backlog: PeerBacklog
    /// Replicas of which the peer has something that is not known here, with the heads that it told. What it lacks of them
    /// is known once these heads are, or once it sent a sample: until then nothing of them is pushed, since it might not
    /// have what comes before.
    private var unsettled: [ReplicaID: [Head]] = [:]

    /// - Parameter shared: what the own hello names.
    init(
        device: DeviceID, dialled: Bool, shared: SharedVector? = nil, limits: EngineLimits, now: MonotonicInstant
    ) {
        self.device = device
        self.dialled = dialled
        self.limits = limits
        vectors = VectorTelling(shared: shared, now: now)
        sampling = ChainSampling(limits: limits)
        liveness = Liveness(limits: limits, now: now)
        backlog = PeerBacklog(limits: limits)
    }

    /// Whether the peer's hello and vector have come.
    var isReconciling: Bool { state == .reconciling }

    var isGreeted: Bool { hello != nil && state != .closed }

    var unacknowledgedCount: Int { backlog.unacknowledgedCount }

    /// Places in the log and batches that wait to be sent.
    var backlogCount: Int { backlog.waitingCount }

    /// Nothing is left to send, as far as this side knows.
    var isDrained: Bool { backlog.isDrained }

    // MARK: Input

    mutating func received(_ message: Message, log: BatchLog, own: ReplicaID?, now: MonotonicInstant) -> [Directive] {
        liveness.heard(now: now)
        switch state {
        case .closed: return []
        case .waitingForHello:
            guard case .hello(let hello) = message else { return close(.unexpectedMessage) }
            guard hello.versions.overlaps(WireLimits.protocolVersions) else {
                return close(.otherVersion(hello.versions.upperBound))
            }
            self.hello = hello
            vectors.greeted(base: hello.vectorBase)
            state = .waitingForVector
            return dialled ? [.greeted(hello), .send(vectors.tell(log.vector))] : [.greeted(hello)]
        case .waitingForVector, .reconciling:
            return receivedGreeted(message, log: log, own: own, now: now)
        }
    }

    private mutating func receivedGreeted(
        _ message: Message, log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        switch message {
        case .hello: return close(.unexpectedMessage)
        case .vector(let vector): return receivedVector(vector, log: log, own: own, now: now)
        case .vectorDifference(let difference):
            guard let vector = vectors.shared?.applying(difference) else { return close(.unexpectedMessage) }
            return receivedVector(vector, log: log, own: own, now: now)
        case .vectorReply(let entries): return receivedReply(entries, log: log, own: own, now: now)
        case .batches(let page): return [.store(page)]
        case .chainSample(let replica, let points): return receivedSample(replica, points, log: log, now: now)
        case .acknowledged(let page):
            guard backlog.acknowledge(page) else { return close(.unexpectedMessage) }
            let pages = PlantedFault.isPlanted(.windowNeverRefilled) ? [] : sendPages(log)
            guard isDrained else { return pages }
            if backlog.isCut, !vectors.isAsked { return pages + askAgain(log: log) }
            guard !isCaughtUp else { return pages }
            isCaughtUp = true
            return pages + [.caughtUp]
        case .ping(let number): return [.send(.pong(number))]
        case .pong(let number):
            liveness.answered(number)
            return []
        case .unknown: return []
        case .farewell: return close(.refusedAsFull)
        default: return [.deliver(message)]
        }
    }

    private mutating func receivedVector(
        _ theirs: VersionVector, log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        guard vectors.mayCompare(now: now) else { return vectors.wait(theirs) ? [.send(.vectorReply([:]))] : [] }
        vectors.compared(replicaCount: log.replicas.count, limits: limits, now: now)
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
        guard state != .closed, let vector = vectors.takeWaiting(now: now) else { return [] }
        return receivedVector(vector, log: log, own: own, now: now)
    }

    /// The peer lacks something of what is listed, or went apart there; of everything else it knows what it was told.
    private mutating func receivedReply(
        _ entries: [ReplicaID: [Head]], log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        let told: VersionVector
        switch vectors.takeAnswer() {
        case .unasked: return []
        case .early:
            let comparison = log.compare(with: entries, isWhole: false)
            for replica in comparison.behind { unsettled[replica] = entries[replica] }
            return follow(comparison, log: log, own: own, now: now)
        case .last(let vector): told = vector
        }
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

    /// Asks what the peer has of a replica that went apart.
    private mutating func sample(_ replica: ReplicaID, log: BatchLog, now: MonotonicInstant) -> [Directive] {
        sampling.begin(replica, now: now) ? [.send(.chainSample(replica, points: log.sample(of: replica)))] : []
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
        return [.send(.graft), .send(vectors.tell(log.vector))]
    }

    /// Asks the peer for what is new: it answers a vector with what this device lacks.
    mutating func askAgain(log: BatchLog) -> [Directive] {
        state == .reconciling ? [.send(vectors.tell(log.vector))] : []
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
    var mayTell: Bool { isGreeted && liveness.mayTell }

    /// Takes note of a message that the peer was owed.
    ///
    /// - Returns: a question whose answer shows that the peer has read everything before it; now and then.
    mutating func noteTold(_ byteCount: Int, now: MonotonicInstant) -> Message? {
        liveness.told(byteCount, now: now).map { .ping($0) }
    }

    /// The network took many bytes of what is meant for the peer.
    mutating func took(now: MonotonicInstant) {
        if state != .closed { liveness.took(isAwaited: backlog.unacknowledgedCount > 0, now: now) }
    }

    // MARK: Time

    /// When to call ``deadlineReached(now:)`` or ``compareWaiting(log:own:now:)``.
    var deadlines: [MonotonicInstant] {
        state == .closed ? [] : [liveness.nextDeadline, vectors.nextDeadline].compactMap { $0 }
    }

    mutating func deadlineReached(now: MonotonicInstant) -> [Directive] {
        guard state != .closed else { return [] }
        if liveness.isSilent(now: now), !PlantedFault.isPlanted(.silentLinkKept) { return close(.silent) }
        let question = liveness.ask(now: now)
        return question.flatMap { isGreeted ? [.send(.ping($0))] : nil } ?? []
    }

    mutating func close(_ reason: CloseReason) -> [Directive] {
        guard state != .closed else { return [] }
        state = .closed
        return [.close(reason)]
    }
}
