import Synchronization

/// Lets work that queues up share one trip to the disk, while work that comes alone goes at once.
///
/// Whoever finds nobody at it does all that waits, its own among it; who comes meanwhile waits, and one of those does
/// the next group. So a group is what came during the one before it: nothing waits for company, and the number of
/// trips to the disk falls as load rises. Every waiter is a thread of the caller's pool, which bounds the queue; each is
/// woken once, when its work is done or it does the next group.
final class GroupCommit<Work: Sendable>: Sendable {
    private struct Entry: Sendable {
        var work: Work
        /// `nil` for the thread that found nobody at it.
        var waiter: Monitor<Turn?>?
    }

    private struct Queue {
        /// Somebody does a group, or was told to do the next one.
        var isBusy = false
        var waiting: [Entry] = []
    }

    /// What became of one piece of work.
    enum Outcome: Sendable {
        case done
        case failed(BlobError)

        init(of body: () throws -> Void) {
            do {
                try body()
                self = .done
            } catch {
                self = .failed(BlobError(wrapping: error))
            }
        }
    }

    private enum Turn: Sendable {
        case finished(Outcome)
        /// The group before is done, and this thread's work is the first of the next one.
        case lead
    }

    private let queue = Mutex(Queue())
    private let perform: @Sendable ([Work]) -> [Outcome]

    /// `perform` is called by one thread at a time, with at least one piece of work; it answers each, in order.
    init(perform: @escaping @Sendable ([Work]) -> [Outcome]) {
        self.perform = perform
    }

    /// Returns when the work is done, perhaps by another thread.
    func submit(_ work: Work) throws(BlobError) {
        switch outcome(of: work) {
        case .done: return
        case .failed(let error): throw error
        }
    }

    private func outcome(of work: Work) -> Outcome {
        guard let waiter = add(work) else { return lead() }
        let turn: Turn = waiter.wait { $0 }
        switch turn {
        case .finished(let outcome): return outcome
        case .lead: return lead()
        }
    }

    /// - Returns: what tells of its turn; `nil` where it has come.
    private func add(_ work: Work) -> Monitor<Turn?>? {
        queue.withLock { queue in
            let waiter = queue.isBusy ? Monitor<Turn?>(nil) : nil
            queue.isBusy = true
            queue.waiting.append(Entry(work: work, waiter: waiter))
            return waiter
        }
    }

    /// Does all that waits, and has the first of those that came meanwhile do the next group.
    ///
    /// - Returns: what became of the caller's work, which is the first.
    private func lead() -> Outcome {
        let group = queue.withLock { queue in
            defer { queue.waiting = [] }
            return queue.waiting
        }
        let outcomes = perform(group.map(\.work))
        precondition(outcomes.count == group.count, "each piece of work has an outcome")
        let next = queue.withLock { queue in
            queue.isBusy = !queue.waiting.isEmpty
            return queue.waiting.first?.waiter
        }
        next?.withLock { $0 = .lead }
        for (entry, outcome) in zip(group, outcomes).dropFirst() {
            entry.waiter?.withLock { $0 = .finished(outcome) }
        }
        return outcomes[0]
    }
}
