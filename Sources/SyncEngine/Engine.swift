public import AlbumModel
import WireFormat

/// One device's part in a gathering: what it knows, whom it talks to, and what it pulls.
///
/// A value type without I/O: equal inputs, times and random numbers give equal directives, byte for byte. The shell
/// around it performs the directives and reports what came of them as inputs.
public struct Engine: Sendable {
    let local: LocalDevice
    let limits: EngineLimits
    /// The wall clock as of the last input, in microseconds since 1970.
    var wall: UInt64 = 0
    /// What the present inputs lead to, in the order in which it is to be done; empty between them.
    private var directives: [EngineDirective] = []
    /// When to feed ``EngineInput/deadlineReached``; `nil` while idle. Read again after every call of `handle`.
    public private(set) var nextDeadline: MonotonicInstant?
    /// What this device added is so far ahead of all who pull it that they go before what else is to be added.
    public private(set) var isAhead = false
    /// Random numbers for the judgement of the present input.
    var dice = Dice(seed: 0)
    var membership: Membership
    var broadcast: Broadcast
    var reconciliation: Reconciliation
    var storing: Storing
    var presence: PresenceExchange
    var pull: Pull
    var newsPace: NewsPace
    var rulingExchange: RulingExchange
    /// As of which a change was told last.
    var standing: EpochStanding

    /// - Parameters:
    ///   - journal: the fold so far, made with ``JournalFold`` by the cuts of the same rulings (``RulingBook/cuts(on:)``).
    ///   - held: blobs that are durable here.
    ///   - holdings: what devices said in earlier runs.
    ///   - replica: the replica that this device continues; `nil` for a new home, and for one that was copied or moved
    ///     to another machine.
    ///   - run: 16 random bytes.
    ///   - port: where this device listens; 0 if it does not.
    ///   - hidden: photos that are not to be seen here.
    ///   - rulings: what hosts decided, as far as it was kept.
    public init(
        signing: any BatchSigning, journal: JournalFold, held: Set<BlobID>, holdings: HoldingsBook,
        replica: ReplicaID?, run: [UInt8], port: UInt16, fetching: FetchPolicy = FetchPolicy(),
        hidden: Set<PhotoKey> = [], rulings: RulingBook = RulingBook(), limits: EngineLimits = EngineLimits()
    ) {
        local = LocalDevice(signing: signing, run: run, port: port)
        self.limits = limits
        membership = Membership(own: local.id, signing: signing, limits: limits)
        broadcast = Broadcast(limits: limits)
        reconciliation = Reconciliation(limits: limits)
        storing = Storing(of: local, journal: journal, replica: replica, limits: limits)
        presence = PresenceExchange(
            of: local, held: held, holdings: holdings, catalog: journal.catalog, limits: limits)
        pull = Pull(
            own: local.id, fetching: fetching, hidden: hidden, catalog: journal.catalog, presence: presence,
            limits: limits)
        newsPace = NewsPace(interval: limits.announceInterval)
        rulingExchange = RulingExchange(rulings, signing: signing, limits: limits)
        let evidence = RollEvidence(journal.log, journal.catalog, using: signing)
        standing = EpochStanding(evidence.roll(rulings), rulings, on: local.id)
        presence.setOut(standing.run.out)
        nextDeadline = earliestDeadline
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
        while storing.mayBegin { toStoring(.begin, now: now) }
        tellNews(now: now)
        toPull(.judged(mayMove: inputs.contains(where: \.mayMovePulls)), now: now)
        toPresence(.judged, now: now)
        for dial in membership.due(now: now, using: &dice) { emit(.dial(dial)) }
        nextDeadline = earliestDeadline
        isAhead = pull.isAhead
        defer { directives = [] }
        return directives
    }

    /// Judges one input.
    public mutating func handle(
        _ input: EngineInput, now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator
    ) -> [EngineDirective] {
        handle([input], now: now, wall: wall, using: &rng)
    }

    /// Kept once inputs are judged: to ask a computed property, a class that has the engine, as in the agent, copies it all.
    private var earliestDeadline: MonotonicInstant? {
        let deadlines = [
            pull.nextDeadline, membership.nextDeadline, reconciliation.nextDeadline, storing.nextDeadline,
            broadcast.nextDeadline, presence.rememberAt, rulingExchange.nextDeadline,
        ]
        return (deadlines.compactMap { $0 } + tellingDeadlines).min()
    }

    public var device: DeviceID { local.id }

    mutating func emit(_ directive: EngineDirective) { directives.append(directive) }

    private mutating func perform(_ input: EngineInput, now: MonotonicInstant) {
        switch input {
        case .connected(let link, let peer, let address, let key):
            connected(link, peer, address, key, now: now)
        case .disconnected(let link): disconnected(link, now: now)
        case .received(let link, let message): toReconciliation(.received(link, message), now: now)
        case .pieceStored(let link, let number, let outcome):
            toReconciliation(.heard(link), now: now)
            toPull(.pieceStored(link, number: number, outcome), now: now)
            // Also where the request was taken back, or the want given up, while it was written.
            if case .committed(let blob) = outcome { toPresence(.held(blob), now: now) }
            if PlantedFault.isPlanted(.blobAnnouncedBeforeCommit) {
                for case .commit(let blob) in directives { toPresence(.held(blob), now: now) }
            }
        case .heard(let link, let byteCount):
            if byteCount > 0 { toReconciliation(.heard(link), now: now) }
            if byteCount >= limits.progressByteCountMin { toPull(.progressed(link), now: now) }
        case .writing(let link): toPull(.progressed(link), now: now)
        case .taken(let link, let byteCount):
            if byteCount >= limits.progressByteCountMin { toReconciliation(.took(link), now: now) }
        case .contribute(let token, let contribution):
            toStoring(.contribute(token: token, contribution), now: now)
        case .carried(let token, let page): toStoring(.carried(token: token, page), now: now)
        case .summaryWanted: toPresence(.summaryWanted(tree: treeLinks), now: now)
        case .carriedSummaries(let statements):
            toPresence(.carriedSummaries(statements, tree: treeLinks), now: now)
        case .stored: toStoring(.stored, now: now)
        case .storeFailed(let reason): toStoring(.failed(reason), now: now)
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
            toStoring(.lost(blob), now: now)
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
        case .rule(let token, let kind): toRulings(.rule(token: token, [kind]), now: now)
        case .newPhrase(let token, let seed, let out, let recovery):
            beginEpoch(seed, puttingOut: out, recovery: recovery, token: token, now: now)
        case .letIn(let token, let devices, let recovery): letIn(devices, recovery: recovery, token: token, now: now)
        case .caughtUp(let token, let rulings, let seeds):
            toRulings(.caughtUp(token: token, rulings, seeds: seeds), now: now)
        case .foundingJudged(let founding, let fits): toRulings(.judged(founding, fits: fits), now: now)
        case .rulingsStored: toRulings(.stored, now: now)
        case .rulingsNotStored(let reason): toRulings(.failed(reason), now: now)
        }
    }

    private mutating func deadlineReached(now: MonotonicInstant) {
        toReconciliation(.deadlineReached, now: now)
        toStoring(.deadlineReached, now: now)
        toPull(.deadlineReached, now: now)
        toRulings(.deadlineReached, now: now)
        toBroadcast(.deadlineReached(unanswered: reconciliation.askedLinks), now: now)
        toReconciliation(.roundDue, now: now)
    }
}
