import AlbumModel
import SyncEngine

/// Writes take time, and are finished or not when the agent dies.
extension Simulation {
    mutating func begin(_ write: DiskWrite, _ index: Int, within seconds: Double) {
        let number = laptops[index].nextWrite
        laptops[index].nextWrite += 1
        laptops[index].pendingWrites[number] = write
        let event = Event.written(laptop: index, life: laptops[index].life, number: number)
        events.plan(event, at: now + diskRandom.seconds(in: 0...seconds))
    }

    mutating func answer(_ input: EngineInput, _ index: Int, within seconds: Double) {
        let event = Event.input(laptop: index, life: laptops[index].life, input)
        events.plan(event, at: now + diskRandom.seconds(in: 0...seconds))
    }

    mutating func written(_ index: Int, _ life: Int, _ number: Int) throws(SimulationFailure) {
        guard laptops[index].life == life, let write = laptops[index].pendingWrites.removeValue(forKey: number)
        else { return }
        try feed(index, life, finish(write, index))
    }

    /// - Returns: what the agent is told, if it still runs.
    mutating func finish(_ write: DiskWrite, _ index: Int) throws(SimulationFailure) -> EngineInput {
        switch write {
        case .batches(let batches, let replica):
            for batch in batches { try append(batch, replica, index) }
            laptops[index].disk.goOn(as: replica)
            return .stored
        case .piece(let link, let number, let blob, let piece, let bytes):
            if laptops[index].isDiskFull { return .pieceStored(link, number: number, .failed("disk full")) }
            return .pieceStored(link, number: number, store(piece, of: blob, bytes, index))
        case .commit(let blob):
            if laptops[index].disk.blobs.contains(blob) {
                laptops[index].disk.abandon(blob)
                return .committed(blob)
            }
            let isVerified = options.plant != .unverifiedPiece
            return laptops[index].disk.commit(blob, isVerified: isVerified) ? .committed(blob) : .commitRejected(blob)
        }
    }

    private mutating func append(
        _ batch: AcceptedBatch, _ ownReplica: ReplicaID?, _ index: Int
    ) throws(SimulationFailure) {
        if laptops[index].isHonest, batch.batch.replica == ownReplica {
            try watch.sequences.stored(batch.batch, by: laptops[index])
        }
        if options.plant == .lostBatch, diskRandom.chance(0.02) { return }
        laptops[index].disk.append(batch, received: wall(index))
    }

    private mutating func store(_ piece: Int, of blob: BlobID, _ bytes: PieceBytes, _ index: Int) -> PieceOutcome {
        guard let staged = laptops[index].disk.staging[blob], piece < staged.pieces.count else {
            return .failed("its file in staging was closed")
        }
        let isAccepted = staged.accepts(bytes, of: contents[blob]!, piece: piece)
        guard isAccepted || options.plant == .unverifiedPiece else { return .wrongHash }
        laptops[index].disk.write(piece, of: blob, bytes)
        return .stored
    }
}
