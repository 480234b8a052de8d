public import AlbumModel
import DiskIO
import Synchronization

extension BlobStore {
    /// A held blob's piece list, from the index or else from its bytes; `nil` for a blob of one piece.
    ///
    /// Where the index cannot be read the bytes are hashed, each time until that is written down.
    ///
    /// - Parameter hashes: the ``PieceList/listHash`` of lists by which others know the blob. Of the two kinds that the bytes
    ///   give, one that is among them is returned; else the one that is known.
    public func pieceList(_ id: BlobID, fitting hashes: [BlobID] = []) throws(BlobError) -> PieceList? {
        guard let record = ledger.record(id) else { throw .absent(id) }
        let pieceCount = Pieces.count(blobByteCount: record.byteCount)
        guard pieceCount > 1 else { return nil }
        // The index is a cache: that it cannot be read says nothing about the blob.
        if let list = try? ledger.pieceList(id), list.hashes.count == pieceCount,
            hashes.isEmpty || hashes.contains(list.listHash) || !mayGive(id, hashes)
        {
            return list
        }
        guard let reader = try open(id) else { throw .absent(id) }
        return try BlobError.wrapping { try makeList(id, reader.file, fitting: hashes) }
    }

    /// False where the bytes were read already and give none of these lists: a wrong description costs one reading.
    private func mayGive(_ id: BlobID, _ hashes: [BlobID]) -> Bool {
        madeLists.withLock { $0[id]?.isDisjoint(with: hashes) != true }
    }

    private func makeList(_ id: BlobID, _ file: Descriptor, fitting hashes: [BlobID]) throws -> PieceList? {
        var ofPieces = PieceList(hashes: [])
        let scan = try verify(id, file: file, before: try FileStat(descriptor: file.number)) { piece, offset in
            if offset == 0 { ofPieces.hashes = [] }
            if !hashes.isEmpty { ofPieces.hashes.append(BlobID(piece: piece)) }
        }
        guard let chained = scan.pieceList, !hashes.isEmpty else { return scan.pieceList }
        madeLists.withLock { $0[id] = [chained.listHash, ofPieces.listHash] }
        guard !hashes.contains(chained.listHash), hashes.contains(ofPieces.listHash) else { return chained }
        marking.withLock { _ in
            guard let record = ledger.record(id) else { return }
            ledger.set([BlobRow(id: id, byteCount: record.byteCount, seen: record.seen, pieceList: ofPieces)])
        }
        return ofPieces
    }
}
