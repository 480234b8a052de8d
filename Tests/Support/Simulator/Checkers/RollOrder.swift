import AlbumModel
import SyncEngine
import WireFormat

/// The same rulings in another order of arrival, some of them twice, make the same roll; and who is out as an agent has it is
/// who is out by all that it knows.
enum RollOrder {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        guard simulation.rulingLedger.founding != nil else { return }
        var random = SeededRandom(seed: simulation.options.seed, stream: "roll order")
        for laptop in simulation.honest {
            guard let (book, evidence) = laptop.look({ ($0.rulings, $0.rollEvidence) }) else { continue }
            let roll = evidence.roll(book)
            guard laptop.look({ $0.devicesOut == roll.out }) == true else {
                throw SimulationFailure(.rollDependsOnOrder, "laptop \(laptop.index) takes others for out than are")
            }
            let shuffled = try insert(
                book.ids.map { book.statement($0)! }.shuffled(using: &random), using: laptop.signing)
            guard evidence.roll(shuffled) == roll else {
                let sentence = "who is in depends on the order in which rulings come to laptop \(laptop.index)"
                throw SimulationFailure(.rollDependsOnOrder, sentence)
            }
        }
    }

    /// Each is offered until all that it follows is there, and once more then.
    private static func insert(
        _ statements: [SignedStatement], using signing: any BatchSigning
    ) throws(SimulationFailure) -> RulingBook {
        var book = RulingBook()
        var rest = statements
        while !rest.isEmpty {
            let offered = rest
            rest = []
            for statement in offered {
                do throws(RulingFlaw) {
                    _ = try book.insert(statement, using: signing)
                    _ = try book.insert(statement, using: signing)
                } catch {
                    rest.append(statement)
                }
            }
            guard rest.count < offered.count else {
                let sentence = "\(rest.count) rulings are refused that came in another order before"
                throw SimulationFailure(.rollDependsOnOrder, sentence)
            }
        }
        return book
    }
}
