import NIOCore

/// Stands nearest to the socket and can close it whatever TLS is waiting for: at the admission deadline, and on demand.
final class GateHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private let admissionTimeout: TimeAmount
    private var deadline: Scheduled<Void>?

    init(admissionTimeout: Duration) {
        self.admissionTimeout = TimeAmount(admissionTimeout)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: admissionTimeout) {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    /// The deadline no longer holds.
    func noteAdmitted() {
        deadline?.cancel()
        deadline = nil
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        // A polite close comes this far only while nobody is admitted who would be told.
        switch event as? ConnectionSignal {
        case .abort, .close: context.close(promise: promise)
        case .drop:
            SocketSettings.forgetUnsent(context.channel)
            context.close(promise: promise)
        case .wake, .drained: promise?.succeed()
        case nil: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }
}
