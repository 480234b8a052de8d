import AlbumModel
import WireFormat

/// Checks the pages of one transaction: which batches are new and right, and what follows from the others.
struct PageJudge {
    /// Batches that are new, in their order.
    private(set) var pending: PendingBatches
    /// From which link a batch came; one that a person carried came from none.
    private(set) var sources: [BatchID: LinkID] = [:]
    /// What became of pages that a person carried here.
    private(set) var carried: [UInt64: CarriedOutcome] = [:]
    private(set) var directives: [Storing.Directive] = []
    private(set) var own: OwnReplica
    /// Batches that are known and are folded once more; empty but for a planted fault.
    private(set) var repeated: [AcceptedBatch] = []

    private let log: BatchLog
    private let signing: any BatchSigning
    private let wall: UInt64

    /// - Parameters:
    ///   - log: batches that are known.
    ///   - own: the replica that this device continues.
    ///   - passedOver: replicas that began under epochs whose keys are not held here.
    ///   - wall: microseconds since 1970.
    init(log: BatchLog, own: OwnReplica, passedOver: Set<ReplicaID>, signing: any BatchSigning, wall: UInt64) {
        pending = PendingBatches(passedOver: passedOver)
        self.log = log
        self.own = own
        self.signing = signing
        self.wall = wall
    }

    mutating func judge(_ page: StoreIntake.Page) {
        var isNews = page.page.batches.isEmpty
        var outcome = CarriedOutcome()
        for signed in page.page.batches {
            let id = BatchSignature.batchID(signed.content)
            if log.contains(id) || pending.contains(id) {
                if PlantedFault.isPlanted(.batchTakenTwice), let known = try? log.readmit(signed, id: id) {
                    repeated.append(known)
                }
                outcome.knownCount += 1
                continue
            }
            isNews = true
            do throws(BatchRefusal) {
                try accept(signed, from: page.source.link)
                outcome.newCount += 1
            } catch {
                if case .link(let link) = page.source {
                    // Whoever sends it holds more epochs. It is asked for again once this device does, too.
                    if error == .unknownEpoch { continue }
                    return directives.append(.close(link, .refusedBatch(error)))
                }
                // Nobody is to blame: what was carried may be damaged in one place, and right in all others.
                outcome.refusals.append(error)
            }
        }
        switch page.source {
        case .link(let link): if !isNews { directives.append(.broughtNothing(link)) }
        case .carried(let token): carried[token] = outcome
        }
    }

    private mutating func accept(_ signed: SignedBatch, from link: LinkID?) throws(BatchRefusal) {
        var (batch, publicKey) = try log.check(signed, beside: &pending, using: signing)
        batch.received = wall
        pending.append(batch, publicKey: publicKey)
        sources[batch.id] = link
        // A batch of the own replica that this journal lacks: the home was restored, or runs twice.
        if own.giveUp(batch.batch.replica) { directives.append(.replicaRenewed) }
    }
}
