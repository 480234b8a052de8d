import NIOCore
import Synchronization

/// What comes from a connected peer.
public enum PeerEvent: Sendable {
    case message([UInt8])
    /// An answer that was expected under this number is complete. Its bytes are not verified.
    case piece(number: UInt32, PieceBuffer)
    /// An answer that this end was to serve could not be read, and no more of it is sent: the peer waits for word.
    case serveFailed(number: UInt32)
}

/// The events of one connection, in order; it ends when the connection has ended and all events are taken.
///
/// For one consumer. While too much waits, nothing is read from the socket, so that TCP slows the peer down.
public struct PeerEvents: AsyncSequence, Sendable {
    public typealias Element = PeerEvent
    public typealias Failure = Never

    let queue: PeerEventQueue

    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    public struct Iterator: AsyncIteratorProtocol {
        let queue: PeerEventQueue

        /// The next event; `nil` at the end, and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> PeerEvent? {
            await queue.next(isolation: actor)
        }
    }

    /// Takes what waits already behind the event that was taken last, `countMax` events at most.
    public func takeWaiting(countMax: Int) -> [PeerEvent] { queue.takeWaiting(countMax: countMax) }
}

/// The bounded queue between a connection's event loop and its consumer.
final class PeerEventQueue: Sendable {
    private struct State {
        var events = CircularBuffer<PeerEvent>()
        var byteCount = 0
        var isFull = false
        var isFinished = false
        var consumer: CheckedContinuation<PeerEvent?, Never>?
    }

    private let limits: TransportLimits
    private let whenDrained: @Sendable () -> Void
    private let state = Mutex(State())

    /// `whenDrained` is called, on any thread, when a full queue has become half empty.
    init(limits: TransportLimits, whenDrained: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.whenDrained = whenDrained
    }

    /// Whether reading must pause until `whenDrained` is called.
    var isFull: Bool { state.withLock { $0.isFull } }

    func push(_ event: PeerEvent) { push([event]) }

    /// Puts in what came at one time: a consumer that waits for the first finds the others at once.
    func push(_ events: [PeerEvent]) {
        guard let first = events.first else { return }
        let consumer = state.withLock { state -> CheckedContinuation<PeerEvent?, Never>? in
            guard !state.isFinished else { return nil }
            let consumer = state.consumer.take()
            for event in consumer == nil ? events[...] : events.dropFirst() {
                state.events.append(event)
                state.byteCount += event.byteCount
            }
            state.isFull =
                state.isFull || state.events.count >= limits.eventCountMax
                || state.byteCount >= limits.eventByteCountMax
            return consumer
        }
        consumer?.resume(returning: first)
    }

    func takeWaiting(countMax: Int) -> [PeerEvent] {
        let (events, isDrained) = state.withLock { state in
            var events: [PeerEvent] = []
            var isDrained = false
            while events.count < countMax, let event = take(from: &state, &isDrained) { events.append(event) }
            return (events, isDrained)
        }
        if isDrained { whenDrained() }
        return events
    }

    /// - Parameter isDrained: set where a full queue has become half empty.
    private func take(from state: inout State, _ isDrained: inout Bool) -> PeerEvent? {
        guard let event = state.events.popFirst() else { return nil }
        state.byteCount -= event.byteCount
        if state.isFull, state.events.count <= limits.eventCountMax / 2,
            state.byteCount <= limits.eventByteCountMax / 2
        {
            state.isFull = false
            isDrained = true
        }
        return event
    }

    /// No event follows.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume(returning: nil)
    }

    func next(isolation actor: isolated (any Actor)?) async -> PeerEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { consumer in
                wait(consumer)
            }
        } onCancel: {
            let consumer = state.withLock { $0.consumer.take() }
            consumer?.resume(returning: nil)
        }
    }

    private func wait(_ consumer: CheckedContinuation<PeerEvent?, Never>) {
        enum Step {
            case resume(PeerEvent?, isDrained: Bool)
            case wait
        }
        let step = state.withLock { state -> Step in
            precondition(state.consumer == nil, "events have one consumer")
            // Looked at under the lock: a cancellation after this finds the consumer in its place.
            if Task.isCancelled { return .resume(nil, isDrained: false) }
            var isDrained = false
            guard let event = take(from: &state, &isDrained) else {
                if state.isFinished { return .resume(nil, isDrained: false) }
                state.consumer = consumer
                return .wait
            }
            return .resume(event, isDrained: isDrained)
        }
        guard case .resume(let event, let isDrained) = step else { return }
        if isDrained { whenDrained() }
        consumer.resume(returning: event)
    }
}

extension PeerEvent {
    /// What the event counts as while it waits.
    fileprivate var byteCount: Int {
        switch self {
        case .message(let bytes): bytes.count
        case .piece(_, let buffer): buffer.byteCount
        case .serveFailed: 0
        }
    }
}
