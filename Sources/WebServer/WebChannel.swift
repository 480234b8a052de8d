import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A connection's handlers: NIO's HTTP/1.1, ``ConnectionGuard``, then Hummingbird's requests and responses.
struct WebChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let limits: WebLimits
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var decoding = NIOHTTPDecoderLimitConfiguration()
            decoding.maxHeaderFieldSize = limits.headerByteCountMax
            decoding.maxHeaderListSize = limits.headerListByteCountMax
            decoding.maxHeaderFieldCount = limits.headerCountMax
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
                // One request at a time, and the error after the answer before it.
                withPipeliningAssistance: true, withErrorHandling: false,
                // The header types of Hummingbird validate already.
                withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: decoding)
            try pipeline.addHandler(ConnectionGuard(limits: limits))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            let value = try Value(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
            // NIO ends the process where one that is open is dropped, as those are that nobody serves since the doors close.
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskGroup { group in
            // A client that goes away cancels its answer. A close that failed is a close.
            group.addTask { try? await value.channel.closeFuture.get() }
            group.addTask { await handleHTTP(asyncChannel: value, logger: logger) }
            await group.next()
            group.cancelAll()
        }
    }
}
