public import AlbumModel
import WireFormat

/// One device's part in a gathering: what it knows, whom it talks to, and what it pulls.
///
/// A value type without I/O: equal inputs, times and random numbers give equal directives, byte for byte. The shell
/// around it performs the directives and reports what came of them as inputs.
public struct Engine: Sendable {
    public let device: DeviceID
    public internal(set) var catalog: Catalog
    public internal(set) var log: BatchLog

    let signing: any BatchSigning
    let limits: EngineLimits
    /// Drawn at start: tells this run of the agent from its earlier ones.
    let run: [UInt8]
    let port: UInt16
    /// The wall clock as of the last input, in microseconds since 1970.
    var wall: UInt64 = 0
    /// What the present inputs lead to, in the order in which it is to be done; empty between them.
    private var directives: [EngineDirective] = []
    /// Random numbers for the judgement of the present input.
    var dice = Dice(seed: 0)
    var clock: HybridClock
    /// The replica that this device continues; `nil` until the next own batch begins one.
    var replica: ReplicaID?
    var membership: Membership
    var broadcast: Broadcast
    var sessions: [LinkID: PeerSession] = [:]
    var pull: Pull
    var intake: StoreIntake
    /// Blobs that were lost while something waited to be stored, which may be their contribution.
    var lostMeanwhile: Set<BlobID> = []
    var presence: PresenceExchange
    var newsPace: NewsPace
    var sharedVectors: SharedVectors
    var digests = Digests()
    private var nextVectorRound: MonotonicInstant?

    /// - Parameters:
    ///   - journal: the fold so far, made with ``JournalFold``.
    ///   - held: blobs that are durable here.
    ///   - holdings: what devices said in earlier runs.
    ///   - replica: the replica that this device continues; `nil` for a new home, and for one that was copied or moved
    ///     to another machine.
    ///   - run: 16 random bytes.
    ///   - port: where this device listens; 0 if it does not.
    ///   - hidden: photos that are not to be seen here.
    public init(
        signing: any BatchSigning, journal: JournalFold, held: Set<BlobID>, holdings: HoldingsBook,
        replica: ReplicaID?, run: [UInt8], port: UInt16, fetching: FetchPolicy = FetchPolicy(),
        hidden: Set<PhotoKey> = [],
        limits: EngineLimits = EngineLimits()
    ) {
        device = BatchSignature.deviceID(publicKey: signing.publicKey)
        self.signing = signing
        self.limits = limits
        self.run = run
        self.port = port
        catalog = journal.catalog
        log = journal.log
        clock = journal.clock(of: device)
        // Nobody continues a replica that is known to be forked.
        self.replica = replica.flatMap { journal.log.soleHead(of: $0) == nil ? nil : $0 }
        intake = StoreIntake(limits: limits)
        presence = PresenceExchange(
            own: device, run: run, signing: signing, held: held, holdings: holdings, catalog: journal.catalog,
            limits: limits)
        pull = Pull(
            own: device, fetching: fetching, hidden: hidden, catalog: journal.catalog, presence: presence,
            limits: limits)
        newsPace = NewsPace(interval: limits.announceInterval)
        broadcast = Broadcast(limits: limits)
        sharedVectors = SharedVectors(
            countMax: limits.sharedVectorCountMax, replicaCountMax: limits.sharedReplicaCountMax)
        membership = Membership(own: device, signing: signing, limits: limits)
    }

    /// Judges inputs in their order, and then once what follows from all of them.
    ///
    /// - Parameters:
    ///   - inputs: what came at one time: what is asked of whom is decided after the last.
    ///   - now: must never be earlier than at the last call.
    ///   - wall: microseconds since 1970, as this machine has it.
    public mutating func handle(
        _ inputs: [EngineInput], now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator
    ) -> [EngineDirective] {
        self.wall = wall
        dice = Dice(seed: rng.next())
        toPull(.judging, now: now)
        for input in inputs { perform(input, now: now) }
        startStore(now: now)
        tellNews(now: now)
        toPull(.judged(mayMove: inputs.contains(where: \.mayMovePulls)), now: now)
        toPresence(.judged, now: now)
        for dial in membership.due(now: now, using: &dice) { emit(.dial(dial)) }
        defer { directives = [] }
        return directives
    }

    /// Judges one input.
    public mutating func handle(
        _ input: EngineInput, now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator
    ) -> [EngineDirective] {
        handle([input], now: now, wall: wall, using: &rng)
    }

    /// When to feed ``EngineInput/deadlineReached``; `nil` while idle. Read again after every call of `handle`.
    public var nextDeadline: MonotonicInstant? {
        var deadlines = sessions.values.flatMap(\.deadlines)
        deadlines += [
            pull.nextDeadline, membership.nextDeadline, nextVectorRound, intake.retryAt, broadcast.nextDeadline,
            presence.rememberAt,
        ].compactMap { $0 }
        deadlines += tellingDeadlines
        return deadlines.min()
    }

    mutating func emit(_ directive: EngineDirective) { directives.append(directive) }

    private mutating func perform(_ input: EngineInput, now: MonotonicInstant) {
        switch input {
        case .connected(let link, let device, let address, let key):
            connected(link, device, address, key, now: now)
            if nextVectorRound == nil { nextVectorRound = now + limits.vectorInterval }
        case .disconnected(let link):
            disconnected(link, now: now)
            if sessions.isEmpty { nextVectorRound = nil }
        case .received(let link, let message): received(message, link, now: now)
        case .pieceStored(let link, let number, let outcome):
            sessions[link]?.heard(now: now)
            toPull(.pieceStored(link, number: number, outcome), now: now)
            if PlantedFault.isPlanted(.blobAnnouncedBeforeCommit) {
                for case .commit(let blob) in directives { toPresence(.held(blob), now: now) }
            }
        case .heard(let link, let byteCount):
            if byteCount > 0 { sessions[link]?.heard(now: now) }
            if byteCount >= limits.progressByteCountMin { toPull(.progressed(link), now: now) }
        case .taken(let link, let byteCount):
            if byteCount >= limits.progressByteCountMin { sessions[link]?.took(now: now) }
        case .contribute(let token, let contribution):
            intake.append(contribution, token: token)
            if let blob = contribution.takenIn { lostMeanwhile.remove(blob) }
        case .carried(let token, let page): intake.append(page, token: token)
        case .stored: stored(now: now)
        case .storeFailed(let reason): storeFailed(reason, now: now)
        case .receivingBegan(let blob, let pieces):
            toPull(.receivingBegan(blob, held: pieces), now: now)
        case .receivingFailed(let blob, let reason): toPull(.receivingFailed(blob, reason), now: now)
        case .commitFailed(let blob, let reason): toPull(.commitFailed(blob, reason), now: now)
        case .committed(let blob):
            toPull(.committed(blob), now: now)
            toPresence(.held(blob), now: now)
        case .commitRejected(let blob):
            if PlantedFault.isPlanted(.unverifiedWholeTaken) { toPresence(.held(blob), now: now) }
            toPull(.commitRejected(blob), now: now)
        case .holdingsRemembered(let numbers):
            toPresence(.numbersWritten(numbers), now: now)
        case .blobCarried(let blob): toPresence(.held(blob), now: now)
        case .blobLost(let blob):
            if !intake.isIdle { lostMeanwhile.insert(blob) }
            toPresence(.lost(blob), now: now)
        case .hidden(let photos): toPull(.hidden(photos), now: now)
        case .unhidden(let photos): toPull(.unhidden(photos), now: now)
        case .awaited(let blob): toPull(.awaited(blob), now: now)
        case .learned(let key, let addresses, let source):
            toMembership(.learned(key, addresses, source), now: now)
        case .ownAddresses(let addresses): toMembership(.ownAddresses(addresses), now: now)
        case .announcementEnded(let key): toMembership(.announcementEnded(key), now: now)
        case .networkChanged: toMembership(.networkChanged, now: now)
        case .dialFailed(let key, let isStranger):
            toMembership(.dialFailed(key, isStranger: isStranger), now: now)
        case .deadlineReached: deadlineReached(now: now)
        case .pullTerms(let terms): toPull(.terms(terms), now: now)
        case .fetchPolicy(let policy): toPull(.policy(policy), now: now)
        }
    }

    private mutating func deadlineReached(now: MonotonicInstant) {
        for link in sessions.keys.sorted() {
            guard let outcome = sessions[link]?.deadlineReached(now: now) else { continue }
            perform(outcome, link, now: now)
            let answer = sessions[link]?.compareWaiting(log: log, own: replica, now: now) ?? []
            perform(answer, link, now: now)
        }
        intake.retryIfDue(now: now)
        toPull(.deadlineReached, now: now)
        let unanswered = Set(sessions.keys.filter { sessions[$0]!.isAsked })
        toBroadcast(.deadlineReached(unanswered: unanswered), now: now)
        guard let round = nextVectorRound, round <= now else { return }
        nextVectorRound = now + limits.vectorInterval
        let ready = sessions.keys.sorted().filter { sessions[$0]!.isReconciling }
        if let link = ready.randomElement(using: &dice), !PlantedFault.isPlanted(.neverComparesAgain) {
            perform(sessions[link]!.askAgain(log: log), link, now: now)
            toPresence(.ask(link), now: now)
        }
        toMembership(.turn, now: now)
    }
}
