import SyncEngine

/// Every queue of an honest engine is within its limit, whoever is at the other end.
struct QueueChecker {
    private var count = 0

    /// Some of the moments: counting takes longer than most inputs.
    mutating func isDue() -> Bool {
        count += 1
        return count % 16 == 0
    }

    func check(_ laptop: Laptop) throws(SimulationFailure) {
        if let excess = laptop.queueSizes?.excess(over: laptop.limits) {
            throw SimulationFailure(.longQueue, "laptop \(laptop.index): \(excess)")
        }
    }
}
