import AlbumModel
import WireFormat

/// What is here of blobs that are being received: peers that pull them as well take it from here.
extension PullScheduler {
    /// What is to be told of blobs that came further since the last call.
    mutating func takeChangedParts() -> [PartHeld] {
        defer { changedParts.removeAll(keepingCapacity: true) }
        return changedParts.sorted().compactMap { part(of: $0) }
    }

    var hasChangedParts: Bool { !changedParts.isEmpty }

    /// What is here of the blobs that are being received: for a peer that has just connected.
    var parts: [PartHeld] {
        wants.active.compactMap { part(of: $0.blob) }
            .filter { $0.pieces.contains(true) || !$0.coming.isEmpty }
    }

    /// What is here of a blob that is being received.
    func part(of blob: BlobID) -> PartHeld? { wants[blob].flatMap { part($0) } }

    private func part(_ want: Want) -> PartHeld? {
        guard want.byteCount >= UInt64(limits.announcedPartByteCountMin) else { return nil }
        var coming: [Bool] = []
        if !want.pieces.asked.isEmpty {
            coming = [Bool](repeating: false, count: want.pieceCount)
            for piece in want.pieces.asked.keys where isComing(piece, of: want) { coming[piece] = true }
        }
        return PartHeld(blob: want.blob, pieces: servablePieces(want), coming: coming)
    }

    private func servablePieces(_ want: Want) -> [Bool] {
        want.isReceiving || want.place == .committing ? want.pieces.isHeld : []
    }

    /// Whether a piece can be served although its blob is not whole here.
    func canServe(_ request: PieceRequest) -> Bool {
        guard let want = wants[request.blob] else { return false }
        let pieces = servablePieces(want)
        return pieces.indices.contains(request.piece) && pieces[request.piece]
            && want.byteCount(of: request.piece) == request.byteCount
    }

    /// The piece list of a blob that is being received.
    func list(of blob: BlobID) -> PieceList? { wants[blob]?.list }
}
