import AlbumModel
import NIOPosix
import PeerTransport
import PhotoStore
import SyncEngine
import Synchronization
import WireFormat

/// A piece that came over a link. Its bytes are not verified.
struct ArrivedPiece: Sendable {
    /// What it answers.
    var request: PieceRequest
    /// It is all of its blob.
    var isWhole: Bool
    var buffer: PieceBuffer
}

/// Blobs that are being received: their files in staging, pieces as they come, and commits. A blob of one piece has no
/// file before it comes, and is durable with its piece.
final class StagingService: Sendable {
    private struct Writes {
        /// How many pieces of each link are being written, or wait for it.
        var counts: [LinkID: Int] = [:]
        /// No further one is begun.
        var isEnding = false
        /// Those who wait until none is being written.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let host: EngineHost
    private let parts: AgentParts
    private let jobs: JobQueue
    private let transfers: TransferService
    private let partials = Mutex<[BlobID: PartialBlob]>([:])
    private let writes = Mutex(Writes())
    private let openFileMax = 2 * EngineLimits().openBlobCountMax

    init(host: EngineHost, parts: AgentParts, jobs: JobQueue, transfers: TransferService) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.transfers = transfers
    }

    /// A blob's open file.
    func partial(_ blob: BlobID) -> PartialBlob? { partials.withLock { $0[blob] } }

    /// The blob is here: nothing of it is in staging any more.
    func forget(_ blob: BlobID) { partials.withLock { $0[blob] = nil } }

    private func keep(_ partial: PartialBlob) { partials.withLock { $0[partial.id] = partial } }

    /// The file stays open while there are few of them: the want mostly goes on with another peer at once.
    func close(_ blob: BlobID) {
        partials.withLock { partials in
            if partials.count > openFileMax { partials[blob] = nil }
        }
    }

    // MARK: Beginning

    /// Opens the file of a blob of several pieces.
    func begin(_ blob: BlobID, _ byteCount: UInt64, _ list: PieceList) {
        jobs.add { await self.open(blob, byteCount, list) }
    }

    private func open(_ blob: BlobID, _ byteCount: UInt64, _ list: PieceList) async {
        if let open = partial(blob), open.byteCount == byteCount {
            return await host.deliver(.receivingBegan(blob, held: open.piecesHeld))
        }
        do {
            // Much of it may be there already, which is read first.
            let partial = try await parts.blobPool.perform { [parts] in
                try parts.blobs.beginReceiving(blob, byteCount: byteCount, list: list)
            }
            await host.deliver { (host: isolated EngineHost) in self.began(partial, on: host) }
        } catch let error as BlobError where error.code == .alreadyHeld {
            await host.deliver { (host: isolated EngineHost) in self.committed(blob) }
        } catch {
            await host.deliver(.receivingFailed(blob, "\(error)"))
        }
    }

    /// - Returns: `nil` for a blob that nobody wants any more. One that ceases to be wanted by what is judged with this is
    ///   abandoned after that.
    private func began(_ partial: PartialBlob, on host: isolated EngineHost) -> EngineInput? {
        guard host.engine.missingReason(partial.id) != nil else {
            jobs.add { await self.discard(partial) }
            return nil
        }
        keep(partial)
        return .receivingBegan(partial.id, held: partial.piecesHeld)
    }

    // MARK: Pieces

    /// Has pieces written that came over a link at one time.
    ///
    /// - Returns: what is known at once: of pieces whose blob's file is not open.
    func write(_ pieces: [ArrivedPiece], from link: LinkID) -> [EngineInput] {
        var inputs: [EngineInput] = []
        for piece in pieces {
            guard let write = writing(piece) else {
                inputs.append(
                    .pieceStored(link, number: piece.request.number, .failed("Its file in staging was closed.")))
                continue
            }
            transfers.received(piece.buffer.byteCount)
            writes.withLock { $0.counts[link, default: 0] += 1 }
            self.write(piece, from: link, write)
        }
        return inputs
    }

    /// Links whose pieces wait for this disk, ordered: while it stands, requests for them are not to be taken back, and
    /// more asked for, which would take memory without end.
    var writingLinks: [LinkID] { writes.withLock { $0.counts.keys.sorted() } }

    /// Begins to write no further piece, and waits for those that are being written: they are no jobs, and another store
    /// of this home may be opened next.
    func end() async {
        await withCheckedContinuation { continuation in
            let isWriting = writes.withLock { writes in
                writes.isEnding = true
                if !writes.counts.isEmpty { writes.waiting.append(continuation) }
                return !writes.counts.isEmpty
            }
            if !isWriting { continuation.resume() }
        }
    }

    private typealias Writing = @Sendable (UnsafeRawBufferPointer) throws -> SyncEngine.PieceOutcome

    /// - Returns: what verifies and stores the piece's bytes, and blocks; `nil` where its blob's file is not open.
    private func writing(_ piece: ArrivedPiece) -> Writing? {
        let (blob, number) = (piece.request.blob, piece.request.piece)
        if piece.isWhole {
            return { [parts] in try parts.blobs.receive(blob, bytes: $0) ? .committed(blob) : .wrongHash }
        }
        guard let partial = partial(blob) else { return nil }
        return { try partial.write(piece: number, bytes: $0) == .stored ? .stored : .wrongHash }
    }

    /// Not as a job, nor in a task, which for a small photo would cost as much as hashing and writing it.
    private func write(_ piece: ArrivedPiece, from link: LinkID, _ write: @escaping Writing) {
        // A blob that is made durable waits for the disk: those that do so at one time share a trip to it.
        let pool = piece.isWhole ? parts.commitPool : parts.blobPool
        pool.submit { state in
            let outcome: SyncEngine.PieceOutcome
            do {
                guard case .active = state, !self.writes.withLock({ $0.isEnding }) else { throw CancellationError() }
                outcome = try piece.buffer.withUnsafeBytes(write)
            } catch {
                outcome = .failed("\(error)")
            }
            self.written(outcome, of: piece, from: link)
        }
    }

    private func written(_ outcome: SyncEngine.PieceOutcome, of piece: ArrivedPiece, from link: LinkID) {
        let number = piece.request.number
        host.deliverLater { (host: isolated EngineHost) in
            .pieceStored(link, number: number, self.current(outcome))
        }
        if transfers.isReportDue() { jobs.add { await self.transfers.tellProgress() } }
        let waiting = writes.withLock { writes in
            let count = writes.counts[link, default: 0] - 1
            writes.counts[link] = count > 0 ? count : nil
            defer { if writes.counts.isEmpty { writes.waiting = [] } }
            return writes.counts.isEmpty ? writes.waiting : []
        }
        for waiter in waiting { waiter.resume() }
    }

    /// What is so of a piece when its outcome is judged: since it was made durable its blob may have been deleted, or
    /// its file lost, and the engine was told of that first.
    func current(_ outcome: SyncEngine.PieceOutcome) -> SyncEngine.PieceOutcome {
        guard case .committed(let blob) = outcome, !parts.blobs.contains(blob) else { return outcome }
        return .failed(Self.goneSince)
    }

    private static let goneSince = "It has left the store since."

    // MARK: Ends

    func commit(_ blob: BlobID) {
        let partial = partial(blob)
        jobs.add {
            if let partial {
                await self.commit(partial)
            } else {
                await self.host.feed(.commitFailed(blob, "Its file in staging was closed."))
            }
        }
    }

    private func commit(_ partial: PartialBlob) async {
        do {
            switch try await parts.commitPool.perform({ try partial.commit() }) {
            case .committed:
                await host.deliver { (host: isolated EngineHost) in self.committed(partial.id) }
            case .wrongWhole:
                forget(partial.id)
                await host.feed(.commitRejected(partial.id))
            }
        } catch {
            // Open until the engine has said whether it is tried again.
            keep(partial)
            await host.feed(.commitFailed(partial.id, "\(error)"))
            forget(partial.id)
        }
    }

    /// The same as ``current(_:)`` of a blob that the store has had.
    func committed(_ blob: BlobID) -> EngineInput {
        if parts.blobs.contains(blob) { return .committed(blob) }
        forget(blob)
        return .commitFailed(blob, Self.goneSince)
    }

    func abandon(_ blob: BlobID) {
        let partial = partials.withLock { $0.removeValue(forKey: blob) }
        jobs.add { [parts] in
            if let partial {
                await self.discard(partial)
            } else {
                // The pool is closed only when the agent ends.
                try? await parts.blobPool.perform { parts.blobs.discardStaged(blob) }
            }
        }
    }

    private func discard(_ partial: PartialBlob) async {
        // A file that stays is removed by the next start.
        try? await parts.blobPool.perform { partial.abandon() }
    }
}
