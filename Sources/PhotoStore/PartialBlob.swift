public import AlbumModel
import Crypto
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
/// The whole's hash follows the pieces that are there without a gap, from the bytes in memory where they come in order;
/// what came early is read back, mostly from the page cache, once the gap before it is closed. One thread hashes at a
/// time, and the others only store.
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
        /// How many pieces, from the first on, `hasher` has seen.
        var hashedCount = 0
        var hasher = SHA256()
        var isHashing = false

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
        var pieceHasher = SHA256()
        pieceHasher.update(bufferPointer: bytes)
        guard
            BlobID(digest: pieceHasher.finalize()) == list.hashes[piece] || PlantedFault.isPlanted(.pieceNeverHashed)
        else { return .wrongHash }
        guard try beginWriting(piece) else { return .stored }
        defer { state.withLock { $0.writerCount -= 1 } }
        try BlobError.wrapping {
            try file.write(bytes, at: range.lowerBound)
            // What is on its way to the disk now, nobody waits for at the end.
            file.startWriteback(at: range.lowerBound, byteCount: bytes.count)
            if var hasher = hold(piece) {
                // So far the whole is its first piece, which is hashed already.
                if piece == 0 { hasher = pieceHasher } else { hasher.update(bufferPointer: bytes) }
                try hashOn(hasher)
            }
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
                guard BlobID(piece: bytes) == list.hashes[piece] else { continue }
                if isWrittenAgain { try file.write(bytes, at: range.lowerBound) }
                state.withLock { state in
                    state.hold(piece)
                    guard state.hashedCount == piece else { return }
                    state.hasher.update(bufferPointer: bytes)
                    state.hashedCount += 1
                }
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

    /// Notes a stored piece; returns the hasher where this piece is the next for it.
    private func hold(_ piece: Int) -> SHA256? {
        state.withLock { state in
            state.hold(piece)
            guard state.hashedCount == piece, !state.isHashing else { return nil }
            state.isHashing = true
            return state.hasher
        }
    }

    /// Goes on, after one more piece has gone into `hasher`, with those that are there already.
    private func hashOn(_ hasher: SHA256) throws {
        var hasher = hasher
        guard var next = advance(hasher) else { return }
        do {
            try BlobScan.withPieceBuffer { buffer in
                while true {
                    try update(&hasher, piece: next, buffer: buffer)
                    guard let following = advance(hasher) else { return }
                    next = following
                }
            }
        } catch {
            state.withLock { $0.isHashing = false }
            throw error
        }
    }

    /// Stores the hasher after another piece; returns the next piece if it is there, else lets go of the hasher.
    private func advance(_ hasher: SHA256) -> Int? {
        state.withLock { state in
            state.hasher = hasher
            state.hashedCount += 1
            if state.hashedCount < state.held.count, state.held[state.hashedCount] { return state.hashedCount }
            state.isHashing = false
            return nil
        }
    }

    private func update(_ hasher: inout SHA256, piece: Int, buffer: UnsafeMutableRawBufferPointer) throws {
        let range = Pieces.range(of: piece, blobByteCount: byteCount)
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count])
        guard try file.read(at: range.lowerBound, into: room) == range.count else {
            throw BlobError(.incomplete, "The file of blob \(id) was cut short.")
        }
        hasher.update(bufferPointer: UnsafeRawBufferPointer(room))
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
        guard !PlantedFault.isPlanted(.wholeNeverHashed) else { return true }
        // Only a failed read leaves pieces for here.
        var (hasher, first) = state.withLock { ($0.hasher, $0.hashedCount) }
        if first < pieceCount {
            try BlobScan.withPieceBuffer { buffer in
                for piece in first..<pieceCount { try update(&hasher, piece: piece, buffer: buffer) }
            }
        }
        return BlobID(digest: hasher.finalize()) == id
    }

    private func end() {
        state.withLock { $0.phase = .ended }
        // A leftover is harmless: the next start's sweep removes it, or its pieces are verified anew.
        try? Disk.remove(file.path)
        claim.end()
    }
}
