public import AlbumModel
public import WireFormat

/// The changes that name a blob, and what they say of it: live adds of a photo, and the shown facts of live photos that
/// have it as their thumbnail.
public struct BlobMentions: Sendable {
    public var blobClass: BlobClass
    /// What presence names the blob by. Empty where nobody wants it.
    public var dots: [Dot]
    /// Of the newest photo.
    public var order: ClockReading
    /// What is said of size and pieces: distinct, the newest first.
    var claims: [BlobClaim]
}

extension Catalog {
    /// What names a blob; a photo's bytes that are a thumbnail's as well count as a photo's.
    public func mentions(of blob: BlobID) -> BlobMentions {
        let adds = liveAdds(of: blob)
        var mentions = BlobMentions(
            blobClass: adds.isEmpty ? .thumbnail : .original, dots: adds.map(\.dot), order: adds.first?.order ?? .zero,
            claims: [])
        for add in adds {
            mentions.claim(BlobClaim(byteCount: add.byteCount, pieceListHash: add.pieceListHash))
        }
        for key in photos(ofThumbnail: blob) {
            guard let photo = photo(key), let thumbnail = photo.facts?.thumbnail, let dot = photo.factsDot else {
                continue
            }
            mentions.dots.append(dot)
            mentions.order = max(mentions.order, photo.adds.map(\.order).max() ?? .zero)
            mentions.claim(BlobClaim(byteCount: UInt64(thumbnail.byteCount), pieceListHash: nil))
        }
        return mentions
    }
}

extension Catalog {
    /// Every change that adds a blob as a photo, withdrawn ones too: what a run of presence proves.
    func addDots(of blob: BlobID) -> [Dot] {
        var dots: [Dot] = []
        for album in albums(of: blob) {
            guard let photo = photo(PhotoKey(album: album, blob: blob)) else { continue }
            dots += photo.adds.map(\.dot)
            dots += photo.withdrawnAdds
        }
        return dots
    }

    /// Every change that presence can name a blob by: adds, and facts that have it as a thumbnail. Of facts it proves
    /// nothing: whoever knows better ones says no more of those that they replaced.
    func namingDots(of blob: BlobID) -> [Dot] {
        var dots = addDots(of: blob)
        for key in photos(ofThumbnail: blob) { photo(key)?.factsDot.map { dots.append($0) } }
        return dots
    }
}

extension BlobMentions {
    fileprivate mutating func claim(_ claim: BlobClaim) {
        if !claims.contains(claim) { claims.append(claim) }
    }
}
