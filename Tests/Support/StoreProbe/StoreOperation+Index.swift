import AlbumModel
import PhotoStore

extension StoreOperation {
    /// The index is made from the journal: all rows in one go, then the rows of one more change.
    static let rebuilding = StoreOperation(
        "rebuild", prepare: { _ = try $0.blobs() },
        perform: { probe in
            let index = try probe.index()
            let level = try probe.persistently { try index.stamp()?.foldLevel ?? 0 }
            if level < 1 {
                try probe.persistently {
                    try index.replaceAll(albums: [album], photos: (0..<40).map(photo), stamp: stamp(1))
                }
            }
            probe.acknowledge(.indexed(1))
            if level < 2 {
                try probe.persistently {
                    try index.apply(
                        albums: [album], photos: (40..<45).map(photo), removedPhotos: [(album.id, photo(0).blob)],
                        stamp: stamp(2))
                }
            }
            probe.acknowledge(.indexed(2))
        },
        // It is a cache: what it holds fits its stamp, or it is empty.
        rules: { probe, _ in
            let index = try probe.index()
            let expected = [1: 40, 2: 44][try index.stamp()?.foldLevel ?? 0] ?? 0
            let count = try index.albums().reduce(0) { try $0 + index.photos(album: $1.album.id).count }
            return count == expected ? [] : ["the index lists \(count) photos and its stamp stands for \(expected)"]
        })

    static func stamp(_ level: Int) -> IndexStamp { IndexStamp(foldLevel: level, vector: [UInt8(level)]) }

    private static let album = AlbumRow(
        id: AlbumID(bytes: Samples.bytes(16, seed: 50))!, name: "Beach day", updated: 1_700_000_000_000_000,
        digest: Samples.bytes(32, seed: 51))

    /// The photo of a number, whose blob ``Samples`` makes of it.
    @Sendable private static func photo(_ number: Int) -> PhotoRow {
        PhotoRow(
            album: album.id, blob: Samples.blobID(Samples.bytes(20, seed: UInt64(number) + 100)),
            name: "IMG_\(number).JPG", mediaType: "image/jpeg", byteCount: 20,
            contributors: [Person(DeviceID(bytes: Samples.bytes(32, seed: 52))!)], added: 1_700_000_000_000_000,
            modified: 1_600_000_000_000_000_000)
    }
}
