import NIOCore
import Synchronization

/// Reads the one request of a connection.
///
/// waiting → requested (the line goes to the server, which answers) or refused (too long, too late, too many). What
/// follows the line is read and dropped, so that the client's leaving is noticed.
final class ControlConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    struct Request: Sendable {
        var line: ByteBuffer
        var channel: any Channel
    }

    private enum State {
        case waiting(LineBuffer, deadline: Scheduled<Void>?)
        case done
    }

    private let connections: ControlConnections
    private var state = State.waiting(LineBuffer(), deadline: nil)

    init(_ connections: ControlConnections, _ channel: any Channel) {
        self.connections = connections
        guard connections.admit(channel) else {
            state = .done
            channel.eventLoop.execute {
                Self.refuseSoon(channel, PotluckError(.tryAgain, "Too many commands ask the agent at once; try again."))
            }
            return
        }
        let deadline = channel.eventLoop.scheduleTask(in: .seconds(ControlLimits.requestSeconds)) {
            channel.close(promise: nil)
        }
        state = .waiting(LineBuffer(), deadline: deadline)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .waiting(var lines, let deadline) = state else { return }
        // No second copy of the buffer while it grows.
        state = .done
        lines.append(unwrapInboundIn(data))
        let line = lines.nextLine()
        if (line?.readableBytes ?? lines.byteCount) > ControlLimits.requestByteCountMax {
            deadline?.cancel()
            Self.refuseSoon(context.channel, PotluckError(.usage, "That is too much at once; name fewer files."))
        } else if let line {
            deadline?.cancel()
            connections.requests.yield(Request(line: line, channel: context.channel))
        } else {
            state = .waiting(lines, deadline: deadline)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .waiting(_, let deadline) = state { deadline?.cancel() }
        state = .done
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Says why, then closes.
    static func refuse(_ channel: any Channel, _ error: PotluckError) async {
        // The client may have gone; there is nobody to tell then.
        try? await channel.writeAndFlush(ReportJSON.line(ControlReply<Done>(error: error))).get()
        channel.close(promise: nil)
    }

    private static func refuseSoon(_ channel: any Channel, _ error: PotluckError) {
        guard let line = try? ReportJSON.line(ControlReply<Done>(error: error)) else {
            preconditionFailure("a status and a sentence can be encoded")
        }
        channel.writeAndFlush(line).whenComplete { _ in channel.close(promise: nil) }
    }
}

/// The open connections: how many there are, and which of them wait for the agent's end.
final class ControlConnections: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var ending: [ObjectIdentifier: any Channel] = [:]
    }

    let requests: AsyncStream<ControlConnection.Request>.Continuation
    private let state = Mutex(State())

    init(requests: AsyncStream<ControlConnection.Request>.Continuation) {
        self.requests = requests
    }

    /// `false` when there are too many.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            guard state.open.count + state.ending.count < ControlLimits.clientCountMax else { return false }
            state.open[id] = channel
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { state in
                state.open[id] = nil
                state.ending[id] = nil
            }
        }
        return true
    }

    func keepUntilTheEnd(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { state in
            state.ending[id] = state.open.removeValue(forKey: id)
        }
    }

    func closeAllButEnding() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    func closeAll() {
        closeAllButEnding()
        for channel in state.withLock({ Array($0.ending.values) }) { channel.close(promise: nil) }
    }
}
