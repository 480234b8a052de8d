public import AlbumModel

/// A photo's bytes, by what they are made from.
public struct PhotoContent: Hashable, Comparable, Sendable {
    public var seed: Int
    public var byteCount: Int

    public init(seed: Int, byteCount: Int) {
        self.seed = seed
        self.byteCount = byteCount
    }

    public var bytes: [UInt8] { SamplePhoto.jpeg(seed, byteCount: byteCount) }
    public var blob: BlobID { blobID(bytes) }

    public static func < (left: PhotoContent, right: PhotoContent) -> Bool {
        (left.seed, left.byteCount) < (right.seed, right.byteCount)
    }

    /// Names that file systems and people make difficult: other case, accents composed and apart, none of what tells
    /// the type, and as long as a name may be.
    public static let names = [
        "a.jpg", "b.jpg", "c.jpg", "A.JPG", "caf\u{E9}.jpg", "nin\u{303}o.jpg", "none",
        String(repeating: "n", count: 251) + ".jpg",
    ]
}
