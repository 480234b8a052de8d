public import AlbumModel
import DiskIO

/// What became of a piece that arrived.
public enum PieceOutcome: Hashable, Sendable {
    case stored
    /// The bytes are not those that the list names: whoever sent them is condemned for this blob.
    case wrongHash
}

/// What became of a blob all of whose pieces arrived.
public enum CommitOutcome: Hashable, Sendable {
    case committed
    /// Each piece fits the list and the whole does not fit its name: the list is condemned, and the file is gone.
    case wrongWhole
}

/// A blob of several pieces on its way in, in `staging/`. Pieces may come in any order, from any thread, and more than once.
///
/// Dropping the last reference without ``commit()`` or ``abandon()`` leaves the file for a later
/// ``BlobStore/beginReceiving(_:byteCount:list:)``, as a crash does. Nothing is synced before ``commit()``.
///
/// By a chained list right pieces are a right whole. By one of piece hashes the whole is read back at the end, mostly from
/// the page cache, and hashed.
public final class PartialBlob: Sendable {
    private enum Phase {
        /// Pieces are taken. Next: committing, ended.
        case open
        /// Next: ended, or open again after an error that may pass.
        case committing
        /// Committed, wrong or abandoned: pieces that come still are no longer written.
        case ended
    }

    private struct State {
        var phase = Phase.open
        var held: [Bool]
        var heldCount = 0
        /// Threads between the check of a piece and the end of all that follows from it.
        var writerCount = 0

        mutating func hold(_ piece: Int) {
            guard !held[piece] else { return }
            held[piece] = true
            heldCount += 1
        }
    }

    public let id: BlobID
    public let byteCount: UInt64
    private let list: PieceList
    private let file: Descriptor
    private let publisher: BlobPublisher
    private let claim: ReceivingClaim
    private let verifier: PieceVerifier
    private let state: Monitor<State>
    private let pieceCount: Int

    init(
        id: BlobID, byteCount: UInt64, list: PieceList, file: Descriptor, publisher: BlobPublisher,
        claim: ReceivingClaim
    ) {
        self.id = id
        self.byteCount = byteCount
        self.list = list
        self.file = file
        self.publisher = publisher
        self.claim = claim
        verifier = PieceVerifier(list, of: id)
        pieceCount = Pieces.count(blobByteCount: byteCount)
        state = Monitor(State(held: Array(repeating: false, count: pieceCount)))
    }

    /// Which pieces are there, verified.
    public var piecesHeld: [Bool] { state.withLock { $0.held } }

    public var isComplete: Bool { state.withLock { $0.heldCount == $0.held.count } }

    /// Verifies and stores one piece; `bytes` must stay as they are until it returns.
    ///
    /// Throws where the disk does not take the bytes, and then the piece may be written again;
    /// ``BlobError/Code/incomplete`` after ``abandon()``.
    public func write(piece: Int, bytes: UnsafeRawBufferPointer) throws(BlobError) -> PieceOutcome {
        guard (0..<pieceCount).contains(piece) else { return .wrongHash }
        let range = Pieces.range(of: piece, blobByteCount: byteCount)
        guard bytes.count == range.count else { return .wrongHash }
        guard verifier.isRight(bytes, piece: piece) || PlantedFault.isPlanted(.pieceNeverHashed) else {
            return .wrongHash
        }
        guard try beginWriting(piece) else { return .stored }
        defer { state.withLock { $0.writerCount -= 1 } }
        try BlobError.wrapping {
            try file.write(bytes, at: range.lowerBound)
            // What is on its way to the disk now, nobody waits for at the end.
            file.startWriteback(at: range.lowerBound, byteCount: bytes.count)
            state.withLock { $0.hold(piece) }
        }
        return .stored
    }

    /// Reads bytes of pieces that are there, also after ``commit()``; throws where the disk does not give them.
    ///
    /// - Returns: how many bytes were read; fewer than asked only at the end of the file.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(BlobError) -> Int {
        try BlobError.wrapping { try file.read(at: offset, into: buffer) }
    }

    /// Gives the blob its name in the store; all pieces must be there, else ``BlobError/Code/incomplete`` is thrown.
    ///
    /// Durable when it returns `.committed`. After an error it may be tried again; where the file went with the error
    /// (a failed sync) that throws ``BlobError/Code/incomplete``, and ``BlobStore/beginReceiving(_:byteCount:list:)``
    /// starts afresh.
    public func commit() throws(BlobError) -> CommitOutcome {
        try beginCommit()
        do {
            guard try isWholeRight() else {
                end()
                return .wrongWhole
            }
            try publisher.publish(
                BlobPublisher.Publication(id: id, byteCount: byteCount, pieceList: list, file: file))
            state.withLock { $0.phase = .ended }
            claim.end()
            return .committed
        } catch {
            if error is BlobPublisher.FailedSync || publisher.isGone(file) {
                end()
            } else {
                state.withLock { $0.phase = .open }
            }
            throw BlobError(wrapping: error)
        }
    }

    /// Gives up: the file goes, and with it the pieces that are there.
    public func abandon() {
        state.wait { $0.phase == .committing ? nil : () }
        guard state.withLock({ $0.phase }) == .open else { return }
        end()
    }

    /// Takes the pieces that an earlier attempt left in the file, each verified anew.
    ///
    /// - Parameter isWrittenAgain: a sync of the file may have failed. Then what is read may be in memory alone and
    ///   count as written, so a later sync would not write it either.
    func resume(isWrittenAgain: Bool) throws {
        try BlobScan.withPieceBuffer { buffer in
            for piece in 0..<pieceCount {
                let range = Pieces.range(of: piece, blobByteCount: byteCount)
                guard file.hasData(in: range) else { continue }
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count])
                // What the disk has lost of a part is received once more, and written over it.
                guard (try? file.read(at: range.lowerBound, into: room)) == range.count else { continue }
                let bytes = UnsafeRawBufferPointer(room)
                guard verifier.isRight(bytes, piece: piece) else { continue }
                if isWrittenAgain { try file.write(bytes, at: range.lowerBound) }
                state.withLock { $0.hold(piece) }
            }
        }
    }

    /// False where the piece is there already.
    private func beginWriting(_ piece: Int) throws(BlobError) -> Bool {
        let isWanted: Bool? = state.withLock { state in
            if state.held[piece] { return false }
            guard state.phase == .open else { return nil }
            state.writerCount += 1
            return true
        }
        guard let isWanted else { throw BlobError(.incomplete, "The blob \(id) is no longer received.") }
        return isWanted
    }

    /// Waits for the writers, then shuts the door on new ones.
    private func beginCommit() throws(BlobError) {
        let isReady: Bool = state.wait { state in
            guard state.phase == .open else { return state.phase == .ended ? false : nil }
            guard state.writerCount == 0 else { return nil }
            guard state.heldCount == state.held.count else { return false }
            state.phase = .committing
            return true
        }
        guard isReady else { throw BlobError(.incomplete, "The blob \(id) cannot be committed: pieces are missing.") }
    }

    /// Whether the whole has the blob's name.
    private func isWholeRight() throws -> Bool {
        if verifier.provesWhole || PlantedFault.isPlanted(.wholeNeverHashed) { return true }
        let whole = try BlobScan.run(descriptor: file.number, path: file.path) { _, _ in }
        guard whole.byteCount == byteCount else {
            throw BlobError(.incomplete, "The file of blob \(id) was cut short.")
        }
        return whole.id == id
    }

    private func end() {
        state.withLock { $0.phase = .ended }
        // A leftover is harmless: the next start's sweep removes it, or its pieces are verified anew.
        try? Disk.remove(file.path)
        claim.end()
    }
}
