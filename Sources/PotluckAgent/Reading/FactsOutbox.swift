import AlbumModel

/// Facts that were found and are not told yet: those of one pass share a batch.
struct FactsOutbox {
    /// How long facts wait for others.
    static let waitSeconds: Int64 = 1
    static let countMax = 100

    private var facts: [(key: PhotoKey, facts: PhotoFacts)] = []
    private var isPlanned = false

    /// What is to be done about facts that came.
    enum Step: Hashable {
        case tellNow
        case tellLater
        case nothing
    }

    mutating func add(_ key: PhotoKey, _ found: PhotoFacts) -> Step {
        facts.append((key, found))
        if facts.count >= Self.countMax { return .tellNow }
        if isPlanned { return .nothing }
        isPlanned = true
        return .tellLater
    }

    mutating func take() -> [(key: PhotoKey, facts: PhotoFacts)] {
        defer {
            facts.removeAll()
            isPlanned = false
        }
        return facts
    }
}
