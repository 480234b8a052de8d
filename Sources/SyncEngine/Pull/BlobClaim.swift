public import AlbumModel

/// What a contributor says of a blob's size and pieces.
public struct BlobClaim: Hashable, Sendable {
    public var byteCount: UInt64
    public var pieceListHash: BlobID?
}

extension BlobClaim {
    init(_ add: Photo.Add) {
        self.init(byteCount: add.byteCount, pieceListHash: add.pieceListHash)
    }

    /// A thumbnail has one piece.
    init(_ thumbnail: Thumbnail) {
        self.init(byteCount: UInt64(thumbnail.byteCount), pieceListHash: nil)
    }
}
