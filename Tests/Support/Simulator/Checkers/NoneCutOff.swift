import AlbumModel
import SyncEngine

/// In the end nobody who keeps to the rules is out, under no key that they had, and all that they signed counts.
enum NoneCutOff {
    static func isKept(_ simulation: Simulation) -> Bool { failure(simulation) == nil }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        if let failure = failure(simulation) { throw failure }
        let honest = Set(simulation.honest.flatMap(\.allLives))
        for laptop in simulation.honest {
            for row in CountedRows(of: laptop).beyond {
                let author = laptop.look { $0.log.author(of: row.replica) } ?? nil
                guard let author, honest.contains(author) else { continue }
                let sentence = "laptop \(laptop.index) leaves out what \(author.hex.prefix(8)) signed, which is in"
                throw SimulationFailure(.cutOff, sentence)
            }
        }
    }

    private static func failure(_ simulation: Simulation) -> SimulationFailure? {
        guard simulation.options.hasEpochs else { return nil }
        let honest = Set(simulation.honest.flatMap(\.allLives))
        for laptop in simulation.honest {
            let out = laptop.look { $0.devicesOut } ?? []
            guard let device = out.intersection(honest).min() else { continue }
            let sentence = "laptop \(laptop.index) takes \(device.hex.prefix(8)) for one that is out"
            return SimulationFailure(.cutOff, sentence)
        }
        return nil
    }
}
