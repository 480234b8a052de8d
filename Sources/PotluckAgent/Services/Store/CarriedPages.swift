import SyncEngine

/// Pages that were carried here and are being stored, each with who waits for it.
struct CarriedPages {
    private var waiting: [UInt64: CheckedContinuation<CarriedOutcome, any Error>] = [:]
    private var nextToken: UInt64 = 1
    /// Why no more are taken.
    private var refusal: (any Error)?

    /// - Returns: what the page is called; `nil` where no more are taken, which the continuation is told.
    mutating func wait(_ continuation: CheckedContinuation<CarriedOutcome, any Error>) -> UInt64? {
        if let refusal {
            continuation.resume(throwing: refusal)
            return nil
        }
        defer { nextToken += 1 }
        waiting[nextToken] = continuation
        return nextToken
    }

    /// - Returns: who is to be told.
    mutating func finish(_ token: UInt64) -> CheckedContinuation<CarriedOutcome, any Error>? {
        waiting.removeValue(forKey: token)
    }

    /// Nobody need wait any longer: what is stored later is known when it is carried here again.
    ///
    /// - Parameter isFinal: no more are taken.
    mutating func fail(_ error: any Error, isFinal: Bool) {
        if isFinal { refusal = error }
        for continuation in waiting.values { continuation.resume(throwing: error) }
        waiting.removeAll()
    }
}
