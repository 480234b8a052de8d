import HTTPTypes
import Synchronization

/// How many answers of each class the routes gave, since the server began. What is refused before there is a request, such
/// as bytes that are no HTTP, is not counted.
final class AnswerCounts: Sendable {
    /// By the first digit of the status, which is 1 to 5.
    private let counts = Mutex([UInt64](repeating: 0, count: 6))

    func note(_ status: HTTPResponse.Status) {
        counts.withLock { $0[min(max(status.code / 100, 1), 5)] += 1 }
    }

    /// `2xx` and its like, in order.
    var byClass: [(name: String, count: UInt64)] {
        counts.withLock { counts in (1...5).map { ("\($0)xx", counts[$0]) } }
    }
}
