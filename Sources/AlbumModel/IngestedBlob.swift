/// What one pass over a file's bytes tells.
public struct IngestedBlob: Hashable, Sendable {
    public var id: BlobID
    public var byteCount: UInt64
    /// `nil` for a blob of at most one piece.
    public var pieceList: PieceList?
    /// At most the first 4 KiB: enough to tell what kind of file it is.
    public var firstBytes: [UInt8]

    public init(id: BlobID, byteCount: UInt64, pieceList: PieceList?, firstBytes: [UInt8]) {
        self.id = id
        self.byteCount = byteCount
        self.pieceList = pieceList
        self.firstBytes = firstBytes
    }
}
