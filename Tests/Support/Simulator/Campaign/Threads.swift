import Dispatch

/// Runs one piece of work on several threads at once and waits for all.
enum Threads {
    static func perform(count: Int, _ body: @Sendable () -> Void) {
        DispatchQueue.concurrentPerform(iterations: count) { _ in body() }
    }
}
