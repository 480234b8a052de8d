import AlbumModel

/// Tells right pieces of a blob from wrong ones, by its list of either kind.
struct PieceVerifier: Sendable {
    private let id: BlobID
    private let byteCount: UInt64
    private let list: PieceList
    /// Whether a blob all of whose pieces are right is right as a whole.
    let provesWhole: Bool

    /// - Parameter list: has an entry for each piece.
    init(id: BlobID, byteCount: UInt64, list: PieceList) {
        self.id = id
        self.byteCount = byteCount
        self.list = list
        provesWhole = list.isChained(of: id)
    }

    /// Whether these are the bytes of a piece, as far as the list says.
    ///
    /// - Parameter piece: of a list of several.
    func isRight(_ bytes: UnsafeRawBufferPointer, piece: Int) -> Bool {
        guard provesWhole else { return BlobID(piece: bytes) == list.hashes[piece] }
        let range = Pieces.range(of: piece, blobByteCount: byteCount)
        guard bytes.count == range.count else { return false }
        var hasher =
            piece == 0 ? ResumableSHA256() : ResumableSHA256(after: range.lowerBound, state: list.hashes[piece - 1])
        hasher.update(bytes)
        let isLast = piece == list.hashes.count - 1
        return (isLast ? hasher.finalize() : hasher.state) == list.hashes[piece]
    }
}
