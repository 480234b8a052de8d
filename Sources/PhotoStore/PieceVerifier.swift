import AlbumModel

/// Tells right pieces of a blob from wrong ones, by its list of either kind.
struct PieceVerifier: Sendable {
    private let list: PieceList
    /// Whether a blob all of whose pieces are right is right as a whole.
    let provesWhole: Bool

    /// - Parameter list: has an entry for each of the blob's pieces, of which there are several.
    init(_ list: PieceList, of blob: BlobID) {
        self.list = list
        provesWhole = list.isChained(of: blob)
    }

    /// Whether these are the bytes of a piece, as far as the list says.
    ///
    /// - Parameter bytes: as many as the piece has.
    func isRight(_ bytes: UnsafeRawBufferPointer, piece: Int) -> Bool {
        guard provesWhole else { return BlobID(piece: bytes) == list.hashes[piece] }
        var hasher =
            piece == 0
            ? ResumableSHA256()
            : ResumableSHA256(after: UInt64(piece) * Pieces.byteCount, state: list.hashes[piece - 1])
        hasher.update(bytes)
        let isLast = piece == list.hashes.count - 1
        return (isLast ? hasher.finalize() : hasher.state) == list.hashes[piece]
    }
}
