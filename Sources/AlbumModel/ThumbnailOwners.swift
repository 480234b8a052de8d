/// Which photos' facts name which thumbnail. Nearly always one a thumbnail, so one is what it costs.
struct ThumbnailOwners: Sendable {
    private var first: [BlobID: BlobID] = [:]
    private var more: [BlobID: Set<BlobID>] = [:]

    mutating func insert(_ original: BlobID, of thumbnail: BlobID) {
        // One look where it is new, as it mostly is.
        guard let known = first.updateValue(original, forKey: thumbnail), known != original else { return }
        first[thumbnail] = known
        more[thumbnail, default: []].insert(original)
    }

    mutating func remove(_ original: BlobID, of thumbnail: BlobID) {
        if first[thumbnail] == original {
            first[thumbnail] = more[thumbnail]?.popFirst()
        } else {
            more[thumbnail]?.remove(original)
        }
        if more[thumbnail]?.isEmpty == true { more[thumbnail] = nil }
    }

    var blobs: some Sequence<BlobID> { first.keys }

    func contains(_ thumbnail: BlobID) -> Bool { first[thumbnail] != nil }

    /// In no order.
    func originals(of thumbnail: BlobID) -> [BlobID] {
        guard let first = first[thumbnail] else { return [] }
        return [first] + (more[thumbnail] ?? [])
    }
}
