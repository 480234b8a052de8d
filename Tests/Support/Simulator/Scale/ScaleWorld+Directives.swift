import AlbumModel
import SyncEngine
import WireFormat

extension ScaleWorld {
    /// What the agent's shell does with disks and sockets.
    mutating func perform(_ directive: EngineDirective, by device: Int) {
        switch directive {
        case .send(let link, let message): send(message, Int(link.number), from: device)
        case .sendPage(let link, let ids, let blobs, let number):
            var known: [BlobID: PieceList] = [:]
            for blob in blobs { known[blob] = lists[blob] }
            let page = BatchPage(batches: ids.map { batches[$0]! }, pieceLists: known, page: number)
            sendPage(page, ids, Int(link.number), from: device)
        case .sendPieceList(let link, let blob):
            send(.pieceList(blob, lists[blob]), Int(link.number), from: device)
        case .request(let link, let request): send(.request(request), Int(link.number), from: device)
        case .cancel(let link, let number): send(.cancelled(number: number), Int(link.number), from: device)
        case .serve(let link, let request), .servePart(let link, let request):
            serve(request, Int(link.number), device)
        case .cancelServe(let link, let number): wires[Int(link.number)].cancel(number, from: device)
        case .close(let link, _): close(Int(link.number), by: device)
        case .store(let accepted, _):
            for batch in accepted where batches[batch.id] == nil { publish(batch, device) }
            events.plan(.stored(device, accepted.map(\.id)), at: now + options.diskDelay)
        case .beginReceiving(let blob, let byteCount, _):
            let pieces = [Bool](repeating: false, count: Pieces.count(blobByteCount: byteCount))
            events.plan(.input(device, .receivingBegan(blob, held: pieces)), at: now + options.pieceDelay)
        case .commit(let blob): events.plan(.input(device, .committed(blob)), at: now + options.diskDelay)
        case .dial(let dial): self.dial(dial, device)
        case .notify(.blobHeld(let blob)): heldCount[blob]! += 1
        case .notify(.peerRefused(_, let reason)): refusals.append("\(reason)")
        case .rememberHoldings:
            // No agent of these ends, so nothing has to be kept.
            events.plan(.input(device, .holdingsRemembered(.max)), at: now + options.diskDelay)
        case .closeStaging, .abandon, .remember, .notify, .cancelDial, .yield: break
        }
    }

    private mutating func publish(_ batch: AcceptedBatch, _ device: Int) {
        batches[batch.id] = batch.signed
        published.append(batch.id)
        followed[batch.id] = ScaleFollowing(source: device, deviceCount: options.deviceCount, at: now)
    }

    // MARK: Messages

    /// Messages overtake pieces, as in the agent, which sends them before the next part of a piece; they are too small
    /// to hold anything up.
    private mutating func arrival(_ byteCount: Int, _ wire: Int, from device: Int) -> MonotonicInstant {
        wires[wire].arrival(from: device, now + options.delay + Double(byteCount) / options.rate)
    }

    private mutating func send(_ message: Message, _ wire: Int, from device: Int) {
        guard wires[wire].isOpen(at: device) else { return }
        counts[ScaleMessageKind(message)] += 1
        let at = arrival(message.roughByteCount, wire, from: device)
        events.plan(.message(wire: wire, to: wires[wire].other(than: device), message), at: at)
    }

    private mutating func sendPage(_ page: BatchPage, _ ids: [BatchID], _ wire: Int, from device: Int) {
        guard wires[wire].isOpen(at: device) else { return }
        counts[.batches] += 1
        let at = arrival(Message.batches(page).roughByteCount, wire, from: device)
        events.plan(.page(wire: wire, to: wires[wire].other(than: device), ids, page), at: at)
    }

    // MARK: Pieces

    private mutating func serve(_ request: PieceRequest, _ wire: Int, _ device: Int) {
        wires[wire].append(ScalePiece(number: request.number, byteCount: request.byteCount), from: device)
        if !cables[device].turns.contains(wire) { cables[device].turns.append(wire) }
        sendPiece(from: device)
    }

    /// Sends the next piece if the cable is free: the links that have some take turns.
    mutating func sendPiece(from device: Int) {
        while !isAway[device], !cables[device].isSending, !cables[device].turns.isEmpty {
            let wire = cables[device].turns.removeFirst()
            guard wires[wire].isOpen(at: device), let piece = wires[wire].takeFirst(from: device) else { continue }
            cables[device].turns.append(wire)
            cables[device].isSending = true
            cables[device].sentByteCount += piece.byteCount
            events.plan(.sent(device), at: now + Double(piece.byteCount) / options.rate)
            events.plan(.came(wire: wire, to: wires[wire].other(than: device), piece), at: now + options.delay)
        }
    }

    /// A piece goes through the receiver's cable while it still leaves the sender's, and behind what came before.
    mutating func receive(_ piece: ScalePiece, _ wire: Int, _ device: Int) {
        let end = max(now, cables[device].receivesUntil) + Double(piece.byteCount) / options.rate
        cables[device].receivesUntil = end
        cables[device].receivedPieceCount += 1
        events.plan(.arrived(wire: wire, to: device, piece), at: end + options.pieceDelay)
    }
}
