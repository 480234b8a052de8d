import AlbumModel

/// Photos that this device added, and that others pull and none of them has: how far an import is ahead of everybody.
struct SharingBacklog: Sendable {
    private var byteCounts: [BlobID: UInt64] = [:]
    /// Of all of them, in sum.
    private(set) var byteCount: UInt64 = 0

    mutating func insert(_ blob: BlobID, byteCount: UInt64) {
        remove(blob)
        byteCounts[blob] = byteCount
        self.byteCount += byteCount
    }

    mutating func remove(_ blob: BlobID) {
        if let removed = byteCounts.removeValue(forKey: blob) { byteCount -= removed }
    }

    var blobs: some Sequence<BlobID> { byteCounts.keys }
}
