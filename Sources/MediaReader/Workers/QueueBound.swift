import Synchronization

/// Lets so many calls in at a time; those beyond are refused at once.
final class QueueBound: Sendable {
    private let countMax: Int
    private let count = Mutex(0)

    init(countMax: Int) { self.countMax = countMax }

    /// How many are in, for tests.
    var currentCount: Int { count.withLock { $0 } }

    /// - Throws: ``MediaError/Code/busy``, or whatever `body` throws.
    func perform<Result>(_ body: () async throws -> Result) async throws -> Result {
        let isAdmitted = count.withLock { count in
            guard count < countMax else { return false }
            count += 1
            return true
        }
        guard isAdmitted else {
            throw MediaError(.busy, "Too many others are being prepared. Try again in a moment.")
        }
        defer { count.withLock { $0 -= 1 } }
        return try await body()
    }
}
