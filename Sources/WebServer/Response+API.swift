import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import PotluckAPI
import WebGallery

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

    /// What happens, as far as this visitor may know it, until the agent or the client ends, or the visitor's session.
    ///
    /// - Parameters:
    ///   - head: Comes first, without a place.
    ///   - isIn: Whether the visitor is still let in.
    static func events(
        _ feed: EventFeed, after place: String?, for visitor: Visitor, head: [ServerSentEvent] = [],
        isIn: @escaping @Sendable () -> Bool = { true }
    ) -> Response {
        let body = ResponseBody { writer in
            let (first, items, number) = await feed.follow(after: place, for: visitor)
            for bytes in head.map(\.bytes) + first { try await writer.write(ByteBuffer(bytes: bytes)) }
            var expected = number + 1
            // A place that this client has not heard of, since its event was none of its business.
            var untold: UInt64?
            // Whoever was put out before it followed is not told so by the feed.
            guard isIn() else {
                try await writer.write(ByteBuffer(bytes: ServerSentEvent.sessionEnded))
                return try await writer.finish(nil)
            }
            for await item in items {
                switch item {
                case .stillHere:
                    if let number = untold { try await writer.write(ByteBuffer(bytes: feed.place(number))) }
                    untold = nil
                    try await writer.write(ByteBuffer(bytes: ServerSentEvent.stillHere))
                case .sessionEnded: try await writer.write(ByteBuffer(bytes: ServerSentEvent.sessionEnded))
                case .event(let note):
                    // This client was too slow, and its queue dropped some.
                    if note.number != expected {
                        try await writer.write(ByteBuffer(bytes: feed.afresh(note.number - 1)))
                    }
                    expected = note.number + 1
                    let bytes = note.bytes(for: visitor)
                    untold = bytes == nil ? note.number : nil
                    if let bytes { try await writer.write(ByteBuffer(bytes: bytes)) }
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

    /// What pages ask for with a condition: `304` where the browser has it already.
    static func listing(_ json: [UInt8], _ entityTag: EntityTag, to request: WebRequest) -> Response {
        let condition = ConditionalRequest(ifNoneMatch: request.header(.ifNoneMatch))
        let headers: HTTPFields = [
            .eTag: entityTag.text, .cacheControl: "private, no-cache", .contentType: "application/json",
        ]
        guard condition.decision(isReading: true, entityTag: entityTag) == .perform else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }

    /// One JSON document of a value.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, to request: WebRequest
    ) throws -> Response {
        .document(try JSONDocument(value), status: status, request.limits)
    }

    private static func line(_ name: String, _ document: JSONDocument) -> [UInt8] {
        ServerSentEvent(name: name, data: String(decoding: document.bytes, as: UTF8.self)).bytes
    }
}

extension ServerSentEvent {
    static let sessionEnded = ServerSentEvent(name: "session.ended", data: "{}").bytes
}
