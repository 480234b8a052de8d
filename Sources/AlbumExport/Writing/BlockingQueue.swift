import Dispatch

/// A queue of its own for an actor whose calls block, so that they do not hold up the threads that tasks share.
final class BlockingQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "potluck.export")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
