import AlbumModel
import NIOPosix

extension NIOThreadPool {
    /// Runs blocking work on a thread of the pool. Unlike `runIfActive`, a cancelled task still gets its answer: what
    /// the disk has done must be known to the one who asked for it.
    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let body = PlantedFault.carried(body)
        return try await withCheckedThrowingContinuation { continuation in
            submit { state in
                guard case .active = state else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                continuation.resume(with: Result { try body() })
            }
        }
    }
}
