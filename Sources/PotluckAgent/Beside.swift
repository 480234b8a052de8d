import AlbumModel
import Dispatch
import Synchronization

/// Work that blocks, on a thread of its own, beside whoever began it. That one waits for what comes of it, once.
final class Beside<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () throws -> Value) {
        let work = PlantedFault.carried(work)
        DispatchQueue(label: "potluck.beside").async { [self] in
            let result = Result { try work() }
            outcome.withLock { $0 = result }
            isDone.signal()
        }
    }

    /// Blocks until it is done.
    func wait() throws -> Value {
        isDone.wait()
        guard let result = outcome.withLock({ $0.take() }) else { preconditionFailure("waited for twice") }
        return try result.get()
    }
}
