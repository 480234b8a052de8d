import AlbumModel
import SyncEngine

/// Facts that were found and are not told yet. Those of a single photo are told at once, since its small picture is what
/// people wait for; of many that are found soon after one another, those of a second share a batch.
struct FactsOutbox {
    /// How long facts wait for others, from when the last ones were told.
    static let waitSeconds: Int64 = 1
    static let countMax = 100

    private var facts: [(key: PhotoKey, facts: PhotoFacts)] = []
    private var isPlanned = false
    private var lastTold: MonotonicInstant?

    /// What is to be done about facts that came.
    enum Step: Hashable {
        case tellNow
        case tellLater
        case nothing
    }

    mutating func add(_ key: PhotoKey, _ found: PhotoFacts, now: MonotonicInstant) -> Step {
        facts.append((key, found))
        let isAlone = !isPlanned && lastTold.map { now.seconds(since: $0) >= Double(Self.waitSeconds) } ?? true
        if isAlone || facts.count >= Self.countMax {
            lastTold = now
            return .tellNow
        }
        if isPlanned { return .nothing }
        isPlanned = true
        return .tellLater
    }

    mutating func take(now: MonotonicInstant) -> [(key: PhotoKey, facts: PhotoFacts)] {
        defer {
            facts.removeAll()
            isPlanned = false
        }
        if !facts.isEmpty { lastTold = now }
        return facts
    }
}
