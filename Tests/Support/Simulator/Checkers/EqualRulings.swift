import AlbumModel
import SyncEngine
import WireFormat

/// All honest laptops know the same rulings, and none that was durable is lost; nobody tells one that is not durable.
enum EqualRulings {
    static func isKept(_ simulation: Simulation) -> Bool { failure(simulation) == nil }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        if let failure = failure(simulation) { throw failure }
    }

    private static func failure(_ simulation: Simulation) -> SimulationFailure? {
        guard simulation.rulingLedger.founding != nil else { return nil }
        let laptops = simulation.honest.filter { !$0.speaksFirstVersion }
        let books = laptops.map { laptop in Set(laptop.look { $0.rulings.ids } ?? []) }
        for (laptop, book) in zip(laptops, books) {
            let missing = books[0].union(simulation.rulingLedger.stored).subtracting(book)
            if let ruling = missing.min() {
                let sentence = "laptop \(laptop.index) lacks \(missing.count) rulings: \(ruling.hex.prefix(8))"
                return SimulationFailure(.lostRuling, sentence)
            }
            guard book.isSubset(of: laptop.disk.rulings.keys) else {
                return SimulationFailure(.lostRuling, "laptop \(laptop.index) knows rulings that are not on its disk")
            }
        }
        return nil
    }

    /// An honest laptop sends a message.
    static func sent(_ message: Message, by laptop: Laptop) throws(SimulationFailure) {
        guard case .rulings(let rulings, _, _) = message else { return }
        for ruling in rulings where laptop.disk.rulings[RulingID(content: ruling.content)] == nil {
            let sentence = "laptop \(laptop.index) tells a ruling that is not on its disk"
            throw SimulationFailure(.undurable, sentence)
        }
    }
}
