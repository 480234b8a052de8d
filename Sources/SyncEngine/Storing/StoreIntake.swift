import AlbumModel
import WireFormat

/// What waits to be made durable, and what is being made so. One transaction runs at a time and takes all that queued
/// up, so work in a queue shares a commit and a lone photo waits for nobody.
struct StoreIntake: Sendable {
    struct Page: Sendable {
        var source: Source
        var page: BatchPage
    }

    /// Who brought a page.
    enum Source: Hashable, Sendable {
        case link(LinkID)
        /// A person, who waits for what becomes of it.
        case carried(token: UInt64)

        var link: LinkID? {
            if case .link(let link) = self { link } else { nil }
        }
    }

    struct Waiting: Sendable {
        var token: UInt64
        var contribution: Contribution
    }

    /// The outstanding transaction.
    struct Transaction: Sendable {
        var pages: [Page] = []
        var contributions: [Waiting] = []
        var accepted: [AcceptedBatch] = []
        /// From which link a batch came; own ones came from none.
        var sources: [BatchID: LinkID] = [:]
        /// The album of each contribution.
        var albums: [UInt64: AlbumID] = [:]
        /// Blobs whose photos this device contributes.
        var blobs: [BlobID] = []
        /// What became of pages that a person carried here.
        var carried: [UInt64: CarriedOutcome] = [:]
    }

    private var pages: [Page] = []
    private var contributions: [Waiting] = []
    private(set) var transaction: Transaction?
    /// Blobs that were lost while something waited to be stored, which may be their contribution.
    private(set) var lostMeanwhile: Set<BlobID> = []
    /// After a failure: when to try again.
    private(set) var retryAt: MonotonicInstant?
    /// Blobs with piece lists in own batches, for pushing both together; the latest batches only.
    private var ownLists: [BatchID: [BlobID]] = [:]
    private var ownListOrder: [BatchID] = []
    private let limits: EngineLimits

    init(limits: EngineLimits) {
        self.limits = limits
    }

    /// Received and not yet durable.
    var pageCount: Int { pages.count + (transaction?.pages.count ?? 0) }

    var isIdle: Bool { transaction == nil && pages.isEmpty && contributions.isEmpty }

    var mayBegin: Bool { transaction == nil && retryAt == nil && !(pages.isEmpty && contributions.isEmpty) }

    mutating func append(_ contribution: Contribution, token: UInt64) {
        contributions.append(Waiting(token: token, contribution: contribution))
        if let blob = contribution.takenIn { lostMeanwhile.remove(blob) }
    }

    mutating func noteLost(_ blob: BlobID) { if !isIdle { lostMeanwhile.insert(blob) } }

    /// Once nothing waits, a loss concerns nothing that was contributed before.
    mutating func forgetLost() { if isIdle { lostMeanwhile.removeAll() } }

    /// Whoever carries pages brings one at a time.
    mutating func append(_ page: BatchPage, token: UInt64) {
        pages.append(Page(source: .carried(token: token), page: page))
    }

    /// - Returns: false if the peer sent more pages than were acknowledged to it: it does not keep to the protocol.
    mutating func append(_ page: BatchPage, from link: LinkID) -> Bool {
        let outstanding = (pages + (transaction?.pages ?? [])).count { $0.source.link == link }
        guard outstanding < limits.pageWindow else { return false }
        pages.append(Page(source: .link(link), page: page))
        return true
    }

    /// Pages of a lost connection are still worth storing, unless the disk is so slow that they pile up: the next
    /// connection brings them again.
    mutating func linkClosed(_ link: LinkID) {
        // Half of the room is for those, the other half for the windows of eight live links.
        if pages.count > limits.waitingPageCountMax / 2 { pages.removeAll { $0.source.link == link } }
    }

    /// What the next transaction is made of: pages until they have so many bytes, contributions up to one batch.
    mutating func take() -> (pages: [Page], contributions: [Waiting]) {
        var byteCount = 0
        var taken: [Page] = []
        while let page = pages.first, taken.isEmpty || byteCount < limits.transactionPageByteCount {
            byteCount += page.page.batches.reduce(0) { $0 + $1.byteCount }
            taken.append(pages.removeFirst())
        }
        let own = Array(contributions.prefix(limits.changesPerBatchMax))
        contributions.removeFirst(own.count)
        return (taken, own)
    }

    /// Contributions that did not fit into the batch.
    mutating func putBack(_ waiting: [Waiting]) { contributions.insert(contentsOf: waiting, at: 0) }

    mutating func begin(_ transaction: Transaction) { self.transaction = transaction }

    mutating func finish() -> Transaction? {
        defer { transaction = nil }
        return transaction
    }

    /// The disk refused the transaction: everything waits, in its old order.
    mutating func fail(now: MonotonicInstant) {
        guard let failed = finish(), !PlantedFault.isPlanted(.failedStoreForgotten) else { return }
        pages.insert(contentsOf: failed.pages, at: 0)
        contributions.insert(contentsOf: failed.contributions, at: 0)
        retryAt = now + limits.diskRetryInterval
    }

    mutating func retryIfDue(now: MonotonicInstant) {
        if let retryAt, retryAt <= now, !PlantedFault.isPlanted(.storeNeverRetried) { self.retryAt = nil }
    }

    mutating func keepLists(_ blobs: [BlobID], of batch: BatchID) {
        guard !blobs.isEmpty else { return }
        ownLists[batch] = blobs
        ownListOrder.append(batch)
        if ownListOrder.count > limits.listedBatchCountMax { ownLists[ownListOrder.removeFirst()] = nil }
    }

    /// Piece lists that travel with a page, within the page's allowance.
    func listsToPush(_ batches: [BatchID]) -> [BlobID] {
        let blobs = batches.flatMap { ownLists[$0] ?? [] }
        let most = WireLimits.pushedListByteCountMax / (WireLimits.pushedListPieceCountMax * BlobID.byteCount)
        return Array(blobs.prefix(most))
    }
}

extension Contribution {
    /// The blob that the store has just taken in for it.
    fileprivate var takenIn: BlobID? {
        switch self {
        case .photo(_, let file), .photoInAlbum(_, let file): file.blob
        case .photoFacts(_, _, let facts): facts.thumbnail?.blob
        default: nil
        }
    }
}
