import AlbumModel
import WireFormat

/// Brings connected peers to know the same batches: anti-entropy (Demers et al., “Epidemic Algorithms for Replicated
/// Database Maintenance”, PODC 1987) by version vectors (Parker et al., “Detection of Mutual Inconsistency in Distributed
/// Systems”, IEEE TSE 1983). A value type without I/O.
///
/// Each ``PeerSession`` is one connection: vectors are told, and answered with what differs; what the other side lacks
/// follows in pages. It departs from the papers:
/// - A vector names heads of chains, since a replica may fork: a home that was copied writes on from the same batch. Where a
///   replica went apart, samples of its chain show what both have.
/// - Vectors of peers that met lately are told as what changed since one that both have (``SharedVectors``).
/// - Peers are compared when they meet and once in a while with one at random; in between ``Broadcast`` brings what is new.
/// - When both know the same, digests of the albums show whether they also made the same of it.
struct Reconciliation: Sendable {
    enum Input: Sendable {
        case connected(LinkID, DeviceID, dialled: Bool)
        case disconnected(LinkID)
        case received(LinkID, Message)
        /// Bytes of something came, which are a sign of life as good as a message.
        case heard(LinkID)
        /// The network took many bytes of what is meant for the peer.
        case took(LinkID)
        /// A page of the peer's is durable.
        case pageStored(LinkID, page: UInt64)
        case push(LinkID, [AcceptedBatch], replicas: Set<ReplicaID>)
        case graft(LinkID)
        /// More was to be announced to the peer than is kept: it is told the vector instead …
        case owesVector(LinkID)
        /// … now that it is told what it is owed.
        case telling(LinkID)
        case close(LinkID, CloseReason)
        case deadlineReached
        /// Everything that deadlines led to was done.
        case roundDue
    }

    enum Directive: Sendable {
        case send(LinkID, Message)
        /// Read these from the journal and send them as one page.
        case sendPage(LinkID, [BatchID], page: UInt64)
        case store(LinkID, BatchPage)
        case greeted(LinkID, Hello)
        /// A message that is not about batches.
        case deliver(LinkID, Message)
        /// What the peer knows is known; `isPeersVector`: since it told its vector, not since it answered.
        case compared(LinkID, isPeersVector: Bool)
        /// All batches that were known here are durable at the peer.
        case peerCaughtUp(LinkID)
        /// Both know the same batches.
        case peerLevel(DeviceID)
        /// Everything is known that the peer knew.
        case level(LinkID)
        case digestMismatch(DeviceID, [AlbumID])
        case ownReplicaDiverged(ReplicaID)
        case close(LinkID, DeviceID, CloseReason)
        /// Half a minute or so went by; a peer that is asked for what is new, if there is one.
        case round(asked: LinkID?)
    }

    private(set) var sessions: [LinkID: PeerSession] = [:]
    private(set) var sharedVectors: SharedVectors
    private var digests = Digests()
    private var nextRound: MonotonicInstant?
    private let limits: EngineLimits

    init(limits: EngineLimits) {
        self.limits = limits
        sharedVectors = SharedVectors(
            countMax: limits.sharedVectorCountMax, replicaCountMax: limits.sharedReplicaCountMax)
    }

    /// - Parameters:
    ///   - catalog: the fold of what is known.
    ///   - log: batches that are known.
    ///   - own: the replica that this device continues.
    mutating func handle(
        _ input: Input, catalog: Catalog, log: BatchLog, own: ReplicaID?, now: MonotonicInstant,
        using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        switch input {
        case .connected(let link, let device, let dialled): connected(link, device, dialled: dialled, now: now)
        case .disconnected(let link):
            sessions[link] = nil
            if sessions.isEmpty { nextRound = nil }
        case .received(let link, let message):
            // In place: a session may hold a long queue, which a copy would double at every message.
            let outcome = sessions[link]?.received(message, log: log, own: own, now: now) ?? []
            return perform(outcome, link, catalog, log)
        case .heard(let link): sessions[link]?.liveness.heard(now: now)
        case .took(let link): sessions[link]?.took(now: now)
        case .pageStored(let link, let page):
            return perform(sessions[link]?.pageStored(page) ?? [], link, catalog, log)
        case .push(let link, let batches, let replicas):
            let outcome = sessions[link]?.push(batches, replicas: replicas, log: log) ?? []
            return perform(outcome, link, catalog, log)
        case .graft(let link): return perform(sessions[link]?.graft(log: log) ?? [], link, catalog, log)
        case .owesVector(let link): sessions[link]?.owed.vector = true
        case .telling(let link):
            guard sessions[link]?.owed.vector == true, sessions[link]!.isReconciling else { return [] }
            sessions[link]!.owed.vector = false
            return perform(sessions[link]!.askAgain(log: log), link, catalog, log)
        case .close(let link, let reason):
            return perform(sessions[link]?.close(reason) ?? [], link, catalog, log)
        case .deadlineReached: return deadlineReached(catalog, log, own: own, now: now)
        case .roundDue: return beginRound(catalog, log, now: now, using: &rng)
        }
        return []
    }

    private mutating func connected(_ link: LinkID, _ device: DeviceID, dialled: Bool, now: MonotonicInstant) {
        sessions[link] = PeerSession(
            device: device, dialled: dialled, shared: sharedVectors[device], limits: limits, now: now)
        if nextRound == nil { nextRound = now + limits.vectorInterval }
    }

    private mutating func deadlineReached(
        _ catalog: Catalog, _ log: BatchLog, own: ReplicaID?, now: MonotonicInstant
    ) -> [Directive] {
        sessions.keys.sorted().flatMap { link in
            let outcome = sessions[link]!.deadlineReached(now: now)
            let answer = sessions[link]!.compareWaiting(log: log, own: own, now: now)
            return perform(outcome + answer, link, catalog, log)
        }
    }

    private mutating func beginRound(
        _ catalog: Catalog, _ log: BatchLog, now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        guard let round = nextRound, round <= now else { return [] }
        nextRound = now + limits.vectorInterval
        let ready = sessions.keys.sorted().filter { sessions[$0]!.isReconciling }
        guard let link = ready.randomElement(using: &rng), !PlantedFault.isPlanted(.neverComparesAgain) else {
            return [.round(asked: nil)]
        }
        return perform(sessions[link]!.askAgain(log: log), link, catalog, log) + [.round(asked: link)]
    }

    private mutating func perform(
        _ outcome: [PeerSession.Directive], _ link: LinkID, _ catalog: Catalog, _ log: BatchLog
    ) -> [Directive] {
        outcome.flatMap { perform($0, link, catalog, log) }
    }

    private mutating func perform(
        _ directive: PeerSession.Directive, _ link: LinkID, _ catalog: Catalog, _ log: BatchLog
    ) -> [Directive] {
        guard let device = sessions[link]?.device else { return [] }
        switch directive {
        case .send(let message): return [.send(link, message)]
        case .sendPage(let ids, let page): return [.sendPage(link, ids, page: page)]
        case .store(let page): return [.store(link, page)]
        case .greeted(let hello): return [.greeted(link, hello)]
        case .deliver(.catalogDigest(let root, let vectorHash)):
            return compare(root, at: vectorHash, link, catalog, log) + [.level(link)]
        case .deliver(.digests(let digests, let vectorHash)):
            return compare(digests, at: vectorHash, link, catalog, log)
        case .deliver(let message): return [.deliver(link, message)]
        case .caughtUp:
            sessions[link]!.owed.digest = true
            return [.peerCaughtUp(link)]
        case .levelWithPeer:
            sessions[link]!.owed.digest = true
            return [.peerCaughtUp(link), .peerLevel(device)]
        case .exchanged(let vector, let isPeers):
            sharedVectors.keep(vector, of: device)
            return [.compared(link, isPeersVector: isPeers)]
        case .ownReplicaDiverged(let replica): return [.ownReplicaDiverged(replica)]
        case .close(let reason): return [.close(link, device, reason)]
        }
    }

    // MARK: Digests

    private func isComparable(_ link: LinkID, _ catalog: Catalog) -> Bool {
        sessions[link]?.hello?.foldLevel == UInt32(Catalog.level) && catalog.albums.count <= WireLimits.digestCountMax
    }

    /// What a peer is told of digests next.
    mutating func nextDigest(for link: LinkID, _ catalog: Catalog, _ log: BatchLog) -> Message? {
        guard let owed = sessions[link]?.owed else { return nil }
        if owed.digest {
            sessions[link]!.owed.digest = false
            let root = isComparable(link, catalog) ? digests.root(catalog, log) : []
            return .catalogDigest(root: root, vectorHash: digests.vectorHash(log))
        }
        guard owed.albumDigests else { return nil }
        sessions[link]!.owed.albumDigests = false
        return .digests(Digests.albumDigests(catalog), vectorHash: digests.vectorHash(log))
    }

    private mutating func compare(
        _ root: [UInt8], at theirHash: [UInt8], _ link: LinkID, _ catalog: Catalog, _ log: BatchLog
    ) -> [Directive] {
        guard theirHash == digests.vectorHash(log) else { return [] }
        if isComparable(link, catalog), !root.isEmpty, root != digests.root(catalog, log) {
            sessions[link]!.owed.albumDigests = true
        }
        return [.peerCaughtUp(link), .peerLevel(sessions[link]!.device)]
    }

    private mutating func compare(
        _ theirs: [AlbumDigest], at theirHash: [UInt8], _ link: LinkID, _ catalog: Catalog, _ log: BatchLog
    ) -> [Directive] {
        guard let device = sessions[link]?.device, isComparable(link, catalog), theirHash == digests.vectorHash(log)
        else { return [] }
        let digests = Dictionary(theirs.map { ($0.album, $0.digest) }) { first, _ in first }
        let all = Set(digests.keys).union(catalog.albums.keys)
        let wrong = all.filter { digests[$0] != catalog.albums[$0]?.digest }
        return wrong.isEmpty ? [] : [.digestMismatch(device, wrong.sorted())]
    }

    // MARK: Telling

    /// How many things besides batches and answers wait to be told to a peer.
    func owedCount(_ link: LinkID) -> Int { sessions[link]?.owed.count ?? 0 }

    /// Whether a peer reads what it is told, so that it may be told more.
    func mayTell(_ link: LinkID) -> Bool { sessions[link]?.mayTell ?? false }

    /// Takes note of a message that a peer was owed.
    ///
    /// - Returns: a question whose answer shows that the peer has read everything before it; now and then.
    mutating func noteTold(_ link: LinkID, _ byteCount: Int, now: MonotonicInstant) -> Message? {
        sessions[link]?.noteTold(byteCount, now: now)
    }

    // MARK: Questions

    /// Links with a connection, ordered.
    var links: [LinkID] { sessions.keys.sorted() }

    /// Links whose peers have not been heard of for a while.
    func quietLinks(now: MonotonicInstant) -> Set<LinkID> {
        Set(sessions.keys.filter { sessions[$0]!.liveness.isQuiet(now: now) })
    }

    /// Links whose peers have not answered a vector.
    var askedLinks: Set<LinkID> { Set(sessions.keys.filter { sessions[$0]!.vectors.isAsked }) }

    /// Links over which something may be sent now that something of these replicas is stored.
    func unsettledLinks(_ replicas: Set<ReplicaID>) -> Set<LinkID> {
        Set(sessions.keys.filter { sessions[$0]!.isUnsettled(replicas) })
    }

    /// When to feed ``Input/deadlineReached``.
    var nextDeadline: MonotonicInstant? {
        (sessions.values.flatMap(\.deadlines) + [nextRound].compactMap { $0 }).min()
    }
}
