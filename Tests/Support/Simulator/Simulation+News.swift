import AlbumModel
import SyncEngine

/// Where nothing hinders them, laptops know of a new photo within seconds.
extension Simulation {
    /// How long laptops that have just started take to find each other, in virtual seconds.
    private static let meetingMax = 10.0

    mutating func planNews() {
        let keys = oracle.takeNews()
        guard options.isCalm, !keys.isEmpty else { return }
        let start = max(0, Self.meetingMax - virtualSeconds)
        // A few hops of a few messages each.
        for key in keys { plan(.newsDue(key), after: start + 3 + 20 * options.delay) }
    }

    func checkNews(_ key: PhotoKey) throws(SimulationFailure) {
        for laptop in honest where laptop.look({ $0.catalog.photo(key) == nil }) == true {
            let sentence = "laptop \(laptop.index) has not heard of \(key.blob.hex.prefix(8)), after seconds in peace"
            throw SimulationFailure(.lateNews, sentence)
        }
    }
}
