import Dispatch
import NIOPosix
import Synchronization

/// Threads for looks that may block for long, as at a daemon or a disk that does not answer.
public enum ProbeThreads {
    /// Every look at once, and some that never come back.
    private static let count = 32

    private static let pool = {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }()

    /// Runs blocking work; `nil` where it takes longer. Its thread then stays with it until it comes back.
    public static func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let answer = FirstAnswer(continuation)
            pool.submit { _ in answer.give(body()) }
            let nanoseconds = Int(limit / .nanoseconds(1))
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { answer.give(nil) }
        }
    }
}

/// Somebody who waits for the first of two answers.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) { self.continuation = Mutex(continuation) }

    func give(_ value: Value?) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: value)
    }
}
