import PotluckAPI
import Synchronization

/// What `potluck events` and pages follow.
typealias EventHub = Hub<EventRecord>

/// Passes elements on to everyone who watches. A watcher that is too slow loses the oldest.
final class Hub<Element: Sendable>: Sendable {
    private struct State {
        var watchers: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var nextWatcher: UInt64 = 0
        var isFinished = false
    }

    private let bufferCount: Int
    private let state = Mutex(State())

    /// - Parameter bufferCount: Elements that wait for a watcher.
    init(bufferCount: Int = 1024) {
        self.bufferCount = bufferCount
    }

    /// Whether anybody watches: making records of thousands of photos for nobody is work.
    var hasWatchers: Bool { state.withLock { !$0.watchers.isEmpty } }

    func send(_ element: Element) {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.yield(element) }
    }

    func events() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(bufferCount))
        let number = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = continuation
            return state.nextWatcher
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Ends all streams, and those that are asked for later.
    func finish() {
        let watchers = state.withLock { state in
            state.isFinished = true
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }
}
