/// Lets work that queues up share one trip to the disk, while work that comes alone goes at once.
///
/// Whoever finds nobody at it does all that waits, its own among it; who comes meanwhile waits, and one of those does
/// the next group. So a group is what came during the one before it: nothing waits for company, and the number of
/// trips to the disk falls as load rises. Every waiter is a thread of the caller's pool, which bounds the queue.
final class GroupCommit<Work: Sendable>: Sendable {
    private struct Queue {
        var isBusy = false
        var nextTicket: UInt64 = 0
        var waiting: [(ticket: UInt64, work: Work)] = []
        var outcomes: [UInt64: Outcome] = [:]
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

    private enum Turn {
        case finished(Outcome)
        case lead([(ticket: UInt64, work: Work)])
    }

    private let queue = Monitor(Queue())
    private let perform: @Sendable ([Work]) -> [Outcome]

    /// `perform` is called by one thread at a time, with at least one piece of work; it answers each, in order.
    init(perform: @escaping @Sendable ([Work]) -> [Outcome]) {
        self.perform = perform
    }

    /// Returns when the work is done, perhaps by another thread.
    func submit(_ work: Work) throws(BlobError) {
        let ticket = queue.withLock { queue in
            queue.nextTicket += 1
            queue.waiting.append((queue.nextTicket, work))
            return queue.nextTicket
        }
        while true {
            switch queue.wait(for: { self.turn(of: ticket, in: &$0) }) {
            case .finished(.done): return
            case .finished(.failed(let error)): throw error
            case .lead(let group): lead(group)
            }
        }
    }

    private func turn(of ticket: UInt64, in queue: inout Queue) -> Turn? {
        if let outcome = queue.outcomes.removeValue(forKey: ticket) { return .finished(outcome) }
        guard !queue.isBusy else { return nil }
        queue.isBusy = true
        defer { queue.waiting = [] }
        return .lead(queue.waiting)
    }

    private func lead(_ group: [(ticket: UInt64, work: Work)]) {
        let outcomes = perform(group.map(\.work))
        precondition(outcomes.count == group.count, "each piece of work has an outcome")
        queue.withLock { queue in
            for (member, outcome) in zip(group, outcomes) { queue.outcomes[member.ticket] = outcome }
            queue.isBusy = false
        }
    }
}
