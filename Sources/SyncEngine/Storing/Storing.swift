import AlbumModel
import WireFormat

/// Makes batches durable and folds them: what peers send, what a person carries here, and what this device contributes.
/// Only here does what is known grow. A value type without I/O.
///
/// It is group commit (DeWitt et al., “Implementation Techniques for Main Memory Database Systems”, SIGMOD 1984): one
/// transaction is outstanding, and the next one takes what queued up meanwhile. It departs from the paper:
/// - No transaction waits for others to join it: a lone photo is stored at once.
/// - A transaction is bounded (``StoreIntake/take()``), so that senders are acknowledged while much is waiting.
/// - Nothing counts before it is durable: no batch is folded, passed on or acknowledged while its transaction can fail. What
///   failed waits again in its old order, and is judged and drafted anew, since more may be known by then.
/// - Members do not trust each other: every batch is checked before it is stored (``PageJudge``).
struct Storing: Sendable {
    enum Input: Sendable {
        case contribute(token: UInt64, Contribution)
        /// A page that a person carried here.
        case carried(token: UInt64, BatchPage)
        case received(LinkID, BatchPage)
        case disconnected(LinkID)
        /// A blob is not here any more; it may be one that waits to be contributed.
        case lost(BlobID)
        /// A peer has changes of this replica that are not known here.
        case replicaDiverged(ReplicaID)
        /// The next transaction may begin; only while ``Storing/mayBegin``.
        case begin
        /// The outstanding transaction is durable.
        case stored
        /// The disk refused it, for the reason that the sentence names.
        case failed(String)
        case deadlineReached
    }

    enum Directive: Sendable {
        /// Make these durable in one transaction, and with them the replica that this device continues.
        case store([AcceptedBatch], ownReplica: ReplicaID?)
        case close(LinkID, CloseReason)
        /// A page had no batch that is new.
        case broughtNothing(LinkID)
        /// This device's next batch begins another replica.
        case replicaRenewed

        /// A batch was folded, which names these blobs.
        case named(NamedBlobs)
        /// A device that another one continues.
        case succeeded(DeviceID)
        /// What names a blob changed. `claims`: what new changes state of it.
        case renamed(BlobID, claims: [BlobClaim])
        /// More may be this device's own than before.
        case successionsChanged
        /// What was folded does not count after all: all has to be folded anew.
        case misjudged
        case catalogChanged(CatalogDifference)

        /// A page of the peer's is durable.
        case pageStored(LinkID, page: UInt64)
        /// A piece list that came with a page.
        case list(BlobID, PieceList)
        /// Batches are durable, and may be passed on. A link that brought one does not need it.
        case spread([AcceptedBatch], sources: [BatchID: LinkID])
        /// A blob is durable here, and its contribution is.
        case held(BlobID)
        /// A blob was lost before its contribution was durable.
        case lacking(BlobID)
        case carried(token: UInt64, CarriedOutcome)
        case contributed(token: UInt64, album: AlbumID?)
        case failed(String)
    }

    /// The fold of all batches that are known, …
    var catalog: Catalog
    /// … and these.
    var log: BatchLog
    /// The replica that this device continues.
    private(set) var own: OwnReplica
    private(set) var intake: StoreIntake
    /// Replicas that began under epochs whose keys are not held here.
    private var passedOver: Set<ReplicaID> = []
    private let passedOverCountMax: Int
    private let local: LocalDevice

    /// - Parameters:
    ///   - journal: the fold so far.
    ///   - replica: the replica that this device continues; `nil` for a new home, and for one that was copied or moved.
    init(of local: LocalDevice, journal: JournalFold, replica: ReplicaID?, limits: EngineLimits) {
        self.local = local
        catalog = journal.catalog
        log = journal.log
        own = OwnReplica(replica, of: local.id, journal)
        intake = StoreIntake(limits: limits)
        passedOverCountMax = limits.passedOverReplicaCountMax
    }

    /// - Parameter wall: microseconds since 1970.
    mutating func handle(
        _ input: Input, now: MonotonicInstant, wall: UInt64, using rng: inout some RandomNumberGenerator
    ) -> [Directive] {
        switch input {
        case .contribute(let token, let contribution): intake.append(contribution, token: token)
        case .carried(let token, let page): intake.append(page, token: token)
        case .received(let link, let page): return received(page, link)
        case .disconnected(let link): intake.linkClosed(link)
        case .lost(let blob): intake.noteLost(blob)
        case .replicaDiverged(let replica):
            // The home was restored from a backup.
            return own.giveUp(replica) ? [.replicaRenewed] : []
        case .begin: return begin(wall: wall, using: &rng)
        case .stored: return stored(wall: wall)
        case .failed(let reason):
            own.giveUpIfUnknown(log)
            intake.fail(now: now)
            return [.failed(reason)]
        case .deadlineReached: intake.retryIfDue(now: now)
        }
        return []
    }

    private mutating func received(_ page: BatchPage, _ link: LinkID) -> [Directive] {
        let isTaken = intake.append(page, from: link)
        let isAcknowledgedEarly = PlantedFault.isPlanted(.acknowledgedBeforeDurable)
        return (isTaken ? [] : [.close(link, .unexpectedMessage)])
            + (isAcknowledgedEarly ? [.pageStored(link, page: page.page)] : [])
    }

    // MARK: Transactions

    /// Something waits, and no transaction is outstanding.
    var mayBegin: Bool { intake.mayBegin }

    private mutating func begin(wall: UInt64, using rng: inout some RandomNumberGenerator) -> [Directive] {
        let (pages, contributions) = intake.take()
        var judge = PageJudge(log: log, own: own, passedOver: passedOver, signing: local.signing, wall: wall)
        for page in pages { judge.judge(page) }
        own = judge.own
        // What is not remembered ends the link that brings what follows it.
        if judge.pending.passedOver.count <= passedOverCountMax { passedOver = judge.pending.passedOver }
        var directives = judge.directives + fold(judge.repeated, wall: wall)

        let draft = draft(contributions)
        var pending = judge.pending
        if !draft.changes.isEmpty {
            let batch = own.sign(draft.changes, as: local, log, wall: wall, using: &rng)
            pending.append(batch, publicKey: local.signing.publicKey)
            intake.keepLists(draft.listedBlobs, of: batch.id)
        }
        let batches = pending.accepted
        intake.begin(
            StoreIntake.Transaction(
                pages: pages, contributions: contributions.dropLast(draft.rest.count), accepted: batches,
                sources: judge.sources, albums: draft.albums, blobs: draft.blobs, carried: judge.carried))
        // Nothing new in it: there is nothing to wait for.
        if batches.isEmpty { return directives + stored(wall: wall) }
        if PlantedFault.isPlanted(.sentBeforeDurable) { directives.append(.spread(batches, sources: judge.sources)) }
        let isOneForgotten = PlantedFault.isPlanted(.lastBatchNotStored)
        return directives + [.store(isOneForgotten ? batches.dropLast() : batches, ownReplica: own.id)]
    }

    /// What contributions come to; those that do not fit wait for the next transaction.
    private mutating func draft(_ contributions: [StoreIntake.Waiting]) -> BatchDraft {
        var draft = BatchDraft(catalog: catalog, device: local.id, formerDevice: local.signing.formerDevice)
        draft.take(contributions)
        if !PlantedFault.isPlanted(.restOfFullBatchForgotten) { intake.putBack(draft.rest) }
        return draft
    }

    /// The transaction is durable: its batches count from now on, and may be passed on.
    private mutating func stored(wall: UInt64) -> [Directive] {
        guard let done = intake.finish() else { return [] }
        var directives = fold(done.accepted, wall: wall)
        for page in done.pages {
            if let link = page.source.link, !PlantedFault.isPlanted(.acknowledgedBeforeDurable) {
                directives.append(.pageStored(link, page: page.page.page))
            }
            let lists = page.page.pieceLists.sorted { $0.key < $1.key }
            directives += lists.map { .list($0.key, $0.value) }
        }
        directives.append(.spread(done.accepted, sources: done.sources))
        directives += done.blobs.map { intake.lostMeanwhile.contains($0) ? .lacking($0) : .held($0) }
        intake.forgetLost()
        directives += done.carried.sorted { $0.key < $1.key }.map { .carried(token: $0.key, $0.value) }
        return directives + done.contributions.map { .contributed(token: $0.token, album: done.albums[$0.token]) }
    }

    /// Batches are known from now on: the log and the catalog follow, and then whatever names blobs by them.
    private mutating func fold(_ accepted: [AcceptedBatch], wall: UInt64) -> [Directive] {
        var difference = CatalogDifference()
        var claims: [BlobID: [BlobClaim]] = [:]
        var directives: [Directive] = []
        let wasMisjudged = log.isMisjudged
        for batch in accepted {
            let counts = log.insert(batch)
            // If it ever comes to count, what was signed here meanwhile is later.
            own.observe(batch, isOwn: batch.author == local.id, wall: wall)
            guard counts else { continue }
            catalog.apply(
                batch.batch, id: batch.id, author: batch.author, received: batch.received, noting: &difference)
            let blobs = NamedBlobs(in: batch, catalog)
            for name in blobs.named { if let claim = name.claim { claims[name.blob, default: []].append(claim) } }
            directives.append(.named(blobs))
            if let former = batch.batch.proof?.succession?.formerDevice { directives.append(.succeeded(former)) }
        }
        // Facts that name the same thumbnail by another change count: it is by that one that holders name it.
        let read = difference.readPhotos.compactMap { catalog.photo($0)?.facts?.thumbnail?.blob }
        let thumbnails = PlantedFault.isPlanted(.thumbnailsNotWanted) ? [] : difference.thumbnails.union(read)
        directives += Set(difference.photos.map(\.blob)).union(thumbnails).sorted().map {
            .renamed($0, claims: claims[$0] ?? [])
        }
        if accepted.contains(where: { $0.batch.proof?.succession != nil }) { directives.append(.successionsChanged) }
        if log.isMisjudged, !wasMisjudged { directives.append(.misjudged) }
        return difference.isEmpty ? directives : directives + [.catalogChanged(difference)]
    }

    // MARK: Questions

    /// Piece lists that travel with a page of these batches.
    func listsToPush(_ batches: [BatchID]) -> [BlobID] { intake.listsToPush(batches) }

    /// Pages received and not yet durable.
    var waitingPageCount: Int { intake.pageCount }

    /// When a failed transaction is tried again.
    var nextDeadline: MonotonicInstant? { intake.retryAt }
}
