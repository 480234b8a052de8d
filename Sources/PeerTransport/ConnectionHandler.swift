import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Moves frames between an admitted connection's channel and its ``PeerConnection``. Runs on the channel's event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let connection: PeerConnection
    private let core: TransportCore
    private let limits: TransportLimits
    /// In the roster; `nil` of a connection that this end dialled.
    private let number: ConnectionRoster.Number?
    private let logger: Logger
    private var context: ChannelHandlerContext?

    // Receiving
    private var frames = IncomingFrames()
    private var isReadHeldBack = false
    /// When a peer that has not said anything is given up.
    private var greetingDeadline: Scheduled<Void>?
    private var isOver = false

    // Sending
    private var budget: SendBudget
    private var turn: UploadLimit.Turn?
    private var pumping = Round()

    init(connection: PeerConnection, core: TransportCore, number: ConnectionRoster.Number?, logger: Logger) {
        self.connection = connection
        self.core = core
        self.number = number
        self.logger = logger
        limits = core.limits
        budget = SendBudget(limits: limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        greetingDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.greetingTimeout)) {
            self.abort(ProtocolBreach("no message in time"))
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end("the connection was lost")
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end("the connection was lost")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // TLS reports a peer that vanished as an error and then the end; the end is what counts.
        logger.debug("connection error", metadata: ["error": "\(error)"])
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event as? ConnectionSignal {
        case .wake: pump()
        case .drained:
            if isReadHeldBack, !connection.eventQueue.isFull {
                isReadHeldBack = false
                context.read()
            }
        case .close: close(context: context)
        case .abort, .drop, nil: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    // MARK: - The end

    private func end(_ reason: String) {
        guard !isOver else { return }
        isOver = true
        greetingDeadline?.cancel()
        frames.end()
        if let number { core.noteClosing(number) }
        connection.setCloseReason(reason)
        let waiters = connection.outgoing.withLock { outgoing in
            outgoing.close()
            return outgoing.takeReadyWaiters()
        }
        for waiter in waiters { waiter.resume() }
        connection.incoming.withLock { $0.removeAll() }
        connection.eventQueue.finish()
        logger.info("connection closed", metadata: ["reason": "\(connection.closeReason ?? reason)"])
    }

    private func close(context: ChannelHandlerContext) {
        guard !isOver else { return }
        while let frames = takeControl() { context.write(Self.wrapOutboundOut(frames), promise: nil) }
        context.flush()
        end("closed")
        // Until the peer's goodbye, which is dropped with all that comes before it.
        if isReadHeldBack { context.read() }
        isReadHeldBack = false
        context.close(promise: nil)
    }

    private func abort(_ breach: ProtocolBreach) {
        guard !isOver else { return }
        end(breach.reason)
        context?.triggerUserOutboundEvent(ConnectionSignal.abort, promise: nil)
    }

    // MARK: - Receiving

    func read(context: ChannelHandlerContext) {
        if connection.eventQueue.isFull && !isOver {
            isReadHeldBack = true
        } else {
            context.read()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = Self.unwrapInboundIn(data)
        guard !isOver else { return }
        connection.receivedByteCount.add(UInt64(buffer.readableBytes), ordering: .relaxed)
        core.traffic.noteReceived(buffer.readableBytes)
        do throws(ProtocolBreach) {
            while !isOver, try take(&buffer) {}
            connection.eventQueue.push(frames.takeArrived())
        } catch {
            connection.eventQueue.push(frames.takeArrived())
            abort(error)
        }
    }

    /// Takes one step; `false` if the buffer is used up.
    private func take(_ buffer: inout ByteBuffer) throws(ProtocolBreach) -> Bool {
        let wasGreeted = frames.hasMessage
        let byteCountMax = limits.messageByteCountMax(of: connection.purpose, wasGreeted: wasGreeted)
        let goesOn = try frames.take(&buffer, messageByteCountMax: byteCountMax, pieces: connection.incoming)
        if !wasGreeted, frames.hasMessage { noteGreeted() }
        return goesOn
    }

    private func noteGreeted() {
        greetingDeadline?.cancel()
        if let number { core.noteGreeted(number) }
    }

    // MARK: - Sending

    /// Reads and writes as much as the limits allow.
    private func pump() {
        guard pumping.begin() else { return }
        repeat {
            connection.outgoing.withLock { $0.noteAwake() }
            startReads()
            while !isOver, flushOnce() {}
            if isOver { pumping.stop() }
        } while pumping.goesOn()
    }

    private func startReads() {
        guard let context, !isOver else { return }
        let allocator = context.channel.allocator
        while let order = connection.outgoing.withLock({ $0.nextRead() }) {
            core.blockingPool.runIfActive(eventLoop: context.eventLoop) { try order.read(allocator: allocator) }
                .assumeIsolated()
                .whenComplete { result in self.finishRead(order, result) }
        }
    }

    private func finishRead(_ order: ReadOrder, _ result: Result<ByteBuffer, any Error>) {
        if case .failure(let error) = result {
            logger.debug("cannot read what a peer asked for", metadata: ["error": "\(error)"])
        }
        let frames = try? result.get()
        if let number = connection.outgoing.withLock({ $0.finishRead(order, frames: frames) }) {
            connection.eventQueue.push(.serveFailed(number: number))
        }
        pump()
    }

    /// Writes one batch, control first; `false` if nothing may be written now.
    private func flushOnce() -> Bool {
        guard let context else { return false }
        var byteCount = 0
        if budget.allowsControl, let frames = takeControl() {
            byteCount += frames.readableBytes
            context.write(Self.wrapOutboundOut(frames), promise: nil)
        }
        while byteCount < limits.flushByteCount {
            let room = budget.bulkByteCount(besides: byteCount)
            guard room > 0, let frames = takeBulk(byteCountMax: room) else { break }
            byteCount += frames.readableBytes
            context.write(Self.wrapOutboundOut(frames), promise: nil)
        }
        guard byteCount > 0 else { return false }
        flush(context: context, byteCount: byteCount)
        // What was taken made room to read ahead.
        startReads()
        return true
    }

    private func takeControl() -> ByteBuffer? {
        guard let context else { return nil }
        let (frames, waiters) = connection.outgoing.withLock { outgoing in
            let frames = outgoing.takeControl(
                byteCountMax: limits.flushByteCount, allocator: context.channel.allocator)
            return (frames, outgoing.takeReadyWaiters())
        }
        for waiter in waiters { waiter.resume() }
        return frames
    }

    private func takeBulk(byteCountMax: Int) -> ByteBuffer? {
        guard let next = connection.outgoing.withLock({ $0.nextBulkByteCount }) else { return nil }
        var byteCount = byteCountMax
        switch core.uploads.ask(&turn, byteCount: next, now: .now()) {
        case .unlimited: break
        case .oneFrame: byteCount = TransportLimits.frameByteCountMax
        case .wait(let time):
            planPump(after: time)
            return nil
        }
        return connection.outgoing.withLock { $0.takeBulk(byteCountMax: byteCount) }
    }

    /// The upload limit holds bulk back for so long.
    private func planPump(after time: TimeAmount) {
        guard let context, !pumping.isPlanned else { return }
        pumping.isPlanned = true
        context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.pumping.isPlanned = false
            self.pump()
        }
    }

    private func flush(context: ChannelHandlerContext, byteCount: Int) {
        budget.begin(byteCount)
        let begun = NIODeadline.now()
        let written = context.eventLoop.makePromise(of: Void.self)
        // An empty write at the end of the batch: it is done when all before it is.
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer()), promise: written)
        written.futureResult.assumeIsolated().whenComplete { result in
            // A failure means the end of the channel, which is reported by itself.
            guard case .success = result else { return self.budget.end(byteCount, after: nil) }
            self.connection.sentByteCount.add(UInt64(byteCount), ordering: .relaxed)
            self.core.traffic.noteSent(byteCount)
            self.budget.end(byteCount, after: NIODeadline.now() - begun)
            self.pump()
        }
    }
}
