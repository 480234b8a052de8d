import AlbumModel

/// A blob that a change of a batch names.
struct NamedBlob: Sendable {
    var dot: Dot
    var blob: BlobID
    /// When it was added as a photo; `nil` for a thumbnail, and for an add that was withdrawn.
    var added: ClockReading?
    /// What is said of it; `nil` for an add that was withdrawn.
    var claim: BlobClaim?
}

/// Blobs that a batch names, and changes that named some and do so no longer.
struct NamedBlobs: Sendable {
    private(set) var named: [NamedBlob] = []
    private(set) var withdrawn: [Dot] = []

    /// - Parameter catalog: the batch was the last one that was applied to it.
    init(in accepted: AcceptedBatch, _ catalog: Catalog) {
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
                named.append(
                    NamedBlob(dot: dot, blob: addition.blob, added: add?.order, claim: add.map { BlobClaim($0) }))
                // Its facts may have come first.
                appendThumbnail(of: photo)
            case .photoRead(let album, let blob, _):
                guard let photo = catalog.photo(PhotoKey(album: album, blob: blob)) else { continue }
                appendThumbnail(of: photo)
            case .photoRemoved(let album, let blob, let adds):
                let photo = catalog.photo(PhotoKey(album: album, blob: blob))
                for dot in adds {
                    let branch = dot.branch == 0 ? accepted.id.prefix : dot.branch
                    let resolved = Dot(replica: dot.replica, sequence: dot.sequence, branch: branch)
                    if photo?.add(resolved) == nil { withdrawn.append(resolved) }
                }
            default: break
            }
        }
    }

    /// Facts that better ones replace stay named until the next start: a thumbnail that nobody asks for.
    private mutating func appendThumbnail(of photo: Photo) {
        guard photo.isLive, let thumbnail = photo.facts?.thumbnail, let dot = photo.factsDot else { return }
        named.append(NamedBlob(dot: dot, blob: thumbnail.blob, added: nil, claim: BlobClaim(thumbnail)))
    }
}
