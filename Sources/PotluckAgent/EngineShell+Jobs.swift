import AlbumModel
import LANDiscovery
import Logging
import NIOPosix
import PeerTransport
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import WireFormat

/// What takes time, outside the actor; every outcome comes back to it as an input.
extension EngineShell {
    nonisolated func perform(_ job: Job) async {
        switch job {
        case .connection(let link, let connection, let pages): await serve(link, connection, pages)
        case .store(let batches, let replica): await store(batches, ownReplica: replica)
        case .sendPieceLists(let link): await sendPieceLists(link)
        case .begin(let blob, let byteCount, let list): await begin(blob, byteCount, list)
        case .writePiece(let link, let number, let partial, let piece, let buffer):
            await write(link, number, partial, piece, buffer)
        case .commit(let partial): await commit(partial)
        case .commitLost(let blob): await feed(.commitFailed(blob, "Its file in staging was closed."))
        case .abandon(let partial): await abandon(partial)
        case .discard(let blob): await discard(blob)
        case .serve(let link, let request):
            await serve(link, request)
            await answered(link)
        case .servePart(let link, let request, let partial):
            await serve(link, request, from: partial)
            await answered(link)
        case .dial(let dial): await self.dial(dial)
        case .remember(let device, let address): await remember(device, address)
        case .saveHoldings: await saveHoldings()
        case .forgetReplica: await forgetReplica()
        case .project: await project()
        case .retryProjection: await startProjection()
        case .place(let key): await place(key)
        case .retryPlacements: await retryPlacements()
        case .settleRemovals: await settleRemovals()
        case .read(let key): await read(key)
        case .tellFacts: await tellFacts()
        case .readOverdue: await readOverdue()
        case .deadline: await timerFired()
        }
    }

    nonisolated func serve(
        _ link: LinkID, _ connection: PeerConnection, _ pages: AsyncStream<PageOrder>
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.sendPages(pages, to: connection, link) }
            for await first in connection.events {
                let waiting = connection.events.takeWaiting(
                    countMax: Self.arrivalCountMax - 1, messageByteCountMax: WireLimits.pageByteCountMax)
                await feed(arrivals([first] + waiting, over: connection), from: link)
                await untilRoom(on: link)
                // Whoever asks and does not read the answers is not heard until it does.
                await connection.untilQueued(atMost: Self.answeredByteCountMax)
            }
            await ended(link)
        }
    }

    /// What is judged at one go, at most: what is to be said about the first waits for the last.
    private static let arrivalCountMax = 64

    /// Bytes of messages that wait for a peer which is still heard: what it is owed is at most 1.25 MiB of pages, 256 KiB
    /// of other things and one message.
    private static let answeredByteCountMax = 8 << 20

    nonisolated private func arrivals(_ events: [PeerEvent], over connection: PeerConnection) async -> [Arrival] {
        var arrivals: [Arrival] = []
        for event in events {
            switch event {
            case .message(let bytes):
                let isLong = bytes.count >= LongMessages.byteCountMin
                let read = isLong ? await longMessages.message(bytes) : try? Message(decoding: bytes)
                guard let message = read else {
                    connection.close("a message cannot be read")
                    continue
                }
                if case .refused(let number, _) = message { connection.forget(number: number) }
                arrivals.append(.message(message))
            case .piece(let number, let buffer): arrivals.append(.piece(number: number, buffer))
            case .serveFailed(let number):
                // The blob was there when its file was opened; what is wrong with it the store finds out.
                connection.send(Message.refused(number: number, isPassing: true).encoded())
            }
        }
        return arrivals
    }

    nonisolated func sendPages(
        _ pages: AsyncStream<PageOrder>, to connection: PeerConnection, _ link: LinkID
    ) async {
        for await order in pages {
            do {
                let batches = try await parts.journalPool.perform { [parts] in
                    try parts.journal.batches(order.batches).compactMap { $0 }
                }
                guard batches.count == order.batches.count else {
                    connection.close("a batch is missing in the journal")
                    return
                }
                var lists: [BlobID: PieceList] = [:]
                if !order.lists.isEmpty {
                    lists = try await parts.blobPool.perform { [parts] in
                        // A list that cannot be had now is asked for when it is needed.
                        order.lists.reduce(into: [:]) { $0[$1] = try? parts.blobs.pieceList($1) }
                    }
                }
                let message = Message.batches(BatchPage(batches: batches, pieceLists: lists, page: order.page))
                let bytes = message.encoded()
                parts.logger.trace("sent", message, byteCount: bytes.count, link)
                connection.send(bytes)
            } catch {
                connection.close("the journal cannot be read")
                await note(.storage, "The journal cannot be read: \(error)")
            }
        }
    }

    nonisolated func store(_ batches: [AcceptedBatch], ownReplica: ReplicaID?) async {
        var facts: [FactChange] = []
        if let ownReplica, !(await isReplicaStored(ownReplica)) {
            // A new device's first batch carries the former key's word: from here on nobody needs that key.
            facts = [
                FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: ownReplica.bytes),
                FactChange(kind: .identity, key: IdentityKey.formerKey.bytes, value: nil),
            ]
        }
        do {
            try await parts.journalPool.perform { [parts, facts] in
                try parts.journal.append(
                    batches.map {
                        JournalBatch(
                            id: $0.id, replica: $0.batch.replica, firstSequence: $0.batch.firstSequence,
                            lastSequence: $0.batch.lastSequence, batch: $0.signed, received: $0.received)
                    }, facts: facts)
            }
            if let ownReplica { await noteStored(ownReplica) }
            await note(.storage, nil)
            await feed(.stored)
        } catch {
            await feed(.storeFailed("\(error)"))
        }
    }

    nonisolated func begin(_ blob: BlobID, _ byteCount: UInt64, _ list: PieceList?) async {
        if let open = await openPartial(blob), open.byteCount == byteCount {
            return await feed(.receivingBegan(blob, held: open.piecesHeld))
        }
        do {
            let partial = try await parts.blobPool.perform { [parts] in
                try parts.blobs.beginReceiving(blob, byteCount: byteCount, list: list)
            }
            guard await isWanted(blob) else { return await abandon(partial) }
            await keep(partial)
            await feed(.receivingBegan(blob, held: partial.piecesHeld))
        } catch let error as BlobError where error.code == .alreadyHeld {
            await feed(.committed(blob))
        } catch {
            await feed(.receivingFailed(blob, "\(error)"))
        }
    }

    nonisolated func write(
        _ link: LinkID, _ number: UInt32, _ partial: PartialBlob, _ piece: Int, _ buffer: PieceBuffer
    ) async {
        do {
            let outcome = try await parts.blobPool.perform {
                try buffer.withUnsafeBytes { try partial.write(piece: piece, bytes: $0) }
            }
            switch outcome {
            case .stored: await feed(.pieceStored(link, number: number, .stored))
            case .wrongHash: await feed(.pieceStored(link, number: number, .wrongHash))
            }
            await progress()
        } catch {
            await feed(.pieceStored(link, number: number, .failed("\(error)")))
        }
    }

    nonisolated func commit(_ partial: PartialBlob) async {
        do {
            switch try await parts.commitPool.perform({ try partial.commit() }) {
            case .committed: await feed(.committed(partial.id))
            case .wrongWhole:
                await drop(partial.id)
                await feed(.commitRejected(partial.id))
            }
        } catch {
            // Open until the engine has said whether it is tried again.
            await keep(partial)
            await feed(.commitFailed(partial.id, "\(error)"))
            await drop(partial.id)
        }
    }

    nonisolated func serve(_ link: LinkID, _ request: PieceRequest) async {
        guard let connection = await connection(link) else { return }
        // Whatever goes wrong, the peer is told and asks elsewhere; and here again, where the blob only cannot be read now.
        let reader = try? await parts.blobPool.perform { [parts] in try parts.blobs.open(request.blob) }
        guard let reader = reader ?? nil else {
            let isPassing = parts.blobs.contains(request.blob)
            connection.send(Message.refused(number: request.number, isPassing: isPassing).encoded())
            return await noteIfLost(request.blob)
        }
        guard request.piece < Pieces.count(blobByteCount: reader.byteCount),
            Pieces.range(of: request.piece, blobByteCount: reader.byteCount).count == request.byteCount
        else { return connection.send(Message.refused(number: request.number, isPassing: false).encoded()) }
        await answer(request, from: BlobSource(reader: reader), blobByteCount: reader.byteCount, over: connection)
    }

    /// From staging, where the engine knows the piece to be; from the store if the blob was committed meanwhile.
    nonisolated func serve(_ link: LinkID, _ request: PieceRequest, from partial: PartialBlob?) async {
        guard let partial else { return await serve(link, request) }
        guard let connection = await connection(link) else { return }
        await answer(request, from: PartSource(partial: partial), blobByteCount: partial.byteCount, over: connection)
    }

    /// Of what a peer waits for, the newest photo goes first: it may have asked for others long before.
    private func answer(
        _ request: PieceRequest, from source: some PieceSource, blobByteCount: UInt64, over connection: PeerConnection
    ) {
        connection.serve(
            number: request.number, from: source,
            offset: Pieces.range(of: request.piece, blobByteCount: blobByteCount).lowerBound,
            byteCount: request.byteCount, class: request.blobClass == .thumbnail ? .thumbnail : .original,
            precedence: engine.precedence(of: request.blob))
    }

    /// Has the store look at a blob's file, whose bytes may have been changed through another name.
    nonisolated func examine(_ blob: BlobID) async {
        // What the store finds to be wrong it no longer has; another error says nothing about the blob.
        _ = try? await parts.blobPool.perform { [parts] in try parts.blobs.open(blob) }
        await noteIfLost(blob)
    }

    /// The store itself finds out that a file is gone or changed; a passing error is none of that.
    nonisolated func noteIfLost(_ blob: BlobID) async {
        guard !parts.blobs.contains(blob) else { return }
        await lose(blob)
        await recover([blob])
    }

    nonisolated func abandon(_ partial: PartialBlob) async {
        // A file that stays is removed by the next start.
        try? await parts.blobPool.perform { partial.abandon() }
    }

    nonisolated func discard(_ blob: BlobID) async {
        // The pool is closed only when the agent ends.
        try? await parts.blobPool.perform { [parts] in parts.blobs.discardStaged(blob) }
    }

    /// The replica that was given up must not be gone on with after a crash.
    nonisolated func forgetReplica() async {
        // Where this fails the journal cannot be written at all, which is said elsewhere.
        try? await parts.journalPool.perform { [parts] in
            try parts.journal.setFacts([
                FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: nil)
            ])
        }
    }

    nonisolated func dial(_ dial: Dial) async {
        let (cancellation, continuation) = AsyncStream.makeStream(of: Never.self)
        await noteDial(dial.key, continuation)
        let outcome = await outcome(of: dial, until: cancellation)
        await noteDial(dial.key, nil)
        switch outcome {
        case .success(let connection): await connected(connection, key: dial.key)
        case .failure(let error): await failed(dial, error)
        case nil: break
        }
    }

    /// - Returns: `nil` for a dial that was given up.
    nonisolated private func outcome(
        of dial: Dial, until cancellation: AsyncStream<Never>
    ) async -> Result<PeerConnection, DialError>? {
        let expectation = dial.expecting.map { DeviceExpectation.prefix(BigEndian.bytes($0)) }
        return await withTaskGroup(of: Result<PeerConnection, DialError>?.self) { [parts] group in
            group.addTask {
                do throws(DialError) {
                    return .success(try await parts.transport.dial(dial.addresses, expecting: expectation))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                for await _ in cancellation {}
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            // One that was admitted in the very moment in which it was given up.
            if first == nil, case .success(let connection)?? = await group.next() { connection.close("given up") }
            return first
        }
    }

    nonisolated private func failed(_ dial: Dial, _ error: DialError) async {
        parts.logger.debug("dial failed", metadata: ["peer.key": "\(dial.key)", "error.message": "\(error)"])
        if case .device(let prefix) = dial.key { parts.discovery?.resolveAgain(devicePrefix: BigEndian.bytes(prefix)) }
        if case .fixed(let address) = dial.key, error == .notAMember {
            await note(.stranger, "The laptop at \(address) is in another gathering: it has another invite phrase.")
        }
        await feed(.dialFailed(dial.key, isStranger: error == .notAMember || error == .isSelf))
    }

    nonisolated func remember(_ device: DeviceID, _ address: PeerAddress) async {
        // A forgotten address is found again by discovery.
        try? await parts.journalPool.perform { [parts] in
            let old = try parts.journal.fact(.address, device.bytes).map { String(decoding: $0, as: UTF8.self) } ?? ""
            var addresses = old.split(separator: "\n").map(String.init)
            guard addresses.first != address.description else { return }
            addresses.removeAll { $0 == address.description }
            addresses.insert(address.description, at: 0)
            let text = addresses.prefix(EngineLimits().addressesPerDeviceMax).joined(separator: "\n")
            try parts.journal.setFacts([FactChange(kind: .address, key: device.bytes, value: Array(text.utf8))])
        }
    }

    nonisolated func project() async {
        let (change, part) = await rows()
        do {
            try await parts.indexPool.perform { [parts] in try change.apply(to: parts.index) }
            await note(.index, nil)
            await projected(failed: nil)
        } catch {
            await note(.index, "Listings may be out of date, because the index cannot be written: \(error)")
            await projected(failed: part)
        }
    }

    nonisolated func place(_ key: PhotoKey) async {
        guard let folder = await folder, let placement = await placement(key) else { return await placed(key, nil) }
        do {
            let path = try await folder.place(placement)
            await note(.placing, nil)
            await placed(key, path)
        } catch {
            if case .noPhoto(let reason) = error.code { return await placed(key, nil, refusal: reason) }
            guard parts.blobs.contains(key.blob) else {
                await noteIfLost(key.blob)
                return await placed(key, nil)
            }
            await note(.placing, "A photo cannot be put into the folder: \(error)")
            await placed(key, nil, isFailed: true)
        }
    }
}
