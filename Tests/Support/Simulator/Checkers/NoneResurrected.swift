import AlbumModel
import SyncEngine

/// What a confirmed removal withdrew stays withdrawn.
enum NoneResurrected {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let catalog = simulation.honest[0].engine!.catalog
        for (key, dots) in simulation.oracle.withdrawn.sorted(by: { $0.key < $1.key }) {
            guard let photo = catalog.photo(key), photo.adds.contains(where: { dots.contains($0.dot) }) else {
                continue
            }
            throw SimulationFailure(.resurrectedPhoto, "\(key.blob.hex.prefix(8)) was removed and came back")
        }
    }
}
