import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import PotluckAPI

/// One request and its answer over a connection of their own.
enum Connection {
    /// Sends a request and hands over its answer piece by piece, until `piece` returns something; then `end` does, unless
    /// the connection ends before the answer.
    ///
    /// - Parameter silence: How long nothing may come.
    /// - Throws: The error that the answer tells of; ``PotluckError/endedEarly``.
    static func exchange<Result: Sendable>(
        _ path: String, _ form: HTTPForm, _ headers: [(String, String)] = [], silence: TimeAmount,
        piece: (ByteBuffer) async throws -> Result?, end: () throws -> Result
    ) async throws -> Result {
        guard form.body.count <= APILimits.requestByteCountMax else {
            throw PotluckError(.usage, "That is too much at once; name fewer files.")
        }
        return try await connect(path, silence: silence).executeThenClose { inbound, outbound in
            do {
                try await outbound.write(contentsOf: parts(form, headers))
            } catch let error as IOError where [EPIPE, ECONNRESET].contains(error.errnoCode) {
                // An agent that refuses closes; what it said before stands in the inbound stream.
            } catch ChannelError.ioOnClosedChannel {
                // Likewise.
            }
            var status = 0
            var failure = Data()
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let buffer) where (200..<300).contains(status):
                    if let result = try await piece(buffer) { return result }
                case .body(let buffer):
                    guard failure.count + buffer.readableBytes <= failureByteCountMax else {
                        throw PotluckError.notUnderstood
                    }
                    failure.append(contentsOf: buffer.readableBytesView)
                // The end of `100 Continue`, which nobody asked for.
                case .end where (100..<200).contains(status): break
                case .end where (200..<300).contains(status): return try end()
                case .end:
                    throw PotluckError(try ReportJSON.value(ErrorDocument.self, from: failure), httpStatus: status)
                }
            }
            throw PotluckError.endedEarly
        }
    }

    /// Of a sentence or two.
    private static let failureByteCountMax = 1 << 20

    private static func parts(_ form: HTTPForm, _ more: [(String, String)]) -> [HTTPClientRequestPart] {
        var headers = HTTPHeaders([("host", "potluck"), ("connection", "close")] + more)
        if form.method != .get {
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: "\(form.body.count)")
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: form.method.rawValue), uri: form.target, headers: headers)
        let body: [HTTPClientRequestPart] = form.body.isEmpty ? [] : [.body(.byteBuffer(ByteBuffer(bytes: form.body)))]
        return [.head(head)] + body + [.end(nil)]
    }

    private typealias HTTPChannel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private static func connect(_ path: String, silence: TimeAmount) async throws -> HTTPChannel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Answers are up to megabytes long.
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 65_536, maximum: 1 << 20)
            )
            .connectTimeout(.seconds(10))
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: silence))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(SilenceHandler())
                    return try HTTPChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Makes a ``PotluckError`` of whatever goes wrong between here and the agent.
    static func translatingErrors<Result>(_ path: String, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as IOError {
            throw failure(error, path)
        } catch let error as ChannelError {
            throw PotluckError(.tryAgain, "The connection to the agent broke: \(error). Try again.")
        } catch is NIOConnectionError {
            throw PotluckError.notRunning
        } catch is Silence {
            throw PotluckError(.tryAgain, "The agent does not answer. Try again; if it stays so, start it anew.")
        } catch HTTPParserError.invalidEOFState {
            throw PotluckError.endedEarly
        } catch let error as NIOHTTPDecoderError where error == .unsolicitedResponse {
            // It said something before it was asked: that there are too many who ask.
            throw PotluckError.tooMany
        } catch is DecodingError {
            throw PotluckError.notUnderstood
        } catch is HTTPParserError {
            throw PotluckError.notUnderstood
        } catch is ServerSentEventParser.TooLong {
            throw PotluckError.notUnderstood
        }
    }

    private static func failure(_ error: IOError, _ path: String) -> PotluckError {
        switch error.errnoCode {
        case ENOENT, ECONNREFUSED, ENOTDIR: .notRunning
        case EACCES:
            PotluckError(.failed, "The agent's socket \(path) belongs to somebody else: run this as its owner.")
        // The queue of those who wait for the agent is full.
        case EAGAIN: .tooMany
        case ECONNRESET, EPIPE: .endedEarly
        default: PotluckError(.failed, "The agent cannot be asked at \(path): \(error).")
        }
    }
}

/// Nothing came for too long.
private struct Silence: Error {}

private final class SilenceHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.fireErrorCaught(Silence())
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
