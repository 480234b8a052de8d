import AlbumModel
import SyncEngine
import WireFormat

extension Simulation {
    /// What the agent's shell does with real disks and sockets.
    mutating func perform(_ directive: EngineDirective, by index: Int) throws(SimulationFailure) {
        let life = devices[index].life
        switch directive {
        case .send(let link, let message): send(.message(message.encoded()), index, link)
        case .sendPage(let link, let ids, let lists, let page):
            let batches = ids.compactMap { devices[index].disk.batch($0) }
            guard batches.count == ids.count else {
                throw SimulationFailure(.undurable, "device \(index) sends a batch that is not in its journal")
            }
            var known: [BlobID: PieceList] = [:]
            for blob in lists where devices[index].disk.blobs.contains(blob) { known[blob] = contents[blob]!.list }
            let message = Message.batches(BatchPage(batches: batches, pieceLists: known, page: page))
            send(.message(message.encoded()), index, link)
        case .sendPieceList(let link, let blob):
            send(.message(Message.pieceList(blob, contents[blob]!.list).encoded()), index, link)
        case .request(let link, let request):
            devices[index].expected[request.number] = (request.blob, request.piece)
            send(.message(Message.request(request).encoded()), index, link)
        case .cancel(let link, let number):
            devices[index].expected[number] = nil
            send(.message(Message.cancelled(number: number).encoded()), index, link)
        case .serve(let link, let request): try serve(request, index, link)
        case .servePart(let link, let request): try servePart(request, index, link)
        case .cancelServe: break
        case .close(let link, _): end(link, of: index)
        case .store(let batches, let replica): store(batches, replica, index)
        case .beginReceiving(let blob, let byteCount, _):
            let pieces = devices[index].disk.open(blob, pieceCount: Pieces.count(blobByteCount: byteCount))
            plan(.input(device: index, life: life, .receivingBegan(blob, held: pieces)), within: 0.002)
        case .suspend: break
        case .commit(let blob):
            if devices[index].isDiskFull {
                plan(.input(device: index, life: life, .commitFailed(blob, "disk full")), within: 0.01)
            } else {
                plan(.committed(device: index, life: life, blob), within: 0.01)
            }
        case .abandon(let blob): devices[index].disk.abandon(blob)
        case .dial(let dial): try self.dial(dial, index)
        case .remember(let device, let address): devices[index].disk.remembered[device, default: []].append(address)
        case .notify(let event): try oracle.noted(event, by: index)
        }
    }

    mutating func plan(_ event: Event, within seconds: Double) {
        events.plan(event, at: now + Double.random(in: 0...seconds, using: &random))
    }

    private mutating func store(_ batches: [AcceptedBatch], _ replica: ReplicaID?, _ index: Int) {
        let life = devices[index].life
        if devices[index].isDiskFull {
            plan(.input(device: index, life: life, .storeFailed("disk full")), within: 0.01)
        } else {
            plan(.stored(device: index, life: life, batches, ownReplica: replica), within: 0.01)
        }
    }

    private mutating func serve(_ request: PieceRequest, _ index: Int, _ link: LinkID) throws(SimulationFailure) {
        guard devices[index].disk.blobs.contains(request.blob), let content = contents[request.blob] else {
            throw SimulationFailure(.undurable, "device \(index) serves a blob that it does not hold")
        }
        send(request, of: content, index, link)
    }

    /// From staging, or from the store where the blob was committed meanwhile.
    private mutating func servePart(_ request: PieceRequest, _ index: Int, _ link: LinkID) throws(SimulationFailure) {
        let disk = devices[index].disk
        guard disk.blobs.contains(request.blob) || disk.staging[request.blob]?[request.piece] == true,
            let content = contents[request.blob]
        else { throw SimulationFailure(.undurable, "device \(index) serves a piece that it does not have") }
        send(request, of: content, index, link)
    }

    private mutating func send(_ request: PieceRequest, of content: SimulatedBlob, _ index: Int, _ link: LinkID) {
        let range = Pieces.range(of: request.piece, blobByteCount: content.byteCount)
        guard range.count == request.byteCount else {
            return send(.message(Message.refused(number: request.number).encoded()), index, link)
        }
        send(
            .piece(number: request.number, blob: request.blob, piece: request.piece, byteCount: range.count), index,
            link)
    }

    // MARK: Connections

    private mutating func dial(_ dial: Dial, _ index: Int) throws(SimulationFailure) {
        let life = devices[index].life
        let target = devices.firstIndex { dial.addresses.contains($0.address) }
        if let target, target != index, devices[target].engine != nil, reachability.connects(index, target) {
            plan(.connect(from: index, life: life, to: target, dial.key), within: 4 * options.delay)
        } else {
            plan(.input(device: index, life: life, .dialFailed(dial.key, isStranger: false)), within: 2)
        }
    }

    mutating func connect(_ from: Int, _ life: Int, _ to: Int, _ key: PeerKey) throws(SimulationFailure) {
        guard devices[from].life == life else { return }
        guard devices[to].engine != nil, reachability.connects(from, to) else {
            return try feed(from, life, .dialFailed(key, isStranger: false))
        }
        let ends = [newEndpoint(from), newEndpoint(to)]
        connections.append(Connection(ends: ends, lastArrival: [now, now], stalledUntil: now))
        for end in ends { devices[end.device].connections[end.link] = connections.count - 1 }
        try feed(from, life, .connected(ends[0].link, devices[to].id, address: devices[to].address, key: key))
        let observed = PeerAddress(host: devices[from].address.host, port: 50_000)
        try feed(
            to, devices[to].life, .connected(ends[1].link, devices[from].id, address: observed, key: nil))
    }

    private mutating func newEndpoint(_ index: Int) -> Endpoint {
        defer { devices[index].nextLink += 1 }
        return Endpoint(device: index, link: LinkID(number: devices[index].nextLink))
    }

    /// Queues a packet behind what was sent before it.
    private mutating func send(_ packet: Packet, _ index: Int, _ link: LinkID) {
        guard let number = devices[index].connections[link] else { return }
        let end = connections[number].index(of: index)
        guard !connections[number].isOver[end], !connections[number].isBlackHole else { return }
        let start = max(now, connections[number].lastArrival[end], connections[number].stalledUntil)
        let transfer = Double(packet.byteCount) / options.rate
        let arrival = start + transfer + options.delay * Double.random(in: 0.5...1.5, using: &random)
        // The delay overlaps between packets; only the transfer occupies the cable.
        connections[number].lastArrival[end] = max(start + transfer, connections[number].lastArrival[end])
        let inOrder = max(arrival, connections[number].lastArrival[end])
        connections[number].lastArrival[end] = inOrder
        events.plan(.arrival(connection: number, to: 1 - end, packet), at: inOrder)
    }

    mutating func arrived(_ packet: Packet, _ number: Int, _ end: Int) throws(SimulationFailure) {
        let connection = connections[number]
        guard !connection.isOver[end], !connection.isBlackHole else { return }
        let (first, second) = (connection.ends[0].device, connection.ends[1].device)
        guard reachability.connects(first, second) else {
            // A partition loses what is under way; TCP would retry, and both sides give up on the silence first.
            connections[number].isBlackHole = true
            return
        }
        let target = connection.ends[end]
        let life = devices[target.device].life
        switch packet {
        case .message(let bytes):
            do {
                try feed(target.device, life, .received(target.link, Message(decoding: bytes)))
            } catch let error as WireError {
                throw SimulationFailure(.unreadable, "a message cannot be read: \(error)")
            } catch let error as SimulationFailure {
                throw error
            } catch {
                throw SimulationFailure(.unreadable, "\(error)")
            }
        case .piece(let request, let blob, let piece, _):
            guard let expected = devices[target.device].expected.removeValue(forKey: request) else { return }
            guard expected == (blob, piece) else {
                throw SimulationFailure(.wrongPiece, "request \(request) was answered with another piece")
            }
            plan(
                .wrotePiece(
                    device: target.device, life: life, target.link, number: request, blob, piece: piece),
                within: 0.003)
        }
    }

    /// One side ends a connection; the other learns of it when what was sent has arrived.
    mutating func end(_ link: LinkID, of index: Int) {
        guard let number = devices[index].connections[link] else { return }
        let end = connections[number].index(of: index)
        events.plan(.over(connection: number, end: end), at: now)
        guard !connections[number].isBlackHole else { return }
        let last = max(now + options.delay, connections[number].lastArrival[end])
        events.plan(.over(connection: number, end: 1 - end), at: last)
    }

    mutating func endReached(_ number: Int, _ end: Int) throws(SimulationFailure) {
        guard !connections[number].isOver[end] else { return }
        connections[number].isOver[end] = true
        let target = connections[number].ends[end]
        guard devices[target.device].connections.removeValue(forKey: target.link) == number else { return }
        try feed(target.device, devices[target.device].life, .disconnected(target.link))
    }

    /// Multicast reaches everyone who can be reached.
    mutating func announce(_ index: Int) throws(SimulationFailure) {
        guard devices[index].engine != nil else { return }
        for other in devices.indices where other != index && devices[other].engine != nil {
            guard reachability.connects(index, other) else { continue }
            let (mine, theirs) = (devices[index], devices[other])
            try feed(other, theirs.life, .learned(.device(mine.id.prefix), [mine.address], .discovery))
            try feed(index, mine.life, .learned(.device(theirs.id.prefix), [theirs.address], .discovery))
        }
    }
}
