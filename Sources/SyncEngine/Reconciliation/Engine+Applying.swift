import AlbumModel
import WireFormat

extension Engine {
    /// Takes in batches that are durable: the log and the fold follow, and then whoever names blobs by them.
    mutating func apply(_ accepted: [AcceptedBatch], now: MonotonicInstant) {
        var difference = CatalogDifference()
        var claims: [BlobID: [BlobClaim]] = [:]
        for batch in accepted {
            log.insert(batch)
            own.observe(batch, isOwn: batch.author == device, wall: wall)
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
            toPresence(.renamed(blob), now: now)
            toPull(.named(blob, claims: claims[blob] ?? []), now: now)
        }
        if accepted.contains(where: { $0.batch.proof?.succession != nil }) { toPull(.succeeded, now: now) }
        if !difference.isEmpty { emit(.notify(.catalogChanged(difference))) }
    }
}
