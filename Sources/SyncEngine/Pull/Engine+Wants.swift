public import AlbumModel
import WireFormat

extension Engine {
    /// Wants a blob that some album has and this device lacks.
    mutating func updateWant(_ blob: BlobID) {
        // All that is said of it: the only claim that is right may be one of many.
        let mentions = catalog.mentions(of: blob, max: .max)
        guard !mentions.dots.isEmpty, !held.contains(blob), !isLeftOut(blob), !isHidden(blob) else { return }
        want(blob, mentions, urgency: urgency(of: mentions))
    }

    private mutating func want(_ blob: BlobID, _ mentions: BlobMentions, urgency: ClockReading) {
        let isReclaimed = scheduler.want(
            blob, blobClass: mentions.blobClass, urgency: urgency, claims: mentions.claims)
        if isReclaimed { presence.holdings.reconsider(blob) }
        for (link, session) in sessions where session.isGreeted {
            scheduler.setHolder(link, of: blob, holdings.claims(session.device, blob, dots: mentions.dots))
        }
    }

    /// Mutating also for this reason: else the engine would be copied before the scheduler, a part of it, changes.
    mutating func perform(_ pulls: [PullScheduler.Directive]) {
        for pull in pulls {
            switch pull {
            case .request(let link, let request): emit(.request(link, request))
            case .cancel(let link, let number): emit(.cancel(link, number: number))
            case .askForList(let link, let blob): emit(.send(link, .pieceListRequest(blob)))
            case .beginReceiving(let blob, let byteCount, let list):
                emit(.beginReceiving(blob, byteCount: byteCount, list))
            case .closeStaging(let blob): emit(.closeStaging(blob))
            case .commit(let blob): emit(.commit(blob))
            case .abandon(let blob): emit(.abandon(blob))
            }
        }
    }

    /// Takes in batches that are durable: the log, the fold and the wants follow.
    mutating func apply(_ accepted: [AcceptedBatch], now: MonotonicInstant) {
        var difference = CatalogDifference()
        var claims: [BlobID: [BlobClaim]] = [:]
        for batch in accepted {
            log.insert(batch)
            if !PlantedFault.isPlanted(.othersClocksIgnored) { clock.observe(batch.batch.clock, wall: wall) }
            // What this device signed in a time that its journal forgot counts however far ahead it was.
            if batch.author == device { clock.resume(from: batch.batch.clock) }
            catalog.apply(
                batch.batch, id: batch.id, author: batch.author, received: batch.received, noting: &difference)
            let blobs = NamedBlobs(in: batch, catalog)
            for name in blobs.named { if let claim = name.claim { claims[name.blob, default: []].append(claim) } }
            toPresence(.named(blobs), now: now)
            if let former = batch.batch.proof?.succession?.formerDevice { toPresence(.succeeded(former), now: now) }
        }
        // Facts that name the same thumbnail by another change count: it is by that one that holders name it.
        let read = difference.readPhotos.compactMap { catalog.photo($0)?.facts?.thumbnail?.blob }
        let thumbnails = PlantedFault.isPlanted(.thumbnailsNotWanted) ? [] : difference.thumbnails.union(read)
        for blob in Set(difference.photos.map(\.blob)).union(thumbnails).sorted() {
            var mentions = catalog.mentions(of: blob)
            for claim in claims[blob] ?? [] { mentions.claim(claim) }
            let urgency = urgency(of: mentions)
            if mentions.blobClass == .original { urgencyMax = max(urgencyMax, urgency) }
            if mentions.dots.isEmpty {
                perform(scheduler.forget(blob))
            } else if held.contains(blob) {
                // Presence names changes, and those that it named may be gone now.
                toPresence(.renamed(blob), now: now)
            } else if isLeftOut(blob) || isHidden(blob) {
                perform(scheduler.forget(blob))
            } else {
                want(blob, mentions, urgency: urgency)
            }
        }
        if accepted.contains(where: { $0.batch.proof?.succession != nil }) { followSuccession() }
        if !difference.isEmpty { emit(.notify(.catalogChanged(difference))) }
    }
}

// MARK: - Questions

extension Engine {
    /// Why a photo's bytes are not here; `nil` if they are, or are not wanted.
    public func missingReason(_ blob: BlobID) -> MissingReason? { scheduler.reason(for: blob) }

    /// Bytes of a wanted blob that are here already.
    public func heldByteCount(of blob: BlobID) -> UInt64 { scheduler.wants[blob]?.heldByteCount ?? 0 }

    public var wantedBlobs: some Sequence<BlobID> { scheduler.wants.blobs }

    /// Those of them that are photos, not thumbnails.
    public var wantedPhotos: some Sequence<BlobID> {
        scheduler.wants.all.lazy.filter { $0.blobClass == .original }.map(\.blob)
    }

    /// What bounds pulling; the room is what is left of it.
    public var pullTerms: PullTerms { scheduler.terms }

    /// Originals that are wanted and kept back on this side.
    public var heldUpPhotos: some Sequence<BlobID> { scheduler.wants.suspended }

    /// Whether some connected peer said that it holds the blob, or a part of it that is not here.
    public func hasConnectedHolder(_ blob: BlobID) -> Bool { scheduler.wants[blob]?.hasSource == true }

    // MARK: Who holds what is wanted

    mutating func setHolders(_ link: LinkID) {
        let device = sessions[link]!.device
        scheduler.setHolders(link) { presence.claims(device, $0, dots: catalog.mentions(of: $0).dots) }
    }

    /// Looks through all wants for what the link's peer said that it holds: at once, or a while after it was last done.
    mutating func refreshHolders(_ link: LinkID, now: MonotonicInstant) {
        sessions[link]!.areHoldersStale = now < sessions[link]!.holdersAt
        guard !sessions[link]!.areHoldersStale else { return }
        sessions[link]!.holdersAt = now + limits.secondsPerEntry * Double(scheduler.wants.count)
        setHolders(link)
    }

    /// - Returns: whether what is wanted may be asked of others now.
    mutating func refreshStaleHolders(now: MonotonicInstant) -> Bool {
        let links = sessions.keys.sorted().filter { sessions[$0]!.areHoldersStale && sessions[$0]!.holdersAt <= now }
        for link in links { refreshHolders(link, now: now) }
        return !links.isEmpty
    }

    mutating func owe(_ parts: [PartHeld], _ link: LinkID) {
        for part in parts { sessions[link]!.outbox.addPart(part.blob) { scheduler.wants[$0] != nil } }
    }
}
