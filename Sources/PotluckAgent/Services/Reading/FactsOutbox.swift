import AlbumModel
import SyncEngine

/// Facts that were found and are not told yet. Those of a few photos are told at once, since their small pictures are
/// what people wait for; of many that are found soon after one another, those of a second share a batch.
struct FactsOutbox {
    /// What is to be done about facts that came.
    enum Step: Hashable {
        case tellNow
        case tellLater(seconds: Double)
        case nothing
    }

    static let countMax = 100
    /// How many batches may be told at once after a while without any.
    static let burst = 4.0
    private static let batchesPerSecond = 1.0

    private var facts: [(key: PhotoKey, facts: PhotoFacts)] = []
    private var isPlanned = false
    /// How many batches may be told now, as of `filledAt`: a token bucket.
    private var allowance = Self.burst
    private var filledAt = MonotonicInstant(nanoseconds: 0)

    mutating func add(_ key: PhotoKey, _ found: PhotoFacts, now: MonotonicInstant) -> Step {
        facts.append((key, found))
        allowance = min(Self.burst, allowance + now.seconds(since: filledAt) * Self.batchesPerSecond)
        filledAt = now
        if facts.count >= Self.countMax || !isPlanned && allowance >= 1 { return .tellNow }
        if isPlanned { return .nothing }
        isPlanned = true
        return .tellLater(seconds: (1 - allowance) / Self.batchesPerSecond)
    }

    mutating func take() -> [(key: PhotoKey, facts: PhotoFacts)] {
        defer {
            facts.removeAll()
            isPlanned = false
        }
        if !facts.isEmpty { allowance = max(0, allowance - 1) }
        return facts
    }
}
