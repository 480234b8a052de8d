import AlbumModel
import SyncEngine
import WireFormat

/// What a laptop signs about its own addresses is numbered so that the later statement counts, wherever its clock goes.
struct AddressChecker {
    private struct Author: Hashable {
        var laptop: Int
        /// Another run may begin with a lower number, until it hears of the one before.
        var life: Int
    }

    private var last: [Author: AddressStatement] = [:]

    mutating func sent(_ message: Message, by laptop: Laptop) throws(SimulationFailure) {
        guard case .addresses(let statements) = message else { return }
        let author = Author(laptop: laptop.index, life: laptop.life)
        for signed in statements {
            guard let statement = try? AddressStatement(decoding: signed.content), statement.device == laptop.id
            else { continue }
            if let known = last[author], statement.number <= known.number, statement != known {
                let sentence = "laptop \(laptop.index) signs other addresses with the number \(statement.number)"
                throw SimulationFailure(.staleAddress, sentence)
            }
            last[author] = statement
        }
    }
}
