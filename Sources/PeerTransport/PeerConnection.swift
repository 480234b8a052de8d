public import AlbumModel
import NIOCore
public import SyncEngine
import Synchronization

/// What a connection is for, which both ends agreed on.
public enum ConnectionPurpose: Hashable, Sendable {
    /// Both are members who know the same, and share photos.
    case link
    /// One of them lacks rulings or seeds: they exchange these and nothing else.
    case catchUp
}

/// A TLS connection to an admitted member of the gathering. All calls return at once, from any thread.
///
/// A connection lives until either side closes it or it breaks; letting go of this object does not close it.
public final class PeerConnection: Sendable {
    /// Who is at the other end, by its key.
    public let device: DeviceID
    /// The other end's public key as SubjectPublicKeyInfo.
    public let publicKeyDER: [UInt8]
    /// Whether this end dialled.
    public let dialled: Bool
    public let purpose: ConnectionPurpose
    /// The epoch whose phrase both ends proved that they know; `nil` where its ruling is not known here.
    public let epoch: RulingID?
    /// The other end's address as this end's kernel knows it; the port is the one it dialled from, if it dialled.
    public let remoteAddress: PeerAddress
    public let localAddress: PeerAddress
    /// What comes from the peer. For one consumer.
    public let events: PeerEvents

    private let channel: any Channel
    let eventQueue: PeerEventQueue
    let outgoing: Mutex<OutgoingQueues>
    let incoming: Mutex<IncomingPieces>
    let receivedByteCount = Atomic<UInt64>(0)
    let sentByteCount = Atomic<UInt64>(0)
    private let reason = Mutex<String?>(nil)

    /// - Parameter memory: which pieces are put into.
    init?(
        channel: any Channel, peer: PeerKey, dialled: Bool, purpose: ConnectionPurpose, provenUnder epoch: RulingID?,
        limits: TransportLimits, memory: PieceMemory
    ) {
        guard let device = peer.device, let key = peer.publicKeyDER,
            let remote = PeerAddress(channel.remoteAddress), let local = PeerAddress(channel.localAddress)
        else { return nil }
        self.device = device
        self.publicKeyDER = key
        self.dialled = dialled
        self.purpose = purpose
        self.epoch = epoch
        self.remoteAddress = remote
        self.localAddress = local
        self.channel = channel
        eventQueue = PeerEventQueue(limits: limits) {
            channel.triggerUserOutboundEvent(ConnectionSignal.drained, promise: nil)
        }
        events = PeerEvents(queue: eventQueue)
        outgoing = Mutex(OutgoingQueues(limits: limits))
        incoming = Mutex(IncomingPieces(limits: limits, memory: memory))
    }

    /// Bytes of frames that came and went, without TLS.
    public var bytesReceived: UInt64 { receivedByteCount.load(ordering: .relaxed) }
    public var bytesSent: UInt64 { sentByteCount.load(ordering: .relaxed) }

    /// Why the connection was closed, as a sentence's part; `nil` while it is open.
    public var closeReason: String? { reason.withLock { $0 } }

    /// Queues a message of at most ``TransportLimits/messageByteCountMax`` bytes before all bulk. Messages arrive in
    /// order. If the peer does not read them, so that more than ``TransportLimits/controlByteCountMax`` bytes wait, the
    /// connection is closed. After the end it does nothing.
    public func send(_ message: [UInt8]) { send([message]) }

    /// Queues messages that leave together, as far as they fit into one packet.
    public func send(_ messages: [[UInt8]]) {
        let outcomes = outgoing.withLock { queues in messages.map { queues.send($0) } }
        for outcome in outcomes { perform(outcome) }
    }

    /// Returns once no more than `byteCount` bytes of messages wait to be sent, or the connection has ended: whoever has
    /// much to say sends it as the peer reads.
    public func untilQueued(atMost byteCount: Int) async {
        await withCheckedContinuation { continuation in
            let ready = outgoing.withLock { queues in
                queues.wait(continuation, untilAtMost: byteCount)
                return queues.takeReadyWaiters()
            }
            for waiter in ready { waiter.resume() }
        }
    }

    /// Announces an answer of `byteCount` bytes, at most a piece, that arrives as ``PeerEvent/piece(number:_:)``; to be
    /// called before the request is sent. `number` must be new on this connection. Data for a number that was not
    /// announced, or more than was announced, closes the connection. Memory is taken when the first byte arrives: the
    /// caller bounds how much it expects at once.
    public func expect(number: UInt32, byteCount: Int) {
        incoming.withLock { $0.expect(number: number, byteCount: byteCount) }
    }

    /// Takes an announcement back, after a cancellation or a refusal: what still arrives for it is dropped.
    public func forget(number: UInt32) {
        incoming.withLock { $0.forget(number: number) }
    }

    /// Queues `byteCount` bytes of `source` from `offset` on as the answer to the peer's request `number`. They are read
    /// on the blocking pool as the network takes them. More than ``TransportLimits/serveCountMax`` answers that wait, or
    /// one longer than a piece, close the connection. The source is let go when it has been read.
    ///
    /// - Parameter precedence: it goes before answers of its class that have less, also amid one of them.
    public func serve(
        number: UInt32, from source: any PieceSource, offset: UInt64, byteCount: Int, class bulkClass: BulkClass,
        precedence: UInt64 = 0
    ) {
        perform(
            outgoing.withLock {
                $0.serve(
                    number: number, from: source, offset: offset, byteCount: byteCount, bulkClass: bulkClass,
                    precedence: precedence)
            })
    }

    /// Keeps originals of less precedence back, also what is left of one that has begun, until this is called again; 0
    /// lets all go on.
    public func yield(to precedence: UInt64) {
        perform(outgoing.withLock { $0.yield(to: precedence) })
    }

    /// Stops answering the peer's request `number`; frames that are under way still arrive there.
    public func cancelServe(number: UInt32) {
        perform(outgoing.withLock { $0.cancelServe(number: number) })
    }

    /// Sends the messages that wait, as far as the peer takes them within ``TransportLimits/closeTimeout``, and closes.
    /// `reason` should be constant text; it is logged here and not sent.
    public func close(_ reason: String) {
        setCloseReason(reason)
        channel.triggerUserOutboundEvent(ConnectionSignal.close, promise: nil)
    }

    /// Closes a connection whose peer does not answer any more, without a word: nothing that waits is sent again and
    /// again to somebody who may have another connection by then.
    public func drop(_ reason: String) {
        setCloseReason(reason)
        channel.triggerUserOutboundEvent(ConnectionSignal.drop, promise: nil)
    }

    /// Closes without a word: the peer broke the rules.
    private func abort(_ reason: String) {
        setCloseReason(reason)
        channel.triggerUserOutboundEvent(ConnectionSignal.abort, promise: nil)
    }

    /// The first reason stays.
    func setCloseReason(_ text: String) {
        reason.withLock { if $0 == nil { $0 = text } }
    }

    private func perform(_ outcome: OutgoingQueues.Outcome) {
        switch outcome {
        case .wake: channel.triggerUserOutboundEvent(ConnectionSignal.wake, promise: nil)
        case .overflow(let reason): abort(reason)
        case .nothing: break
        }
    }
}

/// What other threads tell a connection's handlers.
enum ConnectionSignal: Sendable {
    /// There is something to send.
    case wake
    /// The consumer has taken enough events to read on.
    case drained
    /// Close after what waits.
    case close
    /// Close the socket now, whatever TLS is doing.
    case abort
    /// The same, and have the kernel forget what waits in the socket.
    case drop
}
