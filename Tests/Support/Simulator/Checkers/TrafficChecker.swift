import AlbumModel

/// Batches on the wire stay within a stated bound of the difference.
///
/// Every laptop has to learn every batch once. With all connected to all each passes on what is new to it, so a batch
/// may cross each link once in each direction. A connection that ends may have had pages under way, which come again.
struct TrafficChecker {
    /// How often a batch may cross a link in one direction.
    private static let crossingsMax = 1
    /// What one more connection may cost: a window of pages that was not acknowledged.
    private static let byteCountPerConnection = 4 << 10
    /// The same where a thousand photos were imported: the whole import may be in one window.
    private static let bulkByteCountPerConnection = 512 << 10

    private var byteCount = 0
    private var connectionCount = 0
    private var restartCount = 0

    mutating func sent(_ batches: [SignedBatch], from sender: Laptop, to receiver: Laptop) {
        guard sender.isHonest, receiver.isHonest else { return }
        byteCount += batches.reduce(0) { $0 + $1.content.count + $1.signature.count }
    }

    mutating func connected(_ first: Laptop, _ second: Laptop) {
        if first.isHonest, second.isHonest { connectionCount += 1 }
    }

    mutating func wentBack(_ laptop: Laptop) { restartCount += 1 }

    func check(_ simulation: Simulation) throws(SimulationFailure) {
        let known = simulation.honest[0].disk.journal
            .reduce(0) { $0 + $1.signed.content.count + $1.signed.signature.count }
        let learners = simulation.honest.count + restartCount
        let links = learners * (simulation.honest.count - 1)
        let perConnection =
            simulation.options.bulkCount > 0 ? Self.bulkByteCountPerConnection : Self.byteCountPerConnection
        let bound = Self.crossingsMax * links * known + perConnection * connectionCount
        guard byteCount > bound else { return }
        throw SimulationFailure(
            .muchTraffic,
            "\(byteCount) bytes of batches for \(known) that were new, \(links) links, \(connectionCount) connections")
    }
}
