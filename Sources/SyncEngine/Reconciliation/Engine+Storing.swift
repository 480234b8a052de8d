import AlbumModel
import WireFormat

extension Engine {
    /// Begins a transaction with what waits, if none is outstanding.
    mutating func startStore(now: MonotonicInstant) {
        while intake.mayStart {
            let (pages, contributions) = intake.take()
            var pending = PendingBatches()
            var transaction = StoreIntake.Transaction(pages: pages, waiting: contributions)
            for page in pages { accept(page, now: now, &pending, &transaction) }
            let (changes, listed) = draft(contributions, &transaction)
            if !changes.isEmpty {
                let batch = own.sign(changes, as: local, log, wall: wall, using: &dice)
                pending.append(batch, publicKey: local.signing.publicKey)
                intake.keepLists(listed, of: batch.id)
            }
            transaction.accepted = pending.accepted
            intake.begin(transaction)
            if pending.accepted.isEmpty {
                // Nothing new in it: there is nothing to wait for.
                stored(now: now)
            } else {
                if PlantedFault.isPlanted(.sentBeforeDurable) {
                    spread(pending.accepted, sources: transaction.sources, now: now)
                }
                var batches = pending.accepted
                if PlantedFault.isPlanted(.lastBatchNotStored) { batches.removeLast() }
                emit(.store(batches, ownReplica: own.id))
            }
        }
    }

    /// In a function of its own, so that the draft's view of the catalog is gone before the catalog changes.
    private mutating func draft(
        _ contributions: [StoreIntake.Waiting], _ transaction: inout StoreIntake.Transaction
    ) -> (changes: [Change], listedBlobs: [BlobID]) {
        var draft = BatchDraft(catalog: catalog, device: device, formerDevice: local.signing.formerDevice)
        let rest = draft.take(contributions)
        if !PlantedFault.isPlanted(.restOfFullBatchForgotten) { intake.putBack(rest) }
        transaction.waiting.removeLast(rest.count)
        transaction.albums = draft.albums
        transaction.blobs = draft.blobs
        return (draft.changes, draft.listedBlobs)
    }

    private mutating func accept(
        _ page: StoreIntake.Page, now: MonotonicInstant, _ pending: inout PendingBatches,
        _ transaction: inout StoreIntake.Transaction
    ) {
        var isNews = page.page.batches.isEmpty
        var carried = CarriedOutcome()
        for signed in page.page.batches {
            let id = BatchSignature.batchID(signed.content)
            if log.contains(id) || pending.contains(id) {
                if PlantedFault.isPlanted(.batchTakenTwice), let known = try? log.readmit(signed, id: id) {
                    apply([known], now: now)
                }
                carried.knownCount += 1
                continue
            }
            isNews = true
            do throws(BatchRefusal) {
                var (batch, publicKey) = try log.check(signed, beside: pending, using: local.signing)
                batch.received = wall
                pending.append(batch, publicKey: publicKey)
                transaction.sources[batch.id] = page.source.link
                carried.newCount += 1
                // A batch of the own replica that this journal lacks: the home was restored, or runs twice.
                if own.giveUp(batch.batch.replica) { emit(.notify(.replicaRenewed)) }
            } catch {
                if case .link(let link) = page.source {
                    return close(link, .refusedBatch(error), now: now)
                }
                // Nobody is to blame: what was carried may be damaged in one place, and right in all others.
                carried.refusals.append(error)
            }
        }
        switch page.source {
        case .link(let link):
            guard !isNews else { return }
            toBroadcast(.broughtNothing(link, isMeshPartial: isMeshPartial), now: now)
        case .carried(let token): transaction.carried[token] = carried
        }
    }

    /// The transaction is durable: its batches count from now on, and may be passed on.
    mutating func stored(now: MonotonicInstant) {
        guard let done = intake.finish() else { return }
        apply(done.accepted, now: now)
        for page in done.pages {
            if let link = page.source.link, !PlantedFault.isPlanted(.acknowledgedBeforeDurable) {
                toReconciliation(.pageStored(link, page: page.page.page), now: now)
            }
            for (blob, list) in page.page.pieceLists.sorted(by: { $0.key < $1.key }) {
                toPull(.list(nil, blob, list), now: now)
            }
        }
        spread(done.accepted, sources: done.sources, now: now)
        for blob in done.blobs {
            if intake.lostMeanwhile.contains(blob) {
                toPull(.lacking(blob), now: now)
            } else {
                toPresence(.held(blob), now: now)
            }
        }
        intake.forgetLost()
        for (token, outcome) in done.carried.sorted(by: { $0.key < $1.key }) {
            emit(.notify(.carried(token: token, outcome)))
        }
        for waiting in done.waiting {
            emit(.notify(.contributed(token: waiting.token, album: done.albums[waiting.token])))
        }
    }

    mutating func storeFailed(_ reason: String, now: MonotonicInstant) {
        own.giveUpIfUnknown(log)
        intake.fail(now: now)
        emit(.notify(.storageFailed(reason)))
    }
}

extension Contribution {
    /// The blob that the store has just taken in for it.
    var takenIn: BlobID? {
        switch self {
        case .photo(_, let file), .photoInAlbum(_, let file): file.blob
        case .photoFacts(_, _, let facts): facts.thumbnail?.blob
        default: nil
        }
    }
}
