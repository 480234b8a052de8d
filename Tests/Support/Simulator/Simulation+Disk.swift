import AlbumModel
import SyncEngine

/// Writes take time, and are finished or not when the agent dies.
extension Simulation {
    /// As long as this the agent leaves a disk alone that refused something, in seconds.
    private static let retryPause = 10.0
    /// Batches and whole blobs are durable within so many seconds.
    static let commitMax = 0.01

    mutating func begin(_ write: DiskWrite, _ index: Int, within seconds: Double) {
        let number = laptops[index].nextWrite
        laptops[index].nextWrite += 1
        laptops[index].pendingWrites[number] = write
        let event = Event.written(laptop: index, life: laptops[index].life, number: number)
        var end = now + diskRandom.seconds(in: 0...seconds)
        // One transaction after the other, as at the agent: a later word never goes under an earlier one.
        if case .holdings = write {
            end = max(end, laptops[index].holdingsWrittenAt)
            laptops[index].holdingsWrittenAt = end
        }
        events.plan(event, at: end)
    }

    mutating func answer(_ input: EngineInput, _ index: Int, within seconds: Double) {
        let event = Event.input(laptop: index, life: laptops[index].life, input)
        events.plan(event, at: now + diskRandom.seconds(in: 0...seconds))
    }

    mutating func written(_ index: Int, _ life: Int, _ number: Int) throws(SimulationFailure) {
        guard laptops[index].life == life, let write = laptops[index].pendingWrites.removeValue(forKey: number)
        else { return }
        if let input = try finish(write, index) { try feed(index, life, input) }
    }

    /// - Returns: what the agent is told, if it still runs; `nil` where it is told nothing.
    mutating func finish(_ write: DiskWrite, _ index: Int) throws(SimulationFailure) -> EngineInput? {
        switch write {
        case .batches(let batches, let replica):
            for batch in batches { try append(batch, replica, index) }
            if isWatched { watch.sequences.observed(batches, by: laptops[index], wall: wall(index)) }
            if !PlantedFault.isPlanted(.ownReplicaNotKept) { laptops[index].disk.goOn(as: replica) }
            return PlantedFault.isPlanted(.storedSaidBeforeDurable) ? nil : .stored
        case .piece(let link, let number, let blob, let piece, let bytes):
            if laptops[index].isDiskFull { return .pieceStored(link, number: number, .failed("disk full")) }
            let outcome = store(piece, of: blob, bytes, index)
            note(outcome, of: blob, link, index)
            return .pieceStored(link, number: number, outcome)
        case .whole(let link, let number, let blob, let bytes):
            let outcome = receive(blob, bytes, index)
            note(outcome, of: blob, link, index)
            return .pieceStored(link, number: number, outcome)
        case .commit(let blob):
            if laptops[index].disk.blobs.contains(blob) {
                laptops[index].disk.abandon(blob)
                return .committed(blob)
            }
            let isVerified = !PlantedFault.isPlanted(.storeChecksNothing)
            return laptops[index].disk.commit(blob, isVerified: isVerified) ? .committed(blob) : .commitRejected(blob)
        case .holdings(let remembered):
            laptops[index].disk.holdings.merge(remembered) { $1 }
            return remembered[laptops[index].id].map { .holdingsRemembered($0.record.summaryFloor) }
        case .rulings(let rulings, let seeds):
            keep(rulings, seeds: seeds, index)
            return .rulingsStored
        }
    }

    /// As the agent does: soon, all that is not written yet, and some seconds later where the disk refuses it.
    mutating func rememberHoldings(_ devices: [DeviceID], _ index: Int) {
        // No agent ends where figures are asked, so nothing has to be kept.
        guard measures == nil else { return answer(.holdingsRemembered(.max), index, within: Self.commitMax) }
        laptops[index].unsavedHoldings.formUnion(devices)
        if PlantedFault.isPlanted(.holdingsKeptAtStopsOnly) { return }
        saveHoldings(index)
    }

    mutating func retryHoldings(_ index: Int, _ life: Int) {
        if laptops[index].life == life, !laptops[index].unsavedHoldings.isEmpty { saveHoldings(index) }
    }

    private mutating func saveHoldings(_ index: Int) {
        guard !laptops[index].isDiskFull, !laptops[index].failsCommits else {
            plan(.holdingsRetried(laptop: index, life: laptops[index].life), after: Self.retryPause)
            return
        }
        let unsaved = laptops[index].unsavedHoldings.sorted()
        laptops[index].unsavedHoldings = []
        begin(.holdings(laptops[index].holdings(of: unsaved)), index, within: Self.commitMax)
    }

    /// A disk has these no longer.
    mutating func lose(_ blobs: [BlobID], _ index: Int) {
        for blob in blobs where laptops[index].disk.blobs.contains(blob) {
            laptops[index].disk.lose(blob)
            watch.claims.lost(blob, from: laptops[index], now: now)
        }
    }

    private mutating func append(
        _ batch: AcceptedBatch, _ ownReplica: ReplicaID?, _ index: Int
    ) throws(SimulationFailure) {
        measures?.learned(batch.id, by: index, at: now)
        if isWatched, laptops[index].isHonest, batch.batch.replica == ownReplica {
            try watch.sequences.stored(batch.batch, by: laptops[index], wallMax: wallMax)
        }
        laptops[index].disk.append(batch, received: batch.received)
        guard isWatched else { return }
        watch.leftOut.stored(batch, by: laptops[index])
        laptops[index].learned.learned(batch.id, of: batch.batch.replica, now: now)
    }

    /// A piece came over a link, and was right or wrong.
    private mutating func note(_ outcome: PieceOutcome, of blob: BlobID, _ link: LinkID, _ index: Int) {
        guard let other = other(index, link) else { return }
        switch outcome {
        case .wrongHash: watch.requests.sentWrong(blob, laptops[other].id, to: laptops[index], now: now)
        case .stored, .committed:
            if isWatched { watch.claims.brought(blob, by: laptops[other].id, to: index, now: now) }
        case .failed: break
        }
    }

    /// As the store takes in a blob of one piece: what is wrong never reaches the disk.
    private mutating func receive(_ blob: BlobID, _ bytes: PieceBytes, _ index: Int) -> PieceOutcome {
        let isRight = bytes == .right && contents[blob]!.list == nil
        guard isRight || PlantedFault.isPlanted(.storeChecksNothing) else { return .wrongHash }
        if laptops[index].disk.blobs.contains(blob) { return .committed(blob) }
        if laptops[index].isDiskFull || laptops[index].failsCommits { return .failed("the disk refuses it") }
        laptops[index].disk.receive(blob, isRight: isRight)
        return .committed(blob)
    }

    private mutating func store(_ piece: Int, of blob: BlobID, _ bytes: PieceBytes, _ index: Int) -> PieceOutcome {
        guard let staged = laptops[index].disk.staging[blob], piece < staged.pieces.count else {
            return .failed("its file in staging was closed")
        }
        let isAccepted = staged.accepts(bytes, of: contents[blob]!, piece: piece)
        guard isAccepted || PlantedFault.isPlanted(.storeChecksNothing) else { return .wrongHash }
        laptops[index].disk.write(piece, of: blob, bytes)
        return .stored
    }
}
