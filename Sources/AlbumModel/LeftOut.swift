import Crypto

/// What batches say that are known and do not count, since they are beyond a cut. Folded like all others, and apart from
/// them: nothing of it is in any album, and nothing of it is forgotten.
public struct LeftOut: Sendable {
    /// What these batches alone describe.
    public private(set) var catalog = Catalog()
    private var sum = HashSum()
    public private(set) var batchCount = 0

    public init() {}

    public mutating func insert(_ batch: Batch, id: BatchID, author: DeviceID, received: UInt64) {
        catalog.apply(batch, id: id, author: author, received: received)
        sum.insert(SHA256.hash(data: id.bytes))
        batchCount += 1
    }

    /// Which batches these are: equal of equal sets, and nothing where there are none.
    public var stamp: [UInt8] { batchCount == 0 ? [] : sum.bytes }

    /// Photos that these batches add and that are in no album because of that; ordered.
    ///
    /// - Parameter counted: what the batches that count describe.
    public func photos(besides counted: Catalog) -> [PhotoKey] {
        catalog.albums.values.flatMap { album in
            album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
        }.filter { !counted.isLive($0) && !isWithdrawn($0, in: counted) }.sorted()
    }

    /// Whether somebody who counts has removed the photo meanwhile, for all that is left out of it.
    private func isWithdrawn(_ key: PhotoKey, in counted: Catalog) -> Bool {
        guard let photo = counted.photo(key), let adds = catalog.photo(key)?.adds else { return false }
        return adds.allSatisfy { photo.withdraws($0.dot) }
    }

    /// Whether one of these batches names the blob, as a photo or as a photo's thumbnail.
    public func contains(_ blob: BlobID) -> Bool { catalog.contains(blob) }
}
