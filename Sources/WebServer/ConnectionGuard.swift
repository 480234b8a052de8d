import NIOCore
import NIOHTTP1
import PotluckAPI

/// Watches one connection: deadlines for both directions, requests that are not HTTP as it should be, and the
/// connection's end.
///
/// It stands behind NIO's pipelining handler, so it sees one request at a time. Its phases: waiting → receiving → answering
/// → waiting …; or → ending, from any of them, in which nothing that comes is read any more.
///
/// What it does that Hummingbird 2.28.1 does not: `100 Continue`; one `Host`; an early refusal does not read the rest of
/// the body; bodies of a byte a second and readers that pause end; `Connection: close` and HTTP/1.0 close at once.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        /// No head is complete.
        case waiting
        /// The body is not complete; an answer may have begun all the same.
        case receiving(byteCount: Int)
        /// The request is complete, its answer is not.
        case answering
        case ending(droppedByteCount: Int)
    }

    private let limits: WebLimits
    private var phase = Phase.waiting
    private var isAnswerBegun = false
    private var closesAfterAnswer = false
    private var isVersion10 = false
    private var bodyBegin = NIODeadline.now()
    private var inputDeadline: Scheduled<Void>?
    private var outputDeadline: Scheduled<Void>?

    init(limits: WebLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        schedule(limits.headPatience, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancelDeadlines() }

    func channelInactive(context: ChannelHandlerContext) {
        cancelDeadlines()
        context.fireChannelInactive()
    }

    private func cancelDeadlines() {
        inputDeadline?.cancel()
        outputDeadline?.cancel()
    }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), phase) {
        case (.body(let bytes), .ending(let count)):
            phase = .ending(droppedByteCount: count + bytes.readableBytes)
            if count + bytes.readableBytes > limits.lingerByteCountMax { context.close(promise: nil) }
        case (_, .ending): break
        case (.head(let head), _): receive(head, context)
        case (.body(let bytes), .receiving(let count)):
            phase = .receiving(byteCount: count + bytes.readableBytes)
            context.fireChannelRead(data)
        case (.end, _):
            inputDeadline?.cancel()
            phase = .answering
            context.fireChannelRead(data)
        case (.body, _): break
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isAnswerBegun = false
        isVersion10 = head.version == .http1_0
        closesAfterAnswer = !head.isKeepAlive || isVersion10
        phase = .receiving(byteCount: 0)
        bodyBegin = .now()
        if let refusal = Refusal(head) { return refuse(refusal, context) }
        if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
            let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            // Where the body is too long, the refusal comes instead; the bytes of an upload are not collected.
            if announced <= limits.bodyByteCountMax || head.method == .PATCH {
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
            }
        }
        schedule(limits.bodyPatience, context)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .ending = phase { return }
        guard let error = error as? HTTPParserError, !isAnswerBegun else { return context.close(promise: nil) }
        refuse(error == .headerOverflow ? .headersTooLong : .notHTTP, context)
    }

    // MARK: What leaves

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .ending = phase { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isAnswerBegun = true
            // Whoever is answered before the body is there is not asked for the rest of it.
            if case .receiving = phase { closesAfterAnswer = true }
            if head.headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "close" }) {
                closesAfterAnswer = true
            }
            if closesAfterAnswer { head.headers.replaceOrAdd(name: "connection", value: "close") }
            if isVersion10 { head.version = .http1_0 }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            guard closesAfterAnswer else {
                // The next request may be handed over while this is written.
                phase = .waiting
                isAnswerBegun = false
                schedule(limits.idlePatience, context)
                return context.write(data, promise: promise)
            }
            end(context, data, promise)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        outputDeadline?.cancel()
        outputDeadline = nil
        if !context.channel.isWritable {
            outputDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.stallPatience) {
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Ends

    /// Writes the last part of an answer and closes; where the request is not read to its end, what comes is dropped for
    /// a while, since a reset would take the answer away from a client that is still sending.
    private func end(_ context: ChannelHandlerContext, _ last: NIOAny, _ promise: EventLoopPromise<Void>?) {
        var isRead = true
        if case .receiving = phase { isRead = false }
        phase = .ending(droppedByteCount: 0)
        inputDeadline?.cancel()
        let isolated = context.eventLoop.assumeIsolated()
        // What is left may be too little for the channel to count as not writable.
        inputDeadline = isolated.scheduleTask(in: limits.stallPatience) { context.close(promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: promise)
        written.futureResult.assumeIsolated().whenComplete { [limits] _ in
            self.inputDeadline?.cancel()
            guard !isRead else { return context.close(promise: nil) }
            context.close(mode: .output, promise: nil)
            self.inputDeadline = isolated.scheduleTask(in: limits.lingerPatience) { context.close(promise: nil) }
        }
        context.writeAndFlush(last, promise: written)
    }

    private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        let body = ByteBuffer(bytes: refusal.body)
        let head = HTTPResponseHead(
            version: isVersion10 ? .http1_0 : .http1_1, status: refusal.status,
            headers: [
                "connection": "close", "content-type": "application/json", "content-length": "\(body.readableBytes)",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        end(context, wrapOutboundOut(.end(nil)), nil)
    }

    // MARK: Deadlines

    private func schedule(_ patience: TimeAmount, _ context: ChannelHandlerContext) {
        inputDeadline?.cancel()
        inputDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { self.inputIsLate(context) }
    }

    private func inputIsLate(_ context: ChannelHandlerContext) {
        switch phase {
        case .receiving(let byteCount):
            let earned = TimeAmount.seconds(Int64(byteCount / limits.bodyByteCountMin))
            let rest = bodyBegin + limits.bodyPatience + earned - .now()
            if rest > .zero {
                schedule(rest, context)
            } else if isAnswerBegun {
                context.close(promise: nil)
            } else {
                refuse(.tooSlow, context)
            }
        case .waiting, .ending: context.close(promise: nil)
        case .answering: break
        }
    }
}

/// Why the guard answers itself.
enum Refusal {
    case notHTTP
    case noHost
    case version
    case method
    case target
    case expectation
    case headersTooLong
    case tooSlow
    case tooMany

    init?(_ head: HTTPRequestHead) {
        let hosts = head.headers["host"]
        if head.version != .http1_1, head.version != .http1_0 {
            self = .version
        } else if head.version == .http1_1 ? hosts.count != 1 : hosts.count > 1 {
            self = .noHost
        } else if head.method == .CONNECT {
            self = .method
        } else if !head.uri.hasPrefix("/"), !head.uri.hasPrefix("http://"), head.uri != "*" {
            self = .target
        } else if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() != "100-continue" }) {
            self = .expectation
        } else {
            return nil
        }
    }

    var status: HTTPResponseStatus {
        switch self {
        case .notHTTP, .noHost, .target: .badRequest
        case .version: .httpVersionNotSupported
        case .method: .notImplemented
        case .expectation: .expectationFailed
        case .headersTooLong: .requestHeaderFieldsTooLarge
        case .tooSlow: .requestTimeout
        case .tooMany: .serviceUnavailable
        }
    }

    private var document: ErrorDocument {
        switch self {
        case .notHTTP: ErrorDocument(code: "usage", message: "This is not HTTP/1.1 as RFC 9112 has it.")
        case .noHost: ErrorDocument(code: "usage", message: "A request has exactly one Host.")
        case .version: ErrorDocument(code: "usage", message: "Speak HTTP/1.1.")
        case .method: ErrorDocument(code: "usage", message: "This is no proxy.")
        case .target: ErrorDocument(code: "usage", message: "A request's target is a path.")
        case .expectation: ErrorDocument(code: "usage", message: "Only 100-continue can be expected.")
        case .headersTooLong: ErrorDocument(code: "usage", message: "The request's headers are too long.")
        case .tooSlow: ErrorDocument(code: "try_again", message: "The request came too slowly; try again.")
        case .tooMany:
            ErrorDocument(code: "try_again", message: "Too many commands ask the agent at once; try again.")
        }
    }

    var body: [UInt8] {
        guard let data = try? ReportJSON.data(document) else { preconditionFailure("two texts can be encoded") }
        return Array(data)
    }

    /// The whole answer, for a connection that gets no HTTP of its own.
    var bytes: [UInt8] {
        let body = body
        let head = [
            "HTTP/1.1 \(status.code) \(status.reasonPhrase)", "connection: close", "content-type: application/json",
            "retry-after: 1", "content-length: \(body.count)", "", "",
        ]
        return Array(head.joined(separator: "\r\n").utf8) + body
    }
}
