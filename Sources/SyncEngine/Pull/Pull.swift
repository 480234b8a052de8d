import AlbumModel
import WireFormat

/// Gets the blobs that albums have and this device lacks, and answers those who get them from here. A value type without
/// I/O.
///
/// What is wanted follows from the catalog, a person's policies and hidden photos; ``PullScheduler`` decides which pieces
/// are asked of whom: the rarest first, with a twin of what is late at the end, as in BitTorrent (Cohen, “Incentives Build
/// Robustness in BitTorrent”, P2P Economics 2003). It departs from that:
/// - Rarity decides between photos of one age only: the newest come first, and single ones before those of an import.
/// - Nobody is choked: all are members. How much is asked of whom follows the rate at which it comes (``PeerWindow``).
/// - Receivers that know each other share the pieces of a sole holder without a word about it, and promise each other what
///   is still on its way (``Promises``).
/// - Answers to a peer that gathers a new photo from several others hold older ones back (``Yieldings``).
struct Pull: Sendable {
    enum Input: Sendable {
        case connected(LinkID, DeviceID)
        /// A greeted link stays. `takesNotices`: the peer has words for what is not pulled.
        case opened(LinkID, takesNotices: Bool)
        case closing(LinkID)
        case disconnected(LinkID)
        case meshChanged(isPartial: Bool)

        /// A blob is not here, or not any more.
        case lacking(BlobID)
        /// A blob is durable here.
        case held(BlobID)
        /// This device added a photo, or a thumbnail, whose blob is durable here.
        case added(BlobID)
        /// What names a blob changed. `claims`: what new changes say of it.
        case named(BlobID, claims: [BlobClaim])
        /// More may be this device's own than before.
        case succeeded
        case hidden([PhotoKey])
        case unhidden([PhotoKey])
        /// Somebody looks at a photo now whose bytes are not here.
        case awaited(BlobID)
        case policy(FetchPolicy)
        case terms(PullTerms)

        /// What the peer said that it holds is another set than before.
        case holdings(LinkID)
        case change(LinkID, PresenceChange)
        case part(LinkID, PartHeld)
        case fetching(LinkID, FetchingNotice)

        case requested(LinkID, PieceRequest)
        case cancelled(LinkID, number: UInt32)
        case listRequested(LinkID, BlobID)
        case refused(LinkID, number: UInt32, isPassing: Bool)
        /// `nil` for a link: the list came with a batch.
        case list(LinkID?, BlobID, PieceList?)
        /// Bytes of pieces arrive on a link, though none may be whole yet, or what arrived is being written.
        case progressed(LinkID)

        case receivingBegan(BlobID, held: [Bool])
        case receivingFailed(BlobID, String)
        case pieceStored(LinkID, number: UInt32, PieceOutcome)
        case committed(BlobID)
        case commitRejected(BlobID)
        case commitFailed(BlobID, String)

        case deadlineReached
        /// Inputs that came at one time are about to be judged.
        case judging
        /// They were judged; `mayMove`: they may change what can be asked of whom.
        case judged(mayMove: Bool)
    }

    enum Directive: Sendable {
        case pull(PullScheduler.Directive)
        case send(LinkID, Message)
        case sendPieceList(LinkID, BlobID, fitting: [BlobID])
        case serve(LinkID, PieceRequest)
        case servePart(LinkID, PieceRequest)
        case cancelServe(LinkID, number: UInt32)
        case yield(LinkID, to: UInt64)
        /// The peer was asked for a blob and does not have it.
        case denied(LinkID, BlobID)
        /// The peer sent a right piece of a blob.
        case proved(LinkID, BlobID)
        /// A contributor says something new of a blob that was wanted already.
        case reclaimed(BlobID)
    }

    var scheduler: PullScheduler
    /// Which originals this device pulls.
    var fetching: FetchPolicy
    /// Photos that are not to be seen here.
    var hidden: Set<PhotoKey>
    var peers: [LinkID: PullPeer] = [:]
    /// What the peers were told last of what is not pulled here.
    var toldFetching = FetchingNotice()
    var promises = Promises()
    var yieldings: Yieldings
    /// What this device added and nobody who pulls it has yet.
    var backlog = SharingBacklog()
    /// The urgency of the newest of all photos.
    var urgencyMax = ClockReading.zero
    /// ``PullScheduler/nextDeadline`` as of the last input that could change it: to find it costs a look at all wants.
    private var nextPull: MonotonicInstant?
    /// What is asked of whom is decided anew after these inputs.
    private var isPullDue = false
    let limits: EngineLimits

    /// - Parameters:
    ///   - catalog: of the journal so far.
    ///   - presence: who holds what.
    init(
        own: DeviceID, fetching: FetchPolicy, hidden: Set<PhotoKey>, catalog: Catalog, presence: PresenceExchange,
        limits: EngineLimits
    ) {
        self.fetching = fetching
        self.hidden = hidden
        self.limits = limits
        scheduler = PullScheduler(own: own, limits: limits)
        yieldings = Yieldings(limits: limits)
        // In the order of the queue, in which every one is put at its end.
        let missing = Set(catalog.blobs.lazy.filter { !presence.held.contains($0) })
            .union(catalog.thumbnailBlobs.lazy.filter { !presence.held.contains($0) })
        let urgencies = missing.map { (blob: $0, urgency: urgency(of: catalog.mentions(of: $0), presence)) }
        for (blob, _) in urgencies.sorted(by: { ($0.urgency, $0.blob) < ($1.urgency, $1.blob) }) {
            _ = want(blob, catalog, presence)
        }
        for album in catalog.albums.values {
            for (_, photo) in album.livePhotos {
                for add in photo.adds { urgencyMax = max(urgencyMax, add.order) }
            }
        }
        toldFetching = fetchingNotice
    }

    /// - Parameters:
    ///   - catalog: what albums have.
    ///   - presence: who holds what.
    ///   - wall: microseconds since 1970.
    mutating func handle(
        _ input: Input, catalog: Catalog, presence: PresenceExchange, wall: UInt64, now: MonotonicInstant,
        using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        switch input {
        case .connected(let link, let device): peers[link] = PullPeer(device: device, now: now)
        case .added(let blob): added(blob, catalog, presence)
        case .opened(let link, let takesNotices): opened(link, takesNotices: takesNotices, catalog, presence)
        case .closing(let link):
            peers[link]?.isClosing = true
            backlogTakersChanged(catalog)
        case .disconnected(let link):
            disconnected(link)
            backlogTakersChanged(catalog)
        case .meshChanged(let isPartial): scheduler.isMeshPartial = isPartial
        case .lacking(let blob):
            backlog.remove(blob)
            return want(blob, catalog, presence)
        case .held(let blob): return Self.pulls(scheduler.forget(blob))
        case .named(let blob, let claims): return named(blob, claims, catalog, presence)
        case .succeeded: return followSuccession(catalog, presence)
        case .hidden(let photos): return hide(photos, catalog)
        case .unhidden(let photos): return unhide(photos, catalog, presence)
        // It goes first, as a photo does that was added this moment.
        case .awaited(let blob): scheduler.hasten(blob, ClockReading(microseconds: wall))
        case .policy(let policy): return setPolicy(policy, catalog, presence)
        case .terms(let terms): return setTerms(terms)
        case .holdings(let link): look(link, catalog, presence, now: now)
        case .change(let link, let change): return changed(link, change, now: now)
        case .part(let link, let part): scheduler.setPart(link, part, now: now)
        case .fetching(let link, let notice):
            peers[link]?.notice = notice
            backlogTakersChanged(catalog)
        case .requested, .cancelled, .listRequested:
            return served(input, catalog, presence, now: now)
        case .refused, .list, .progressed, .receivingBegan, .receivingFailed, .pieceStored, .committed, .commitRejected,
            .commitFailed:
            return received(input, now: now)
        case .deadlineReached: return yieldings.endDue(now: now).map { .yield($0, to: 0) }
        case .judging: lookAgain(catalog, presence, now: now)
        case .judged(let mayMove): return assign(mayMove: mayMove, catalog, presence, now: now, using: &rng)
        }
        return []
    }

    /// As a method of the value its argument could not change that in place: Swift would copy all wants first.
    static func pulls(_ directives: [PullScheduler.Directive]) -> [Directive] { directives.map { .pull($0) } }

    // MARK: Links

    private mutating func opened(
        _ link: LinkID, takesNotices: Bool, _ catalog: Catalog, _ presence: PresenceExchange
    ) {
        guard let device = peers[link]?.device else { return }
        peers[link]!.open(takesNotices: takesNotices)
        scheduler.linkOpened(link, device: device)
        // What it said it held is asked of it until it says otherwise.
        setHolders(link, catalog, presence)
        owe(scheduler.parts, link)
        if toldFetching != FetchingNotice() { peers[link]!.oweFetching() }
    }

    private mutating func disconnected(_ link: LinkID) {
        peers[link] = nil
        scheduler.linkClosed(link)
        promises.forget(link)
        yieldings.forget(link)
    }

    // MARK: Who holds what is wanted

    private mutating func setHolders(_ link: LinkID, _ catalog: Catalog, _ presence: PresenceExchange) {
        guard let device = peers[link]?.device else { return }
        let holds = { (blob: BlobID) in presence.claims(device, blob, dots: catalog.mentions(of: blob).dots) }
        scheduler.setHolders(link, holds)
        for blob in backlog.blobs where holds(blob) { backlog.remove(blob) }
    }

    /// Looks through all wants for what the link's peer said that it holds: at once, or a while after it was last done.
    private mutating func look(
        _ link: LinkID, _ catalog: Catalog, _ presence: PresenceExchange, now: MonotonicInstant
    ) {
        let wantCount = scheduler.wants.count
        guard peers[link]?.look(wantCount: wantCount, limits: limits, now: now) == true else { return }
        setHolders(link, catalog, presence)
    }

    private mutating func lookAgain(_ catalog: Catalog, _ presence: PresenceExchange, now: MonotonicInstant) {
        let links = peers.keys.sorted().filter { peers[$0]!.mayLook(now: now) }
        for link in links { look(link, catalog, presence, now: now) }
        isPullDue = !links.isEmpty || nextPull.map { $0 <= now } ?? false
    }

    private mutating func changed(_ link: LinkID, _ change: PresenceChange, now: MonotonicInstant) -> [Directive] {
        for blob in change.held where !PlantedFault.isPlanted(.holderNewsIgnored) {
            scheduler.setHolder(link, of: blob, true)
        }
        for blob in change.lost { scheduler.setHolder(link, of: blob, false) }
        for blob in change.held { backlog.remove(blob) }
        return yieldings.end(link, ifWholeAre: change.held, now: now).map { [.yield(link, to: $0)] } ?? []
    }

    // MARK: Asking

    private mutating func assign(
        mayMove: Bool, _ catalog: Catalog, _ presence: PresenceExchange, now: MonotonicInstant,
        using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        var directives: [Directive] = []
        if isPullDue || mayMove {
            directives = Self.pulls(scheduler.assign(now: now, using: &rng))
            let nextLook = scheduler.hasWork ? now + limits.lookInterval : nil
            nextPull = [scheduler.nextDeadline, nextLook].compactMap { $0 }.min()
        }
        return directives + keepPromises(catalog, presence, now: now)
    }

    /// When something is to be looked at though nothing happens.
    var nextDeadline: MonotonicInstant? {
        ([nextPull, yieldings.nextDeadline] + peers.values.map(\.nextDeadline)).compactMap { $0 }.min()
    }
}

// MARK: - What the peers and the store answer

extension Pull {
    private mutating func received(_ input: Input, now: MonotonicInstant) -> [Directive] {
        switch input {
        case .refused(let link, let number, let isPassing):
            let (lacking, directives) = scheduler.refused(number, link: link, isPassing: isPassing, now: now)
            return (lacking.map { [.denied(link, $0)] } ?? []) + Self.pulls(directives)
        case .list(let link, let blob, let list): return listArrived(blob, list, from: link, now: now)
        case .progressed(let link): scheduler.progressed(link, now: now)
        case .receivingBegan(let blob, let held):
            return Self.pulls(scheduler.receivingBegan(blob, held: held, now: now))
        case .receivingFailed(let blob, let reason): return Self.pulls(scheduler.pause(blob, reason, now: now))
        case .pieceStored(let link, let number, let outcome):
            // Who sent a right piece has what it may have denied.
            let proved = scheduler.provedBlob(number, outcome)
            let directives = Self.pulls(scheduler.pieceStored(number, outcome, now: now))
            return (proved.map { [.proved(link, $0)] } ?? []) + directives
        case .committed(let blob): scheduler.committed(blob)
        case .commitRejected(let blob): scheduler.commitRejected(blob, now: now)
        case .commitFailed(let blob, let reason):
            // A blob that was forgotten meanwhile is not tried again: nothing of it stays in staging.
            let isForgotten = scheduler.wants[blob] == nil
            return (isForgotten ? [.pull(.abandon(blob))] : []) + Self.pulls(scheduler.pause(blob, reason, now: now))
        default: break
        }
        return []
    }

    private mutating func listArrived(
        _ blob: BlobID, _ list: PieceList?, from link: LinkID?, now: MonotonicInstant
    ) -> [Directive] {
        let denier = list == nil ? link.flatMap { scheduler.lacksWithoutList($0, blob) ? $0 : nil } : nil
        let directives = Self.pulls(scheduler.listArrived(blob, list, from: link, now: now))
        guard let denier else { return directives }
        scheduler.denied(blob, denier, isPassing: false, now: now)
        return [.denied(denier, blob)] + directives
    }
}
