public import AlbumModel
import Glibc
public import PhotoStore

/// Steps of operations: each is done until it succeeds, and then said.
extension Probe {
    public func append(_ batches: [JournalBatch], facts: [FactChange] = []) throws {
        let journal = try journal()
        try persistently { try journal.append(batches, facts: facts) }
        for batch in batches { acknowledge(.batch(batch.id)) }
        for fact in facts { acknowledge(.fact(key: fact.key, value: fact.value ?? [])) }
    }

    public func ingest(path: String) throws -> BlobID {
        let blobs = try blobs()
        let blob = try persistently {
            let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw ProbeError(sentence: "cannot open \(path): error \(errno)") }
            defer { close(file) }
            return try blobs.ingest(descriptor: file) { true }
        }
        acknowledge(.blob(blob.id))
        return blob.id
    }

    /// Receives a blob as from peers: its last piece first, the others in order.
    ///
    /// - Parameter makeList: makes the list by which its pieces are verified.
    public func receive(
        _ bytes: [UInt8], makeList: ([[UInt8]]) -> PieceList = { Samples.chainedList($0) }
    ) throws {
        let blobs = try blobs()
        let id = Samples.blobID(bytes)
        let pieces = Samples.pieces(bytes)
        let list = makeList(pieces)
        var partial: PartialBlob?
        try persistently {
            do {
                if try blobs.contains(id) || receive(id, pieces, list, in: blobs, &partial) { return }
                throw ProbeError(sentence: "the blob \(id) is wrong")
            } catch {
                // The file went with the error: from the start.
                if (error as? BlobError)?.code == .incomplete { partial = nil }
                throw error
            }
        }
        acknowledge(.blob(id))
    }

    private func receive(
        _ id: BlobID, _ pieces: [[UInt8]], _ list: PieceList, in blobs: BlobStore, _ partial: inout PartialBlob?
    ) throws -> Bool {
        if pieces.count == 1 { return try pieces[0].withUnsafeBytes { try blobs.receive(id, bytes: $0) } }
        if partial == nil {
            let new = try blobs.beginReceiving(id, byteCount: UInt64(pieces.reduce(0) { $0 + $1.count }), list: list)
            acknowledge(.resumed(id, new.piecesHeld.count { $0 }))
            partial = new
        }
        guard let partial else { return false }
        for number in [pieces.count - 1] + Array(0..<(pieces.count - 1)) where !partial.piecesHeld[number] {
            let outcome = try pieces[number].withUnsafeBytes { try partial.write(piece: number, bytes: $0) }
            guard outcome == .stored else { return false }
            acknowledge(.piece(id, number))
        }
        return try partial.commit() == .committed
    }

    /// Puts blobs into the folder together; a file that stands there already counts if its bytes are right.
    public func place(_ files: [(id: BlobID, name: String, mayLink: Bool)]) throws {
        let blobs = try blobs()
        let placements = files.map { file in
            BlobPlacement(
                blob: file.id, path: folder + "/" + file.name, mayLink: file.mayLink,
                modified: 1_600_000_000_000_000_000)
        }
        try persistently {
            for (placement, outcome) in zip(placements, blobs.place(placements)) {
                do {
                    _ = try outcome.get()
                } catch {
                    guard (error as? BlobError)?.code == .destinationExists,
                        try blobs.makeDurable(fileWith: placement.blob, at: placement.path) != nil
                    else {
                        throw error
                    }
                }
            }
        }
        for file in files { acknowledge(.placed(file.id, name: file.name)) }
    }
}
