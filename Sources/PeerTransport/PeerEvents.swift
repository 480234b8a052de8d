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
/// For one consumer. While too much waits, nothing is read from the socket, so that TCP slows the peer down. Neither is
/// after the first event, until the consumer asks for more: by then it has judged the peer's greeting.
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

    /// Takes what waits already behind the event that was taken last: `countMax` events at most, and no further message
    /// once those that are taken have `messageByteCountMax` bytes.
    public func takeWaiting(countMax: Int, messageByteCountMax: Int = .max) -> [PeerEvent] {
        queue.takeWaiting(countMax: countMax, messageByteCountMax: messageByteCountMax)
    }
}

/// The bounded queue between a connection's event loop and its consumer.
final class PeerEventQueue: Sendable {
    private struct State {
        var events = CircularBuffer<PeerEvent>()
        var byteCount = 0
        var isFull = false
        var isFinished = false
        var greeting: Greeting
        var consumer: CheckedContinuation<PeerEvent?, Never>?
    }

    /// awaited → came → taken → judged.
    private enum Greeting {
        /// No event has come.
        case awaited
        /// The first event waits, and reading with it.
        case came
        /// The consumer has it.
        case taken
        /// The consumer has asked for more.
        case judged
    }

    private let limits: TransportLimits
    private let whenDrained: @Sendable () -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isGreeted: the first event is one as any other.
    ///   - whenDrained: called, on any thread, when a full queue has become half empty, and when the greeting was judged.
    init(limits: TransportLimits, isGreeted: Bool = false, whenDrained: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.whenDrained = whenDrained
        state = Mutex(State(greeting: isGreeted ? .judged : .awaited))
    }

    /// Whether reading must pause until `whenDrained` is called.
    var isFull: Bool { state.withLock { $0.isFull || $0.greeting == .came || $0.greeting == .taken } }

    func push(_ event: PeerEvent) { push([event]) }

    /// Puts in what came at one time: a consumer that waits for the first finds the others at once.
    func push(_ events: [PeerEvent]) {
        guard let first = events.first else { return }
        let consumer = state.withLock { state -> CheckedContinuation<PeerEvent?, Never>? in
            guard !state.isFinished else { return nil }
            let consumer = state.consumer.take()
            if state.greeting == .awaited { state.greeting = consumer == nil ? .came : .taken }
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

    func takeWaiting(countMax: Int, messageByteCountMax: Int = .max) -> [PeerEvent] {
        let (events, isDrained) = state.withLock { state in
            var events: [PeerEvent] = []
            var isDrained = false
            var byteCount = 0
            while events.count < countMax, let next = state.events.first {
                if case .message(let bytes) = next {
                    guard byteCount < messageByteCountMax else { break }
                    byteCount += bytes.count
                }
                if let event = take(from: &state, &isDrained) { events.append(event) }
            }
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
            case wait(isDrained: Bool)
        }
        let step = state.withLock { state -> Step in
            precondition(state.consumer == nil, "events have one consumer")
            // Looked at under the lock: a cancellation after this finds the consumer in its place.
            if Task.isCancelled { return .resume(nil, isDrained: false) }
            var isDrained = false
            if state.greeting == .taken {
                state.greeting = .judged
                isDrained = !state.isFull
            }
            if state.greeting == .came { state.greeting = .taken }
            guard let event = take(from: &state, &isDrained) else {
                if state.isFinished { return .resume(nil, isDrained: false) }
                state.consumer = consumer
                return .wait(isDrained: isDrained)
            }
            return .resume(event, isDrained: isDrained)
        }
        switch step {
        case .resume(let event, let isDrained):
            if isDrained { whenDrained() }
            consumer.resume(returning: event)
        case .wait(let isDrained): if isDrained { whenDrained() }
        }
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
