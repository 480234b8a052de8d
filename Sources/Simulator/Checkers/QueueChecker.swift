import SyncEngine

/// Every queue of an honest engine is within its limit, whoever is at the other end.
struct QueueChecker {
    private var count = 0

    /// Looks at some of the moments: counting takes longer than most inputs.
    mutating func fed(_ laptop: Laptop) throws(SimulationFailure) {
        count += 1
        guard count % 16 == 0 else { return }
        if let excess = laptop.queueSizes?.excess(over: laptop.limits) {
            throw SimulationFailure(.longQueue, "laptop \(laptop.index): \(excess)")
        }
    }
}
