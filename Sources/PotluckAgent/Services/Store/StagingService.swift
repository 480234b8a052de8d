import AlbumModel
import PeerTransport
import PhotoStore
import SyncEngine
import Synchronization

/// Blobs that are being received: their files in staging, pieces as they come, and commits.
final class StagingService: Sendable {
    private let host: EngineHost
    private let parts: AgentParts
    private let jobs: JobQueue
    private let transfers: TransferService
    private let partials = Mutex<[BlobID: PartialBlob]>([:])
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

    func begin(_ blob: BlobID, _ byteCount: UInt64, _ list: PieceList?) {
        jobs.add { await self.open(blob, byteCount, list) }
    }

    private func open(_ blob: BlobID, _ byteCount: UInt64, _ list: PieceList?) async {
        if let open = partial(blob), open.byteCount == byteCount {
            return await host.deliver(.receivingBegan(blob, held: open.piecesHeld))
        }
        do {
            let partial = try await parts.blobPool.perform { [parts] in
                try parts.blobs.beginReceiving(blob, byteCount: byteCount, list: list)
            }
            await host.deliver { (host: isolated EngineHost) in self.began(partial, on: host) }
        } catch let error as BlobError where error.code == .alreadyHeld {
            await host.deliver(.committed(blob))
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

    /// Has a piece written that came over a link.
    ///
    /// - Returns: false where the blob's file is not open.
    func write(_ buffer: PieceBuffer, piece: Int, of blob: BlobID, number: UInt32, from link: LinkID) -> Bool {
        guard let partial = partial(blob) else { return false }
        transfers.received(buffer.byteCount)
        jobs.add { await self.write(buffer, piece: piece, to: partial, number: number, from: link) }
        return true
    }

    private func write(
        _ buffer: PieceBuffer, piece: Int, to partial: PartialBlob, number: UInt32, from link: LinkID
    ) async {
        do {
            let outcome = try await parts.blobPool.perform {
                try buffer.withUnsafeBytes { try partial.write(piece: piece, bytes: $0) }
            }
            switch outcome {
            case .stored: await host.deliver(.pieceStored(link, number: number, .stored))
            case .wrongHash: await host.deliver(.pieceStored(link, number: number, .wrongHash))
            }
            await transfers.tellProgress()
        } catch {
            await host.deliver(.pieceStored(link, number: number, .failed("\(error)")))
        }
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
