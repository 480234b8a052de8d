import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import PotluckAPI

extension Response {
    /// One JSON document, written piece by piece: a piece is made when the one before is on its way.
    static func document(_ document: JSONDocument, status: HTTPResponse.Status = .ok, _ limits: WebLimits) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(contentLength: document.byteCount) { writer in
                for piece in document {
                    var rest = ByteBuffer(bytes: piece)
                    while let slice = rest.readSlice(length: min(rest.readableBytes, limits.writeByteCount)),
                        slice.readableBytes > 0
                    {
                        try await writer.write(slice)
                    }
                }
                try await writer.finish(nil)
            })
    }

    private static func eventStream(_ body: ResponseBody) -> Response {
        Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    /// What happens, until the agent or the client ends.
    static func events(_ feed: EventFeed, after place: String?) -> Response {
        let body = ResponseBody { writer in
            let (first, items, number) = await feed.follow(after: place)
            for bytes in first { try await writer.write(ByteBuffer(bytes: bytes)) }
            var expected = number + 1
            for await item in items {
                switch item {
                case .stillHere: try await writer.write(ByteBuffer(bytes: ServerSentEvent.stillHere))
                case .event(let number, let bytes):
                    // This client was too slow, and its queue dropped some.
                    if number != expected { try await writer.write(ByteBuffer(bytes: feed.afresh(number - 1))) }
                    expected = number + 1
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
            }
            try await writer.finish(nil)
        }
        return eventStream(body)
    }

    /// Progress of work that takes long, and at last its result or error.
    ///
    /// - Parameter work: Runs while the answer is written, and is cancelled where the client goes.
    static func events(
        _ limits: WebLimits,
        _ work: @escaping @Sendable (_ send: @Sendable (String, JSONDocument) -> Void) async throws -> JSONDocument
    ) -> Response {
        let body = ResponseBody { writer in
            // Only old steps of progress are ever dropped: the end comes last.
            let (lines, queue) = AsyncStream.makeStream(
                of: [UInt8].self, bufferingPolicy: .bufferingNewest(limits.progressCountMax))
            try await withThrowingTaskGroup { group in
                group.addTask {
                    defer { queue.finish() }
                    let send: @Sendable (String, JSONDocument) -> Void = { queue.yield(line($0, $1)) }
                    do {
                        send("result", try await work(send))
                    } catch {
                        let document = ErrorDocument(PotluckError(describing: error)).error
                        send("error", try JSONDocument(document))
                    }
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: limits.stillHereInterval)
                        queue.yield(ServerSentEvent.stillHere)
                    }
                }
                for await line in lines { try await writer.write(ByteBuffer(bytes: line)) }
                group.cancelAll()
            }
            try await writer.finish(nil)
        }
        return eventStream(body)
    }

    private static func line(_ name: String, _ document: JSONDocument) -> [UInt8] {
        ServerSentEvent(name: name, data: String(decoding: document.bytes, as: UTF8.self)).bytes
    }
}
