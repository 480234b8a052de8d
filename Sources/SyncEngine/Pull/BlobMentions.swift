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
    private(set) var claims: [BlobClaim] = []
    /// The same, once there are many.
    private var knownClaims: Set<BlobClaim> = []

    init(blobClass: BlobClass, dots: [Dot], order: ClockReading) {
        self.blobClass = blobClass
        self.dots = dots
        self.order = order
    }

    mutating func claim(_ claim: BlobClaim) {
        // Nearly always there is one.
        if claims.count < Self.fewClaimCountMax {
            if !claims.contains(claim) { claims.append(claim) }
            return
        }
        if knownClaims.isEmpty { knownClaims = Set(claims) }
        if knownClaims.insert(claim).inserted { claims.append(claim) }
    }

    private static let fewClaimCountMax = 8
}

extension Catalog {
    /// What names a blob; a photo's bytes that are a thumbnail's as well count as a photo's.
    ///
    /// - Parameter max: of more adds, or of more photos with one thumbnail, so many stand for all. It is asked of every
    ///   change and request, so it does not cost more than that. Whoever holds a blob names it by all that names it,
    ///   once it knows all; and the claims of further adds a want learns as they come, and at the next start.
    public func mentions(of blob: BlobID, max: Int = CatalogLimits.sampleAddCountMax) -> BlobMentions {
        var mentions = BlobMentions(blobClass: .thumbnail, dots: [], order: .zero)
        if let add = soleAdd(of: blob) {
            mentions = BlobMentions(blobClass: .original, dots: [add.dot], order: add.order)
            mentions.claim(BlobClaim(add))
        } else {
            let adds = liveAdds(of: blob, max: max)
            if let newest = adds.first {
                mentions = BlobMentions(blobClass: .original, dots: adds.map(\.dot), order: newest.order)
            }
            for add in adds { mentions.claim(BlobClaim(add)) }
        }
        for key in photos(ofThumbnail: blob, max: max) {
            guard let photo = photo(key), let thumbnail = photo.facts?.thumbnail, let dot = photo.factsDot else {
                continue
            }
            mentions.dots.append(dot)
            mentions.order = Swift.max(mentions.order, photo.latestOrder)
            mentions.claim(BlobClaim(thumbnail))
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
            for add in photo.adds { dots.append(add.dot) }
            if photo.hasWithdrawnAdds { dots += photo.withdrawnAdds }
        }
        return dots
    }

    /// The live add of a blob that one album alone has, once, as it mostly is.
    private func soleAdd(of blob: BlobID) -> Photo.Add? {
        guard let album = soleAlbum(of: blob), let adds = photo(PhotoKey(album: album, blob: blob))?.adds,
            adds.count == 1
        else { return nil }
        return adds.first
    }

    /// The change that adds a blob as a photo, where there is one alone.
    func soleAddDot(of blob: BlobID) -> Dot? {
        guard let album = soleAlbum(of: blob), let photo = photo(PhotoKey(album: album, blob: blob)),
            photo.adds.count == 1, !photo.hasWithdrawnAdds
        else { return nil }
        return photo.adds.first?.dot
    }

    /// Every change that presence can name a blob by: adds, and facts that have it as a thumbnail. Of facts it proves
    /// nothing: whoever knows better ones says no more of those that they replaced.
    func namingDots(of blob: BlobID) -> [Dot] {
        var dots = addDots(of: blob)
        for key in photos(ofThumbnail: blob) { photo(key)?.factsDot.map { dots.append($0) } }
        return dots
    }
}
