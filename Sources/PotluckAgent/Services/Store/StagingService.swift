import AlbumModel
import PeerTransport
import PhotoStore
import SyncEngine
import Synchronization

/// A piece that came over a link. Its bytes are not verified.
struct ArrivedPiece: Sendable {
    /// Of the request that it answers.
    var number: UInt32
    var blob: BlobID
    var piece: Int
    var buffer: PieceBuffer
}

/// Blobs that are being received: their files in staging, pieces as they come, and commits.
final class StagingService: Sendable {
    private struct Opening: Sendable {
        var blob: BlobID
        var byteCount: UInt64
        var list: PieceList?
    }

    private struct Writing: Sendable {
        var piece: ArrivedPiece
        var partial: PartialBlob

        /// Verifies and stores the piece. Blocks.
        func outcome() -> SyncEngine.PieceOutcome {
            do throws(BlobError) {
                let outcome = try piece.buffer.withUnsafeBytes { bytes throws(BlobError) in
                    try partial.write(piece: piece.piece, bytes: bytes)
                }
                return outcome == .stored ? .stored : .wrongHash
            } catch {
                return .failed("\(error)")
            }
        }
    }

    private let host: EngineHost
    private let parts: AgentParts
    private let jobs: JobQueue
    private let transfers: TransferService
    private let partials = Mutex<[BlobID: PartialBlob]>([:])
    /// Small blobs that are to be received, and that no job has begun yet.
    private let openings = Mutex<[Opening]>([])
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

    /// Begins to receive a blob. Of small ones that begin at one time, as in an import of many, one job opens the files:
    /// each is there at once, and to wake a thread for it takes longer.
    func begin(_ blob: BlobID, _ byteCount: UInt64, _ list: PieceList?) {
        let opening = Opening(blob: blob, byteCount: byteCount, list: list)
        // Of a large one much may be there already, which is read first.
        guard list == nil else { return jobs.add { await self.open([opening]) } }
        let isFirst = openings.withLock { openings in
            openings.append(opening)
            return openings.count == 1
        }
        if isFirst { jobs.add { await self.open(self.takeOpenings()) } }
    }

    /// - Returns: of each blob the last, as of one that was given up and is wanted again.
    private func takeOpenings() -> [Opening] {
        let waiting = openings.withLock { openings in
            defer { openings.removeAll() }
            return openings
        }
        var taken: Set<BlobID> = []
        return waiting.reversed().filter { taken.insert($0.blob).inserted }.reversed()
    }

    private func open(_ openings: [Opening]) async {
        var findings: [EngineHost.Finding] = []
        var closed: [Opening] = []
        for opening in openings {
            if let open = partial(opening.blob), open.byteCount == opening.byteCount {
                let held = open.piecesHeld
                findings.append { _ in .receivingBegan(opening.blob, held: held) }
            } else {
                closed.append(opening)
            }
        }
        await host.deliver(findings + beginReceiving(closed))
    }

    /// - Returns: what became of each.
    private func beginReceiving(_ openings: [Opening]) async -> [EngineHost.Finding] {
        guard !openings.isEmpty else { return [] }
        do {
            let outcomes = try await parts.blobPool.perform { [parts] in
                openings.map { opening in
                    Result { () throws(BlobError) in
                        try parts.blobs.beginReceiving(
                            opening.blob, byteCount: opening.byteCount, list: opening.list)
                    }
                }
            }
            return zip(openings, outcomes).map { opening, outcome in
                { (host: isolated EngineHost) in self.judged(outcome, of: opening.blob, on: host) }
            }
        } catch {
            return openings.map { opening in { _ in .receivingFailed(opening.blob, "\(error)") } }
        }
    }

    private func judged(
        _ outcome: Result<PartialBlob, BlobError>, of blob: BlobID, on host: isolated EngineHost
    ) -> EngineInput? {
        switch outcome {
        case .success(let partial): began(partial, on: host)
        case .failure(let error) where error.code == .alreadyHeld: .committed(blob)
        case .failure(let error): .receivingFailed(blob, "\(error)")
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

    /// Has pieces written that came over a link at one time; small ones by one job.
    ///
    /// - Returns: what is known at once: of pieces whose blob's file is not open.
    func write(_ pieces: [ArrivedPiece], from link: LinkID) -> [EngineInput] {
        var inputs: [EngineInput] = []
        var writings: [Writing] = []
        for piece in pieces {
            guard let partial = partial(piece.blob) else {
                inputs.append(
                    .pieceStored(link, number: piece.number, .failed("Its file in staging was closed.")))
                continue
            }
            transfers.received(piece.buffer.byteCount)
            writings.append(Writing(piece: piece, partial: partial))
        }
        for share in Self.shares(of: writings.map(\.piece.buffer.byteCount)) {
            jobs.add { [writings = Array(writings[share])] in await self.write(writings, from: link) }
        }
        return inputs
    }

    /// Which pieces one job writes, in their order.
    static func shares(of byteCounts: [Int]) -> [Range<Int>] {
        var shares: [Range<Int>] = []
        var room = 0
        for (place, byteCount) in byteCounts.enumerated() {
            if let last = shares.last, byteCount <= room {
                shares[shares.count - 1] = last.lowerBound..<place + 1
            } else {
                shares.append(place..<place + 1)
                room = shareByteCountMax
            }
            room -= byteCount
        }
        return shares
    }

    /// Of pieces that one job writes; a larger one has a job of its own. More is hashed sooner by several threads.
    static let shareByteCountMax = 256 << 10

    private func write(_ writings: [Writing], from link: LinkID) async {
        let outcomes: [SyncEngine.PieceOutcome]
        do {
            outcomes = try await parts.blobPool.perform { writings.map { $0.outcome() } }
        } catch {
            outcomes = writings.map { _ in .failed("\(error)") }
        }
        await host.deliver(
            zip(writings, outcomes).map { .pieceStored(link, number: $0.piece.number, $1) })
        await transfers.tellProgress()
    }

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
            case .committed: await host.deliver(.committed(partial.id))
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
