import PotluckAPI
import Synchronization

/// Passes events on to everyone who watches. A watcher that is too slow loses the oldest.
final class EventHub: Sendable {
    private static let bufferCount = 1024

    private struct State {
        var watchers: [UInt64: AsyncStream<EventRecord>.Continuation] = [:]
        var nextWatcher: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Whether anybody watches: making records of thousands of photos for nobody is work.
    var hasWatchers: Bool { state.withLock { !$0.watchers.isEmpty } }

    func send(_ record: EventRecord) {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.yield(record) }
    }

    func events() -> AsyncStream<EventRecord> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EventRecord.self, bufferingPolicy: .bufferingNewest(Self.bufferCount))
        let number = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = continuation
            return state.nextWatcher
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }

    func finish() {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.finish() }
    }
}
