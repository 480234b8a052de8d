import AlbumModel
import SyncEngine
import WireFormat

/// What an agent's shell does with real disks and sockets: the only place that knows all directives.
extension Simulation {
    mutating func perform(_ directive: EngineDirective, by index: Int) throws(SimulationFailure) {
        switch directive {
        case .send(let link, let message): try tell(message, index, link)
        case .sendPage(let link, let ids, let lists, let page): try sendPage(ids, lists, page, index, link)
        case .sendPieceList(let link, let blob, _):
            let list = laptops[index].disk.blobs.contains(blob) ? contents[blob]!.list : nil
            try tell(.pieceList(blob, list), index, link)
        case .request(let link, let request, let isWhole):
            laptops[index].expected[request.number] = (request.blob, request.piece, isWhole)
            if isWatched, laptops[index].isHonest, let other = other(index, link) {
                try watch.requests.asks(request.blob, laptops[other].id, by: laptops[index], now: now)
            }
            try tell(.request(request), index, link)
        case .cancel(let link, let number):
            laptops[index].expected[number] = nil
            try tell(.cancelled(number: number), index, link)
        case .serve(let link, let request): try serve(request, index, link)
        case .servePart(let link, let request): try servePart(request, index, link)
        case .cancelServe(let link, let number): cancelQueued(number, index, link)
        case .close(let link, let reason):
            if isWatched { try noteClosed(index, link, reason) }
            end(link, of: index)
        case .store(let batches, let replica):
            oracle.signs(laptops[index])
            measures?.stored(batches, by: index, at: now)
            store(batches, replica, index)
        case .beginReceiving(let blob, let byteCount, let list): beginReceiving(blob, byteCount, list, index)
        case .yield(let link, let precedence):
            rehearsal?.laptops[index].yields[link] = precedence
            yield(index, link, to: precedence)
        // A dial that is given up may have led to a connection already: here it always does.
        case .closeStaging, .cancelDial: break
        case .rememberHoldings(let devices): rememberHoldings(devices, index)
        case .storeRulings(let rulings, let seeds): try store(rulings, seeds: seeds, index)
        case .judgeFounding(let founding, _):
            answer(.foundingJudged(founding, fits: founding == rulingLedger.founding), index, within: 0.2)
        case .commit(let blob):
            if laptops[index].isDiskFull || laptops[index].failsCommits {
                answer(.commitFailed(blob, "the disk refuses it"), index, within: 0.01)
            } else {
                begin(.commit(blob), index, within: Self.commitMax)
            }
        case .abandon(let blob): laptops[index].disk.abandon(blob)
        case .dial(let dial): if rehearsal == nil { self.dial(dial, index) }
        case .remember(let device, let address): remember(address, of: device, index)
        case .notify(let event):
            // A restart must not go on with what was given up.
            if event == .replicaRenewed { laptops[index].disk.giveUpReplica() }
            if event == .rulingsChanged { laptops[index].noteOut() }
            if event == .epochsChanged, rehearsal == nil {
                let wait = rulingsRandom.seconds(in: 0...0.5)
                plan(.beginAnew(laptop: index, life: laptops[index].life), after: wait)
            }
            if case .catalogChanged(let difference) = event { followTrash(difference, index) }
            if case .blobHeld(let blob) = event { try gained(blob, index) }
            if rehearsal != nil {
                rehearsal!.laptops[index].events.append(event)
            } else {
                try oracle.noted(
                    event, by: laptops[index], liars: liars, isToldFalseVectors: options.lies.contains(.vectors))
            }
            if isWatched { planNews() }
        }
    }

    private var liars: Set<DeviceID> {
        options.lies.isEmpty && outsider == nil ? [] : Set(laptops.filter { !$0.isHonest }.map(\.id))
    }

    // MARK: Telling

    /// Sends a message, or what a liar makes of it.
    private mutating func tell(_ message: Message, _ index: Int, _ link: LinkID) throws(SimulationFailure) {
        let origin = Origin(laptop: index, device: laptops[index].id, run: laptops[index].run, at: now)
        rehearsal?.laptops[index].sent.append(message)
        guard isWatched else { return send(.spoken(message, origin), index, link) }
        var messages = [message]
        if laptops[index].isHonest {
            try watch.addresses.sent(message, by: laptops[index])
            try EqualRulings.sent(message, by: laptops[index])
            try noteSent(message, index, link)
            noteDenial(message, index, link)
        } else {
            let known = knownBlobs()
            let signing = laptops[index].signing
            for lie in Lie.allCases where laptops[index].lies.contains(lie) {
                messages = messages.flatMap { lie.distort($0, known: known, signing, &liarRandom) }
            }
            if laptops[index].lies.contains(.chains) {
                let wall = wall(index)
                for place in messages.indices {
                    messages[place] = laptops[index].addSenselessBatches(to: messages[place], wall: wall, &liarRandom)
                }
            }
        }
        if isWithholding(message, index) { messages = [] }
        for message in messages {
            var bytes = message.encoded()
            if laptops[index].speaksFirstVersion { bytes = try FirstVersion.sent(bytes) }
            // Real signatures are not equal from run to run; how long they are is.
            if options.usesP256 { trace.add(UInt64(bytes.count)) } else { trace.add(bytes) }
            send(.message(bytes, origin), index, link)
        }
        cutAfterPart(message, index, link)
        breakOff(index, link)
    }

    /// A liar passes nothing on for a few seconds, and all of it again.
    private func isWithholding(_ message: Message, _ index: Int) -> Bool {
        let isTime = (Int(virtualSeconds) / 5 + index) % 2 == 0
        guard laptops[index].lies.contains(.withholding), isTime else { return false }
        switch message {
        case .batches, .announced, .chainSample: return true
        default: return false
        }
    }

    private mutating func gained(_ blob: BlobID, _ index: Int) throws(SimulationFailure) {
        measures?.heldCounts[blob, default: 0] += 1
        laptops[index].learned.gained(blob, now: now)
        guard laptops[index].isHonest, !laptops[index].disk.blobs.contains(blob) else { return }
        let sentence = "laptop \(index) believes to hold \(blob.hex.prefix(8)), which is not on its disk"
        throw SimulationFailure(.falseCopy, sentence)
    }

    /// A change of presence that is told in parts is cut between two of them, once in some of the runs.
    private mutating func cutAfterPart(_ message: Message, _ index: Int, _ link: LinkID) {
        guard case .presenceChanged(let change) = message, hasFaults, options.bulkCount > 0, !isPartCut,
            change.held.count + change.lost.count == WireLimits.heldCountMax, bulkRandom.chance(0.8)
        else { return }
        isPartCut = true
        cutBehind(index, link)
    }

    private mutating func sendPage(
        _ ids: [BatchID], _ lists: [BlobID], _ page: UInt64, _ index: Int, _ link: LinkID
    ) throws(SimulationFailure) {
        let batches = ids.compactMap { laptops[index].disk.batch($0) }
        guard batches.count == ids.count else {
            throw SimulationFailure(.undurable, "laptop \(index) sends a batch that is not in its journal")
        }
        if isWatched, let number = laptops[index].connections[link] {
            let connection = network.connections[number]
            let end = 1 - connection.index(of: index)
            let other = connection.ends[end].laptop
            if laptops[index].isHonest {
                let isThere = connection.lives[end] == laptops[other].life
                try NothingToOutsiders.check(
                    batchesFrom: laptops[index], to: connection.devices[end], of: laptops[other],
                    isOutsider: isThere && isOutsider(other))
            }
            watch.traffic.sent(batches, from: laptops[index], to: laptops[other])
        }
        var known: [BlobID: PieceList] = [:]
        for blob in lists where laptops[index].disk.blobs.contains(blob) { known[blob] = contents[blob]!.list }
        try tell(.batches(BatchPage(batches: batches, pieceLists: known, page: page)), index, link)
    }

    mutating func received(_ bytes: [UInt8], _ origin: Origin, _ target: Endpoint) throws(SimulationFailure) {
        var bytes = bytes
        if laptops[target.laptop].speaksFirstVersion {
            let isHonest = laptops[origin.laptop].isHonest
            bytes = isHonest ? try FirstVersion.received(bytes) : FirstVersion.receivedFromLiar(bytes)
        }
        let message: Message
        do {
            message = try Message(decoding: bytes)
        } catch {
            throw SimulationFailure(.unreadable, "a message of laptop \(origin.laptop) cannot be read: \(error)")
        }
        noteReceived(message, target.laptop, target.link)
        try received(message, origin, target)
    }

    mutating func received(_ message: Message, _ origin: Origin, _ target: Endpoint) throws(SimulationFailure) {
        measures?.came(message, to: target.laptop, from: origin.laptop)
        try feed(target.laptop, laptops[target.laptop].life, .received(target.link, message), origin)
    }

    // MARK: Serving and receiving

    private mutating func serve(
        _ request: PieceRequest, _ index: Int, _ link: LinkID
    ) throws(SimulationFailure) {
        guard let content = contents[request.blob] else {
            throw SimulationFailure(.undurable, "laptop \(index) serves a blob that nobody ever had")
        }
        if laptops[index].isHonest { try watch.served.serves(request, laptops[index]) }
        let isThere = laptops[index].disk.blobs.contains(request.blob)
        let isRotten = laptops[index].disk.rotten.contains(request.blob)
        let isPiece = request.piece < Pieces.count(blobByteCount: content.byteCount)
        if isThere, laptops[index].readError != nil { return try refuse(request, index, link, isLost: false) }
        guard isThere, !isRotten, isPiece || laptops[index].lies.contains(.claims) else {
            return try refuse(request, index, link, isLost: isThere && isRotten)
        }
        try send(request, of: content, .right, index, link)
    }

    /// From staging, or from the store where the blob was committed meanwhile. What is there was checked when it came.
    private mutating func servePart(
        _ request: PieceRequest, _ index: Int, _ link: LinkID
    ) throws(SimulationFailure) {
        let disk = laptops[index].disk
        if disk.blobs.contains(request.blob) { return try serve(request, index, link) }
        guard let content = contents[request.blob], let staged = disk.staging[request.blob],
            staged.pieces.indices.contains(request.piece), staged.pieces[request.piece] != .missing,
            laptops[index].readError == nil
        else { return try refuse(request, index, link, isLost: false) }
        // A forged list, or bytes that rotted since: whoever receives them finds out.
        let isRight = staged.pieces[request.piece] == .right && staged.list.listHash == content.list?.listHash
        try send(request, of: content, isRight ? .right : .wrong, index, link)
    }

    private mutating func send(
        _ request: PieceRequest, of content: SimulatedBlob, _ bytes: PieceBytes, _ index: Int, _ link: LinkID
    ) throws(SimulationFailure) {
        let range = Pieces.range(of: request.piece, blobByteCount: content.byteCount)
        guard range.count == request.byteCount || bytes != .right || laptops[index].lies.contains(.claims) else {
            return try refuse(request, index, link, isLost: false)
        }
        var bytes: PieceBytes? = bytes
        if !laptops[index].isHonest { bytes = Lie.distort(laptops[index].lies, content, &liarRandom) }
        guard let bytes else { return }
        let packet = Packet.piece(
            number: request.number, request.blob, piece: request.piece, byteCount: request.byteCount, bytes)
        var precedence = UInt64.max
        if request.blobClass == .original {
            precedence = laptops[index].look { $0.precedence(of: request.blob) } ?? .max
        }
        queue(packet, precedence, index, link)
    }

    /// The store notices what changed when it opens the file.
    private mutating func refuse(
        _ request: PieceRequest, _ index: Int, _ link: LinkID, isLost: Bool
    ) throws(SimulationFailure) {
        // What rotted is there until the file was looked at.
        let isPassing = laptops[index].readError == .passing || isLost
        try tell(
            .refused(number: request.number, isPassing: isPassing && !laptops[index].speaksFirstVersion), index, link)
        guard isLost else { return }
        lose([request.blob], index)
        answer(.blobLost(request.blob), index, within: 0.001)
    }

    /// "Not here" is believed until the photo comes: what was denied need not be counted.
    private mutating func noteDenial(_ message: Message, _ index: Int, _ link: LinkID) {
        guard let other = other(index, link) else { return }
        switch message {
        case .refused(let number, _):
            guard let blob = laptops[other].expected[number]?.blob else { return }
            watch.claims.refused(blob, by: laptops[index].id, to: other)
        case .pieceList(let blob, nil): watch.claims.refused(blob, by: laptops[index].id, to: other)
        default: break
        }
    }

    /// A piece came in whole. What nobody asked for is dropped on its way.
    mutating func received(
        _ number: UInt32, _ blob: BlobID, _ piece: Int, _ bytes: PieceBytes, _ target: Endpoint
    ) throws(SimulationFailure) {
        let index = target.laptop
        guard let expected = laptops[index].expected.removeValue(forKey: number) else { return }
        guard (expected.blob, expected.piece) == (blob, piece) else {
            throw SimulationFailure(.wrongPiece, "request \(number) was answered with another piece")
        }
        if expected.isWhole {
            begin(.whole(target.link, number: number, blob, bytes), index, within: Self.commitMax)
        } else {
            begin(.piece(target.link, number: number, blob, piece: piece, bytes), index, within: 0.003)
        }
    }

    private mutating func beginReceiving(
        _ blob: BlobID, _ byteCount: UInt64, _ list: PieceList, _ index: Int
    ) {
        if laptops[index].disk.blobs.contains(blob) {
            laptops[index].disk.abandon(blob)
            return answer(.committed(blob), index, within: 0.002)
        }
        if laptops[index].isDiskFull { return answer(.receivingFailed(blob, "disk full"), index, within: 0.01) }
        let count = Pieces.count(blobByteCount: byteCount)
        let pieces = laptops[index].disk.open(blob, pieceCount: count, list: list)
        answer(.receivingBegan(blob, held: pieces), index, within: 0.002)
    }

    // MARK: Storing

    private mutating func store(_ batches: [AcceptedBatch], _ replica: ReplicaID?, _ index: Int) {
        if laptops[index].isDiskFull || laptops[index].failsCommits {
            if PlantedFault.isPlanted(.failedStoreHalfDone) {
                for batch in batches.prefix(1) { laptops[index].disk.append(batch, received: batch.received) }
            }
            answer(.storeFailed("the disk refuses it"), index, within: 0.01)
        } else {
            if PlantedFault.isPlanted(.storedSaidBeforeDurable) { answer(.stored, index, within: 0) }
            begin(.batches(batches, ownReplica: replica), index, within: Self.commitMax)
        }
    }

    private mutating func remember(_ address: PeerAddress, of device: DeviceID, _ index: Int) {
        var addresses = laptops[index].disk.remembered[device] ?? []
        addresses.removeAll { $0 == address }
        laptops[index].disk.remembered[device] = [address] + addresses.prefix(15)
    }
}
