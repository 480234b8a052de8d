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
        if isReclaimed { holdings.reconsider(blob) }
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
    mutating func apply(_ accepted: [AcceptedBatch]) {
        var difference = CatalogDifference()
        var claims: [BlobID: [BlobClaim]] = [:]
        for batch in accepted {
            log.insert(batch)
            if !PlantedFault.isPlanted(.othersClocksIgnored) { clock.observe(batch.batch.clock, wall: wall) }
            // What this device signed in a time that its journal forgot counts however far ahead it was.
            if batch.author == device { clock.resume(from: batch.batch.clock) }
            catalog.apply(
                batch.batch, id: batch.id, author: batch.author, received: batch.received, noting: &difference)
            updatePresence(batch, &claims)
            if let former = batch.batch.proof?.succession?.formerDevice { holdings.retire(former) }
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
                news.blobs.insert(blob)
            } else if isLeftOut(blob) || isHidden(blob) {
                perform(scheduler.forget(blob))
            } else {
                want(blob, mentions, urgency: urgency)
            }
        }
        if accepted.contains(where: { $0.batch.proof?.succession != nil }) { followSuccession() }
        if !difference.isEmpty { emit(.notify(.catalogChanged(difference))) }
    }

    /// - Parameter claims: takes note of what new adds and facts say of their blobs.
    private mutating func updatePresence(_ accepted: AcceptedBatch, _ claims: inout [BlobID: [BlobClaim]]) {
        let batch = accepted.batch
        for (offset, change) in batch.changes.enumerated() {
            switch change {
            case .photoAdded(let addition):
                let dot = Dot(
                    replica: batch.replica, sequence: batch.firstSequence + UInt64(offset), branch: accepted.id.prefix)
                // It may have been withdrawn before it came, and may be no valid change.
                guard let photo = catalog.photo(PhotoKey(album: addition.album, blob: addition.blob)) else { continue }
                let add = photo.add(dot)
                guard add != nil || photo.isWithdrawn(dot) else { continue }
                if let add { claims[addition.blob, default: []].append(BlobClaim(add)) }
                presence.insert(dot, addition.blob, added: add?.order, isHeld: held.contains(addition.blob))
                // Its facts may have come first.
                insertThumbnail(of: photo, &claims)
            case .photoRead(let album, let blob, _):
                guard let photo = catalog.photo(PhotoKey(album: album, blob: blob)) else { continue }
                insertThumbnail(of: photo, &claims)
            case .photoRemoved(let album, let blob, let adds):
                let photo = catalog.photo(PhotoKey(album: album, blob: blob))
                for dot in adds {
                    let branch = dot.branch == 0 ? accepted.id.prefix : dot.branch
                    let resolved = Dot(replica: dot.replica, sequence: dot.sequence, branch: branch)
                    if photo?.add(resolved) == nil { presence.withdraw(resolved) }
                }
            default: break
            }
        }
    }

    /// Facts that better ones replace stay named until the next start: a thumbnail that nobody asks for.
    private mutating func insertThumbnail(of photo: Photo, _ claims: inout [BlobID: [BlobClaim]]) {
        guard photo.isLive, let thumbnail = photo.facts?.thumbnail, let dot = photo.factsDot else { return }
        claims[thumbnail.blob, default: []].append(BlobClaim(thumbnail))
        presence.insert(dot, thumbnail.blob, added: nil, isHeld: held.contains(thumbnail.blob))
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

    public var connectedDevices: Set<DeviceID> { Set(sessions.values.filter(\.isGreeted).map(\.device)) }

    /// Whether some connected peer said that it holds the blob, or a part of it that is not here.
    public func hasConnectedHolder(_ blob: BlobID) -> Bool { scheduler.wants[blob]?.hasSource == true }

    /// This device's place among the connected holders of a blob: all of them come to the same order, each for itself.
    public func rank(amongHoldersOf blob: BlobID) -> Int {
        let connected = connectedDevices
        let place = { (device: DeviceID) in Dice.mixed(blob.prefix ^ device.prefix) }
        let dots = catalog.namingDots(of: blob)
        return connected.count { holdings.claims($0, blob, dots: dots) && place($0) < place(device) }
    }

    /// On which other devices photos are, as far as is proved at this time.
    public func copies(wall: UInt64) -> Copies {
        let devices = holdings.devices.filter { counts($0, wall: wall) }
        return Copies(catalog: catalog, log: log, book: holdings, devices: devices)
    }

    /// The same as a run of the agent tells that begins now, with what was remembered of other devices.
    public func copies(remembered book: HoldingsBook, wall: UInt64) -> Copies {
        var book = book
        for former in formerDevices { book.retire(former) }
        let devices = book.devices.filter { $0 != device && book.counts($0, wall: wall) }
        return Copies(catalog: catalog, log: log, book: book, devices: devices)
    }

    /// Until they say something themselves they may be earlier lives of other devices, or of this one; ordered.
    var formerDevices: [DeviceID] {
        catalog.formerDevices.union([signing.formerDevice].compactMap(\.self)).sorted()
    }

    /// Whether what a device said counts for safety, as the word of another one.
    private func counts(_ other: DeviceID, wall: UInt64) -> Bool {
        guard other != device || PlantedFault.isPlanted(.countsItselfAsCopy) else { return false }
        return holdings.counts(other, wall: wall)
            || PlantedFault.isPlanted(.greetingCountsAsWord) && connectedDevices.contains(other)
    }

    /// Whether a blob is proved to be on another device. It costs the look at the first that has it.
    public func isElsewhere(_ blob: BlobID, wall: UInt64) -> Bool {
        let dots = catalog.addDots(of: blob)
        return holdings.entries.contains { other, entry in
            counts(other, wall: wall) && entry.holdings.proves(blob, dots: dots, log: log)
        }
    }

    /// Devices that said once that they hold a blob, and whose word does not count any more; ordered.
    public func formerHolders(of blob: BlobID, wall: UInt64) -> [DeviceID] {
        let dots = catalog.namingDots(of: blob)
        return holdings.devices.filter {
            $0 != device && !holdings.counts($0, wall: wall) && holdings.claims($0, blob, dots: dots)
        }
    }
}
