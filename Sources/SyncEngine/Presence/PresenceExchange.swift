import AlbumModel
import WireFormat

/// Who holds which blobs: this device tells its peers what it holds, and keeps what every other device said. A value type
/// without I/O.
///
/// A connected peer is told all that is held, or what changed since it last heard (``OwnPresence``). Of devices that are
/// away signed summaries are kept and passed on: Scuttlebutt (van Renesse, Dumitriu, Gough and Thomas, “Efficient
/// Reconciliation and Flow Control for Anti-Entropy Protocols”, LADIS 2008), in which peers tell each other the numbers of
/// the newest values that they have, and send what is newer. It departs from the paper:
/// - There is one value for each device, all that it holds, told as what changed since the one that the peer has.
/// - New values are pushed along the tree of ``Broadcast`` as well; numbers are compared at connecting and now and then.
/// - Members do not trust each other: each value is signed, and its number comes from its signer, who writes it down before
///   it is used (``SummaryNumbers``).
/// - Summaries have a fixed share of a link, the shortest first, in place of a rate that adapts.
/// - What a device says over a connection counts before its summaries (``HoldingsBook``).
struct PresenceExchange: Sendable {
    enum Input: Sendable {
        /// A connection began; ``greeting(_:wall:)`` is what the own hello says.
        case connected(LinkID, DeviceID)
        case greeted(LinkID, Hello)
        /// A greeted link stays. One side asks for summaries, and the other asks back.
        case opened(LinkID, asksForSummaries: Bool)
        case closing(LinkID)
        case disconnected(LinkID)

        /// A blob is durable here.
        case held(BlobID)
        /// A blob is not here, or not any more.
        case lost(BlobID)
        /// A batch was applied.
        case named(NamedBlobs)
        /// What names a blob changed: where it is held, it is told of by that.
        case renamed(BlobID)

        case told(LinkID, Presence, counter: UInt64)
        case changed(LinkID, PresenceChange)
        /// The peer was asked for a blob and does not have it.
        case denied(LinkID, BlobID)
        /// The peer sent a right piece of a blob.
        case proved(LinkID, BlobID)
        /// A contributor says something new of a blob: those who denied it may have been asked for what does not exist.
        case reclaimed(BlobID)
        /// Another device goes on from this one.
        case succeeded(DeviceID)

        /// `tree`: links over which news is pushed.
        case summaries(LinkID, [SignedStatement], tree: [LinkID])
        /// A person carried them here.
        case carriedSummaries([SignedStatement], tree: [LinkID])
        case summaryDifferences(LinkID, [SummaryDifference], tree: [LinkID])
        case asked(LinkID, SummaryVersions)
        /// The peer is to be asked for all summaries that are newer than those here.
        case ask(LinkID)
        /// Everything is known that the peer knew.
        case level(LinkID)
        /// Somebody carries away what is held here: it is signed now, also where nobody is there.
        case summaryWanted(tree: [LinkID])
        /// The next run of the agent knows that summaries may have numbers up to this one.
        case numbersWritten(UInt64)

        /// Time went by while there are links.
        case turn(tree: [LinkID])
        /// What has gathered is to be told now, whether or not anybody is there: whoever connects later is told everything
        /// that changed.
        case announce
        /// All inputs that came at one time were judged.
        case judged
    }

    enum Directive: Sendable {
        case held(BlobID)
        case lacking(BlobID)
        /// What the peer holds is another set than before.
        case holdings(LinkID)
        case change(LinkID, PresenceChange)
        /// Keep what these devices said for the next run.
        case remember([DeviceID])
    }

    /// Blobs that are durable here.
    var held: Set<BlobID>
    /// What other devices said that they hold.
    var holdings: HoldingsBook
    var own: OwnPresence
    var news: PresenceNews
    var peers: [LinkID: PresencePeer] = [:]
    /// When what changed in ``holdings`` is to be remembered; `nil` where nothing did.
    private(set) var rememberAt: MonotonicInstant?
    let local: LocalDevice
    let limits: EngineLimits

    /// - Parameter catalog: of the journal so far.
    init(
        of local: LocalDevice, held: Set<BlobID>, holdings: HoldingsBook, catalog: Catalog, limits: EngineLimits
    ) {
        self.local = local
        self.held = held
        self.holdings = holdings
        self.limits = limits
        own = OwnPresence(of: catalog) { held.contains($0) }
        news = PresenceNews(limits: limits)
        self.holdings.begin(as: local.id)
        for former in formerDevices(catalog) { self.holdings.retire(former) }
    }

    /// - Parameters:
    ///   - catalog: what names blobs.
    ///   - log: batches that are known.
    ///   - wall: microseconds since 1970.
    mutating func handle(
        _ input: Input, catalog: Catalog, log: BatchLog, wall: UInt64, now: MonotonicInstant
    ) -> [Directive] {
        switch input {
        case .connected(let link, let device):
            peers[link] = PresencePeer(device: device, known: holdings, limits: limits, now: now)
        case .greeted(let link, let hello): peers[link]?.hello = hello
        case .opened(let link, let asksForSummaries): opened(link, asksForSummaries: asksForSummaries)
        case .closing(let link): peers[link]?.isClosing = true
        case .disconnected(let link): disconnected(link, wall: wall)
        case .held(let blob): return noteHeld(blob, catalog)
        case .lost(let blob): return noteLost(blob, catalog)
        case .named(let blobs): note(blobs)
        case .renamed(let blob):
            if held.contains(blob), !catalog.mentions(of: blob).dots.isEmpty { news.blobs.insert(blob) }
        case .told(let link, let presence, let counter): return told(link, presence, counter, wall: wall)
        case .changed(let link, let change): return changed(link, change, catalog, wall: wall)
        case .denied(let link, let blob): if let device = peers[link]?.device { holdings.deny(device, blob) }
        case .proved(let link, let blob):
            if let device = peers[link]?.device { holdings.retractDenial(device, blob) }
        case .reclaimed(let blob): holdings.reconsider(blob)
        case .succeeded(let former): holdings.retire(former)
        case .summaries(let link, let statements, let tree):
            take(statements, from: link, tree: tree, catalog: catalog, log: log, wall: wall, now: now)
        case .carriedSummaries(let statements, let tree):
            take(statements, from: nil, tree: tree, catalog: catalog, log: log, wall: wall, now: now)
            return remember(now: now)
        case .summaryDifferences(let link, let differences, let tree):
            take(differences, from: link, tree: tree, catalog: catalog, log: log, wall: wall, now: now)
        case .asked(let link, let versions): peers[link]?.summaries.wasAsked(versions)
        case .ask(let link): peers[link]?.summaries.asksForAll = true
        case .level(let link): peers[link]?.askAgain()
        case .summaryWanted(let tree):
            news.wantSummary(now: now)
            if news.isSummaryDue(now: now) { signSummary(tree: tree, log: log, wall: wall, now: now) }
            rememberAt = now
            return remember(now: now)
        case .numbersWritten(let reserved):
            holdings.numbersWritten(reserved)
            news.numbersWritten(now: now)
            // Else the next turn does.
            if peers.isEmpty, news.isSummaryDue(now: now) { signSummary(tree: [], log: log, wall: wall, now: now) }
        case .turn(let tree): if news.isSummaryDue(now: now) { signSummary(tree: tree, log: log, wall: wall, now: now) }
        case .announce: announce(now: now)
        case .judged: return remember(now: now)
        }
        return []
    }

    // MARK: Links

    /// What the own hello says over a link that was just connected: as far as which point of the peer's changes is known
    /// here, and the number up to which the own summaries are older than what is said now.
    mutating func greeting(_ link: LinkID, wall: UInt64) -> (known: PresencePosition?, summaryNumber: UInt64) {
        (peers[link]?.base?.position, holdings.toldNumber(wall: wall))
    }

    /// A peer learns what is held here: what changed since it last heard, or everything.
    private mutating func opened(_ link: LinkID, asksForSummaries: Bool) {
        let told = peers[link]?.hello?.known.flatMap { $0.run == local.run ? $0.counter : nil }
        let counter = own.counter
        let isUntold = PlantedFault.isPlanted(.changesMeanwhileUntold)
        peers[link]?.owePresence(since: isUntold ? told.map { _ in counter } : told)
        if asksForSummaries { peers[link]?.summaries.asksForAll = true }
    }

    private mutating func disconnected(_ link: LinkID, wall: UInt64) {
        guard let peer = peers.removeValue(forKey: link),
            !peers.values.contains(where: { $0.device == peer.device && $0.hasSpoken }),
            !PlantedFault.isPlanted(.leftDeviceStaysPresent)
        else { return }
        holdings.left(
            peer.device, summaryNumber: peer.summaryFloor, isNumberTold: peer.tellsSummaryNumber, wall: wall)
    }

    // MARK: What is held here

    private mutating func noteHeld(_ blob: BlobID, _ catalog: Catalog) -> [Directive] {
        guard held.insert(blob).inserted else { return [] }
        own.set(catalog.namingDots(of: blob), isHeld: true)
        news.blobs.insert(blob)
        return [.held(blob)]
    }

    private mutating func noteLost(_ blob: BlobID, _ catalog: Catalog) -> [Directive] {
        guard held.remove(blob) != nil else { return [.lacking(blob)] }
        if !PlantedFault.isPlanted(.lossLeftInRuns) { own.set(catalog.namingDots(of: blob), isHeld: false) }
        if !PlantedFault.isPlanted(.ownLossesUnannounced) { news.blobs.insert(blob) }
        return PlantedFault.isPlanted(.lostBlobNotWanted) ? [] : [.lacking(blob)]
    }

    private mutating func note(_ blobs: NamedBlobs) {
        for name in blobs.named { own.insert(name.dot, name.blob, added: name.added, isHeld: held.contains(name.blob)) }
        for dot in blobs.withdrawn { own.withdraw(dot) }
    }

    // MARK: What peers hold

    private mutating func told(
        _ link: LinkID, _ presence: Presence, _ counter: UInt64, wall: UInt64
    ) -> [Directive] {
        peers[link]?.spoke()
        guard let peer = peers[link], let hello = peer.hello else { return [] }
        holdings.replace(
            peer.device, presence.cut(to: limits.presenceByteCountMax),
            position: PresencePosition(run: hello.run, counter: counter), summaryNumber: peer.summaryFloor, wall: wall)
        return [.holdings(link)]
    }

    private mutating func changed(
        _ link: LinkID, _ change: PresenceChange, _ catalog: Catalog, wall: UInt64
    ) -> [Directive] {
        guard let peer = peers[link], let hello = peer.hello else { return [] }
        let isTaken = holdings.change(
            peer.device, change, run: hello.run, base: peer.base, summaryNumber: peer.summaryFloor, wall: wall
        ) { catalog.contains($0) }
        if isTaken { peers[link]!.spoke() }
        return [.change(link, change)]
    }

    // MARK: News

    private mutating func announce(now: MonotonicInstant) {
        guard !news.blobs.isEmpty else { return }
        own.count(news.take(now: now), limits: limits)
        for link in peers.keys where peers[link]!.isGreeted { peers[link]!.isPresenceDue = true }
    }

    /// What others hold survives restarts: after a crash this device knows no more than it did, and never that somebody
    /// holds what that device said to be lost. It is remembered soon where somebody said that it holds less, else a while
    /// after the first change.
    private mutating func remember(now: MonotonicInstant) -> [Directive] {
        guard holdings.hasUnsaved else { return [] }
        if holdings.hasUnsavedLoss, !PlantedFault.isPlanted(.lossesRememberedLate) { rememberAt = now }
        guard let due = rememberAt else {
            rememberAt = now + limits.rememberInterval
            return []
        }
        guard due <= now else { return [] }
        rememberAt = nil
        return [.remember(holdings.takeUnsaved())]
    }

    /// Blobs came or went that peers were not told of.
    var hasNews: Bool { !news.blobs.isEmpty }

    // MARK: Deadlines

    /// When a summary is to be signed; counts while there are links.
    var summaryDeadline: MonotonicInstant? { news.summaryAt }

    /// When something may be told to a peer that waits for its time.
    func nextDeadline(for link: LinkID) -> MonotonicInstant? { peers[link]?.summaries.nextDeadline }
}
