import Dispatch

/// Does pieces of work on several threads and waits for all.
enum Threads {
    /// - Parameters:
    ///   - minutes: no work is begun later.
    ///   - next: the next piece of work; `nil` when there is none any more.
    static func work<Work>(
        count: Int, minutes: Double?, next: @Sendable () -> Work?, perform: @Sendable (Work) -> Void
    ) {
        let deadline = minutes.map { ContinuousClock.now + .seconds($0 * 60) }
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            while deadline.map({ ContinuousClock.now < $0 }) ?? true, let work = next() { perform(work) }
        }
    }
}
