import AlbumModel
import Logging
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// One connection while it lasts, and what its peer asks for.
extension NetworkService {
    func follow(_ link: LinkID, _ connection: PeerConnection, _ pages: AsyncStream<PageOrder>) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.sendPages(pages, to: connection, link) }
            for await first in connection.events {
                let waiting = connection.events.takeWaiting(
                    countMax: Self.arrivalCountMax - 1, messageByteCountMax: WireLimits.pageByteCountMax)
                await take(arrivals([first] + waiting, over: connection), from: link, on: host)
                await untilRoom(on: link)
                // Whoever asks and does not read the answers is not heard until it does.
                await connection.untilQueued(atMost: Self.answeredByteCountMax)
            }
            await ended(link, on: host)
        }
    }

    /// What is judged at one go, at most: what is to be said about the first waits for the last.
    private static let arrivalCountMax = 64

    /// Bytes of messages that wait for a peer which is still heard: what it is owed is at most 1.25 MiB of pages, 256 KiB
    /// of other things and one message.
    private static let answeredByteCountMax = 8 << 20

    private func arrivals(_ events: [PeerEvent], over connection: PeerConnection) async -> [Arrival] {
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
                // The blob was there when its file was opened; what is wrong with it ``FailedReadService`` finds out.
                connection.send(Message.refused(number: number, isPassing: true).encoded())
            }
        }
        return arrivals
    }

    private func sendPages(
        _ pages: AsyncStream<PageOrder>, to connection: PeerConnection, _ link: LinkID
    ) async {
        for await order in pages {
            do {
                let batches = try await parts.servingPool.perform { [parts] in
                    try parts.journal.batches(order.batches).compactMap { $0 }
                }
                guard batches.count == order.batches.count else {
                    connection.close("a batch is missing in the journal")
                    return
                }
                var lists: [BlobID: PieceList] = [:]
                if !order.lists.isEmpty {
                    lists = try await parts.servingPool.perform { [parts] in
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
                problems.note(.storage, "The journal cannot be read: \(error)")
            }
        }
    }

    private func serve(_ request: PieceRequest, precedence: UInt64, over connection: PeerConnection) async {
        // Whatever goes wrong, the peer is told and asks elsewhere; and here again, where the blob only cannot be read now.
        let reader = try? await parts.servingPool.perform { [parts] in try parts.blobs.open(request.blob) }
        guard let reader = reader ?? nil else {
            let isPassing = parts.blobs.contains(request.blob)
            if isPassing { failedReads.note(request.blob) }
            return connection.send(Message.refused(number: request.number, isPassing: isPassing).encoded())
        }
        guard request.piece < Pieces.count(blobByteCount: reader.byteCount),
            Pieces.range(of: request.piece, blobByteCount: reader.byteCount).count == request.byteCount
        else { return connection.send(Message.refused(number: request.number, isPassing: false).encoded()) }
        answer(
            request, from: BlobSource(blob: request.blob, reader: reader, failedReads: failedReads),
            blobByteCount: reader.byteCount, precedence: precedence, over: connection)
    }

    /// From staging, where the engine knows the piece to be; from the store if the blob was committed meanwhile.
    func serve(_ link: LinkID, _ request: PieceRequest, from partial: PartialBlob?, precedence: UInt64) async {
        guard let connection = connection(link) else { return }
        guard let partial else { return await serve(request, precedence: precedence, over: connection) }
        answer(
            request, from: PartSource(partial: partial), blobByteCount: partial.byteCount, precedence: precedence,
            over: connection)
    }

    private func answer(
        _ request: PieceRequest, from source: some PieceSource, blobByteCount: UInt64, precedence: UInt64,
        over connection: PeerConnection
    ) {
        connection.serve(
            number: request.number, from: source,
            offset: Pieces.range(of: request.piece, blobByteCount: blobByteCount).lowerBound,
            byteCount: request.byteCount, class: request.blobClass == .thumbnail ? .thumbnail : .original,
            precedence: precedence)
    }
}
