/// Which photos' facts name which thumbnail. Nearly always one a thumbnail, so one is what it costs.
struct ThumbnailOwners: Sendable {
    private struct Owners: Sendable {
        var all = SortedChunks<PhotoKey>()
        /// Those that are in their albums.
        var live = SortedChunks<PhotoKey>()

        mutating func insert(_ photo: PhotoKey, isLive: Bool) {
            all.insert(photo)
            if isLive { live.insert(photo) }
        }
    }

    /// Any one of the photos of a thumbnail.
    private var first: [BlobID: PhotoKey] = [:]
    /// All of them, where there are several.
    private var several: [BlobID: Owners] = [:]

    /// The photo that is the only one so far.
    func sole(of thumbnail: BlobID) -> PhotoKey? { several[thumbnail] == nil ? first[thumbnail] : nil }

    /// - Parameter isSoleLive: whether the photo is live that ``sole(of:)`` returns.
    mutating func insert(_ photo: PhotoKey, of thumbnail: BlobID, isLive: Bool, isSoleLive: Bool) {
        // One look where it is new, as it mostly is.
        guard let known = first.updateValue(photo, forKey: thumbnail), known != photo else { return }
        first[thumbnail] = known
        if several[thumbnail] == nil {
            several[thumbnail] = Owners()
            several[thumbnail]!.insert(known, isLive: isSoleLive)
        }
        several[thumbnail]!.insert(photo, isLive: isLive)
    }

    mutating func remove(_ photo: PhotoKey, of thumbnail: BlobID) {
        guard several[thumbnail] != nil else {
            if first[thumbnail] == photo { first[thumbnail] = nil }
            return
        }
        several[thumbnail]!.all.remove(photo)
        several[thumbnail]!.live.remove(photo)
        first[thumbnail] = several[thumbnail]!.all.first
        if several[thumbnail]!.all.count == 1 { several[thumbnail] = nil }
    }

    mutating func setLive(_ photo: PhotoKey, of thumbnail: BlobID, _ isLive: Bool) {
        guard several[thumbnail] != nil else { return }
        if isLive { several[thumbnail]!.live.insert(photo) } else { several[thumbnail]!.live.remove(photo) }
    }

    var blobs: some Sequence<BlobID> { first.keys }

    func contains(_ thumbnail: BlobID) -> Bool { first[thumbnail] != nil }

    /// At most `max` live photos of a thumbnail that has several, ordered; `nil` for any other one.
    func livePhotos(ofShared thumbnail: BlobID, max: Int) -> [PhotoKey]? {
        several[thumbnail].map { Array($0.live.prefix(max)) }
    }
}
