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
    private var reader = FrameReader()
    private var message: [UInt8] = []
    /// What came with the bytes that are being looked at.
    private var arrived: [PeerEvent] = []
    private var bulkNumber: UInt32 = 0
    private var bulkTarget = IncomingPieces.Target.drop
    private var isReadHeldBack = false
    private var isGreeted = false
    /// When a peer that has not said anything is given up.
    private var greetingDeadline: Scheduled<Void>?
    private var isOver = false

    // Sending
    private var window: BulkWindow
    private var turn: UploadLimit.Turn?
    private var isPumpPlanned = false
    private var inFlightByteCount = 0
    private var isPumping = false
    private var mustPumpAgain = false

    init(connection: PeerConnection, core: TransportCore, number: ConnectionRoster.Number?, logger: Logger) {
        self.connection = connection
        self.core = core
        self.number = number
        self.logger = logger
        limits = core.limits
        window = BulkWindow(limits: limits)
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
        message = []
        if let number { core.noteClosing(number) }
        connection.setCloseReason(reason)
        let waiters = connection.outgoing.withLock { outgoing in
            outgoing.close()
            return outgoing.takeReadyWaiters()
        }
        for waiter in waiters { waiter.resume() }
        connection.incoming.withLock { $0.removeAll() }
        bulkTarget = .drop
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
        do throws(ProtocolBreach) {
            while !isOver, try take(&buffer) {}
            connection.eventQueue.push(arrived)
        } catch {
            connection.eventQueue.push(arrived)
            abort(error)
        }
        arrived.removeAll(keepingCapacity: true)
    }

    /// Takes one step; `false` if the buffer is used up.
    private func take(_ buffer: inout ByteBuffer) throws(ProtocolBreach) -> Bool {
        switch try reader.next(in: &buffer) {
        case .needsMore: return false
        case .message(let byteCount, let ends): try takeMessage(from: &buffer, byteCount: byteCount, ends: ends)
        case .bulkBegins(let number, let offset, let byteCount):
            bulkNumber = number
            bulkTarget = try connection.incoming.withLock { incoming throws(ProtocolBreach) in
                try incoming.begin(number: number, offset: offset, byteCount: byteCount)
            }
        case .bulk(let byteCount, let ends): takeBulk(from: &buffer, byteCount: byteCount, ends: ends)
        }
        return true
    }

    private func takeMessage(from buffer: inout ByteBuffer, byteCount: Int, ends: Bool) throws(ProtocolBreach) {
        let byteCountMax = isGreeted ? TransportLimits.messageByteCountMax : limits.greetingByteCountMax
        guard byteCount <= byteCountMax - message.count else { throw ProtocolBreach("message too long") }
        buffer.readWithUnsafeReadableBytes { bytes in
            message.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
            return byteCount
        }
        guard ends else { return }
        arrived.append(.message(message))
        message = []
        if !isGreeted { noteGreeted() }
    }

    private func noteGreeted() {
        isGreeted = true
        greetingDeadline?.cancel()
        if let number { core.noteGreeted(number) }
    }

    private func takeBulk(from buffer: inout ByteBuffer, byteCount: Int, ends: Bool) {
        if case .store(let piece, let offset) = bulkTarget {
            buffer.readWithUnsafeReadableBytes { bytes in
                piece.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)), at: offset)
                return byteCount
            }
            bulkTarget = .store(piece, offset: offset + byteCount)
        } else {
            buffer.moveReaderIndex(forwardBy: byteCount)
        }
        guard ends else { return }
        bulkTarget = .drop
        if let piece = connection.incoming.withLock({ $0.end(number: bulkNumber) }) {
            arrived.append(.piece(number: bulkNumber, piece))
        }
    }

    // MARK: - Sending

    /// Reads and writes as much as the limits allow. A write that the kernel takes at once comes back here before it
    /// returns; then the loop goes round again instead of the stack growing.
    private func pump() {
        guard !isPumping else {
            mustPumpAgain = true
            return
        }
        isPumping = true
        repeat {
            mustPumpAgain = false
            connection.outgoing.withLock { $0.noteAwake() }
            startReads()
            while !isOver, flushOnce() {}
        } while mustPumpAgain && !isOver
        isPumping = false
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
        if inFlightByteCount < limits.inFlightByteCountMax, let frames = takeControl() {
            byteCount += frames.readableBytes
            context.write(Self.wrapOutboundOut(frames), promise: nil)
        }
        while byteCount < limits.flushByteCount {
            let room = min(limits.flushByteCount - byteCount, window.byteCount - inFlightByteCount - byteCount)
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
        guard let context, !isPumpPlanned else { return }
        isPumpPlanned = true
        context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.isPumpPlanned = false
            self.pump()
        }
    }

    private func flush(context: ChannelHandlerContext, byteCount: Int) {
        inFlightByteCount += byteCount
        let begun = NIODeadline.now()
        let written = context.eventLoop.makePromise(of: Void.self)
        // An empty write at the end of the batch: it is done when all before it is.
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer()), promise: written)
        written.futureResult.assumeIsolated().whenComplete { result in
            self.inFlightByteCount -= byteCount
            // A failure means the end of the channel, which is reported by itself.
            guard case .success = result else { return }
            self.connection.sentByteCount.add(UInt64(byteCount), ordering: .relaxed)
            self.window.flushed(after: NIODeadline.now() - begun)
            self.pump()
        }
    }
}
